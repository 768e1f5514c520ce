import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import { settledDays } from '#contract/recoveries/recoveries.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { listCurrentAssignments, listCurrentMemberships } from '#server/accounts/roles.repository.ts'
import { findUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { organizationIdsOf } from '#server/accounts/user-audit.ts'
import type { Config } from '#server/config.ts'
import { findFactors, kindsOf } from '#server/credentials/factors/factors.repository.ts'
import { hasLosableFactor } from '#server/credentials/factors/losable-factors.repository.ts'
import {
  countAdministered,
  findRecovery,
  type StoredRecovery,
} from '#server/credentials/factors/recoveries.repository.ts'
import { targetOf } from '#server/features/users/users.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'

type Reader = { db: Db; config: Pick<Config, 'passkeyRpId'> }

/**
 * Whether somebody has what can be lost, or nothing but a mailbox that does not count, and no BankID or company's sign-in that is
 * the way in by itself.
 */
export const canRecover = async ({ db, config }: Reader, { accountId, loginMethod }: StoredUser): Promise<boolean> =>
  isLocal(loginMethod) &&
  ((await hasLosableFactor(db, accountId)) ||
    !kindsOf(await findFactors(db, accountId, config.passkeyRpId)).includes('email'))

/**
 * The recovery that somebody asked for, if the one who asked still may: not after losing a role, and not once the person has
 * joined an organisation that the other does not administer.
 */
export async function findOpenRecovery(reader: Reader, owner: StoredUser): Promise<StoredRecovery | undefined> {
  const { db } = reader
  const recovery = await findRecovery(db, owner.accountId)
  const asker = recovery && (await findUser(db, recovery.askedBy))
  if (!asker || asker.pending || asker.passiveAt !== null) return undefined
  const actor = {
    ...asker,
    // It helps nobody, and the stored one may not have begun.
    portalRole: null,
    organizations: await listCurrentMemberships(db, asker.accountId),
    services: await listCurrentAssignments(db, asker.accountId),
  }
  return can(actor, 'recoverUser', targetOf(owner)) && (await canRecover(reader, owner)) ? recovery : undefined
}

/**
 * Milliseconds for which two admins have been admins before the request. Otherwise one admin would be both: they would appoint
 * somebody to confirm what they ask for, or to ask for what they confirm.
 */
const settled = settledDays * 24 * 3_600_000

/** Why this actor cannot confirm, if so. The actor may help the person. */
export async function whyNotConfirm(
  db: Db,
  actor: Actor,
  owner: StoredUser,
  { askedBy, askedAt }: StoredRecovery,
): Promise<'ownRecovery' | 'adminTooNew' | undefined> {
  if (askedBy === actor.accountId) return 'ownRecovery'
  const organizationIds = organizationIdsOf(owner)
  const since = new Date(askedAt.getTime() - settled)
  const isSettled = async (accountId: string) =>
    (await countAdministered(db, { accountId, organizationIds, since })) === organizationIds.length
  // A super user is nobody's customer, no matter who asked.
  if (can(actor, 'manageUsers')) return undefined
  const asker = found(await findUser(db, askedBy))
  const both = (asker.superUser || (await isSettled(askedBy))) && (await isSettled(actor.accountId))
  return both ? undefined : 'adminTooNew'
}
