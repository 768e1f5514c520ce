import type { MessageKey } from '#contract/message-key.ts'
import type { BulkRow } from '#contract/users/bulk-users.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { findInvitedPerson } from '#server/features/invitations/invitations.ts'
import type { Db } from '#server/platform/database/database.ts'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'

/** A person or an invitation of a selection. */
export interface ChosenPerson {
  accountId: string
  email: string
  /** An open invitation, without an account that its inviter may know of. */
  invited: boolean
  /** Invited, or accepted but not signed in yet. */
  pending: boolean
  organizations: readonly { organizationId: string }[]
  services: readonly { organizationId: string; serviceId: string; userRole: 'regular' | 'serviceAdmin' }[]
  version: number
}

interface Change {
  /** Only people of this organisation; undefined for any. */
  organizationId: string | undefined
  /** Why there is nothing to do. */
  skip: (person: ChosenPerson) => MessageKey | undefined
  /** Why it would fail, as far as can be known before. */
  refuse?: (person: ChosenPerson) => MessageKey | undefined
  /** Why a part of it was left as it is; asked last. */
  stays?: (person: ChosenPerson) => MessageKey | undefined
  /** Runs in a transaction of its own. */
  change: (person: ChosenPerson) => Promise<unknown>
}

type Context = Pick<RequestContext, 'db' | 'log'> & { input: { accountIds: readonly string[]; dryRun: boolean } }

/**
 * Changes one person after the other. What fails for one leaves the others as they are. People of other organisations get
 * the answer of those who do not exist.
 */
export async function forEachPerson({ db, log, input }: Context, change: Change): Promise<{ rows: BulkRow[] }> {
  const rows: BulkRow[] = []
  for (const accountId of input.accountIds) rows.push({ accountId, ...(await changeOne(accountId)) })
  return { rows }

  async function changeOne(accountId: string): Promise<Omit<BulkRow, 'accountId'>> {
    const failed = (reason: string) => ({ outcome: 'failed' as const, reason })
    try {
      const person = await findChosen(db, accountId, change.organizationId)
      if (!person) return failed('notFound' satisfies MessageKey)
      const skipped = change.skip(person)
      if (skipped) return { outcome: 'skipped', reason: skipped }
      const refused = input.dryRun && change.refuse?.(person)
      if (refused) return failed(refused)
      if (!input.dryRun) await change.change(person).catch(translateDatabaseError)
      return { outcome: 'done', reason: change.stays?.(person) ?? null }
    } catch (error) {
      // The same request is still running: its answer is the one to wait for.
      if (error instanceof Problem && error.key === 'requestInProgress') throw error
      if (error instanceof Problem) return failed(error.issues?.[0]?.message ?? error.key)
      log.error({ err: error, accountId }, 'one of several people could not be changed')
      return failed('genericErrorMessage' satisfies MessageKey)
    }
  }
}

/** Somebody of a selection; undefined where they are of another organisation. */
export async function findChosen(
  db: Db,
  accountId: string,
  organizationId: string | undefined,
): Promise<ChosenPerson | undefined> {
  const user = await findUser(db, accountId)
  const invited = user ? undefined : await findInvitedPerson(db, accountId)
  const person: ChosenPerson | undefined = user
    ? { ...user, invited: false }
    : invited && { ...invited, accountId, invited: true, pending: true }
  const isInSight =
    organizationId === undefined || person?.organizations.some((one) => one.organizationId === organizationId)
  return isInSight ? person : undefined
}
