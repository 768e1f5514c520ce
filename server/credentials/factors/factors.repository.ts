import { sql } from 'kysely'
import { isLocal, type LoginMethod } from '#contract/login-methods.ts'
import { type OwnNumber, ownNumbers, type SecondFactorKind, secondFactorKinds } from '#contract/second-factors.ts'
import { methodsWhere, raisingMethods, signInMethods } from '#contract/sign-in-methods.ts'
import type { Db } from '#server/platform/database/database.ts'
import { localList } from '#server/platform/database/method-lists.ts'
import { findKeyKinds } from '../passkeys/passkeys.repository.ts'
import type { Person } from '../people.repository.ts'
import { phoneForCodes } from './phone-for-codes.repository.ts'

/** What an account has for a second step. */
export interface StoredFactors {
  usual: SecondFactorKind | null
  hasPhoneNumber: boolean
  /** The person has proven it by a code that was sent there. */
  phoneProven: boolean
  app: { createdAt: Date; lastUsedAt: Date | null } | null
  /** A passkey or security key. */
  hasKey: boolean
  /** The password was reset by mail, and no other factor was proven with it since. */
  passwordFromMail: boolean
  /** Why no code goes by mail, whatever else is true. */
  mailRefused: 'owner' | 'notMe' | 'taken' | null
  /** The person has proven the own number with BankID, which stands in for what is lost. */
  hasBankId: boolean
  /** Own numbers that came with a password alone, or from an admin: no second step until the person confirms them by one. */
  unconfirmed: OwnNumber[]
  /** Null without a set of codes. */
  recoveryCodes: { left: number; createdAt: Date } | null
}

/** Whether a code by mail proves anything: not once the mailbox has proven the password, of somebody who has something else. */
const mailCounts = ({
  app,
  hasKey,
  hasPhoneNumber,
  hasBankId,
  passwordFromMail,
  mailRefused,
}: StoredFactors): boolean => {
  if (mailRefused === 'notMe' || (mailRefused === 'taken' && passwordFromMail)) return false
  const hasMore = app !== null || hasKey || hasPhoneNumber || hasBankId
  return !(hasMore && (passwordFromMail || mailRefused === 'owner'))
}

/** The second factors that a person has, in the order in which they are shown. */
export function kindsOf(factors: StoredFactors): SecondFactorKind[] {
  const has: Record<SecondFactorKind, boolean> = {
    passkey: factors.hasKey,
    app: factors.app !== null,
    sms: factors.hasPhoneNumber,
    email: mailCounts(factors),
  }
  return secondFactorKinds.filter((kind) => has[kind])
}

/**
 * What a sign-in asks for first: what the person has chosen, if it is still there, or else a code by mail, where that counts.
 * Null where a recovery code or BankID is all there is.
 */
const firstFactor = (factors: StoredFactors): SecondFactorKind | null =>
  kindsOf(factors).find((kind) => kind === factors.usual) ??
  kindsOf(factors).find((kind) => kind === 'email') ??
  kindsOf(factors)[0] ??
  null

/** What a sign-in asks this person for first. */
export const findFirstFactor = async (
  db: Db,
  { accountId, usualFactor, mailInDoubt }: Pick<Person, 'accountId' | 'usualFactor' | 'mailInDoubt'>,
  rpId: string,
): Promise<SecondFactorKind | null> =>
  usualFactor === null && !mailInDoubt ? 'email' : firstFactor(await findFactors(db, accountId, rpId))

/** Whether a code by mail is a second factor of this person. */
export const takesMail = async (
  db: Db,
  { accountId, mailInDoubt }: Pick<Person, 'accountId' | 'mailInDoubt'>,
  rpId: string,
) => !mailInDoubt || mailCounts(await findFactors(db, accountId, rpId))

/** What an account has beyond its password; of its keys those of this RP ID. */
export async function findFactors(db: Db, accountId: string, rpId: string): Promise<StoredFactors> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('authenticatorApps as a', 'a.accountId', 'u.accountId')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('recoveryCodes')
          .select(['accountId', sql<Date>`min(created_at)`.as('madeAt')])
          .select(sql<number>`(count(*) filter (where used_at is null))::integer`.as('left'))
          .where('accountId', '=', accountId)
          .groupBy('accountId')
          .as('r'),
      (join) => join.onRef('r.accountId', '=', 'u.accountId'),
    )
    .select([
      'u.usualFactor',
      'u.ssnProof',
      'u.ssnClaim',
      'u.ssnSealed',
      'u.phoneNumber',
      'u.phoneProvenAt',
      'u.loginMethod',
      'u.passwordFromMail',
      'u.mailRefused',
      'a.createdAt',
      'a.lastUsedAt',
      'r.madeAt',
      'r.left',
    ])
    .select(phoneForCodes.as('phoneForCodes'))
    .where('u.accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const unconfirmed: Record<OwnNumber, boolean> = {
    ssn: row.ssnSealed !== null && row.ssnClaim !== null,
    phoneNumber: row.phoneNumber !== null && row.phoneForCodes === null,
  }
  return {
    unconfirmed: isLocal(row.loginMethod as LoginMethod) ? ownNumbers.filter((name) => unconfirmed[name]) : [],
    usual: row.usualFactor as SecondFactorKind | null,
    hasPhoneNumber: row.phoneForCodes !== null,
    phoneProven: row.phoneForCodes !== null && row.phoneProvenAt !== null,
    hasBankId: raisingMethods.some((method) => method === row.ssnProof) && row.ssnClaim === null,
    passwordFromMail: row.passwordFromMail,
    mailRefused: row.mailRefused as StoredFactors['mailRefused'],
    hasKey: (await findKeyKinds(db, accountId, rpId)).key,
    app: row.createdAt && { createdAt: row.createdAt, lastUsedAt: row.lastUsedAt },
    recoveryCodes: row.madeAt && { left: row.left ?? 0, createdAt: row.madeAt },
  }
}

/** Whether the person has chosen a second factor, whatever the sign-in method of the account asks for. */
export const hasTwoSteps = async (db: Db, accountId: string): Promise<boolean> =>
  (
    await db
      .selectFrom('users')
      .select((eb) => eb.or([eb('usualFactor', 'is not', null), eb('mustEnrol', '=', true)]).as('has'))
      .where('accountId', '=', accountId)
      .executeTakeFirst()
  )?.has === true

/** Chooses what sign-in asks for first; null: nothing beyond what the sign-in method of the account says. */
export const setUsualFactor = (db: Db, accountId: string, usualFactor: SecondFactorKind | null) =>
  db
    .updateTable('users')
    .set({ usualFactor, ...(usualFactor !== null && { mustEnrol: false }) })
    .where('accountId', '=', accountId)
    .execute()

/** Somebody who sets up a first factor wants to be asked for it. */
export const makeUsualIfFirst = (db: Db, accountId: string, usualFactor: SecondFactorKind) =>
  db
    .updateTable('users')
    .set({ usualFactor, mustEnrol: false })
    .where('accountId', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('usualFactor', 'is', null),
        eb(
          'usualFactor',
          'in',
          methodsWhere(({ step }) => step === 'message'),
        ),
      ]),
    )
    .execute()

/** Somebody else took the factors off: a person with a password chooses one before anything else. */
export const requireEnrolmentOf = (db: Db, accountId: string) =>
  db
    .updateTable('users')
    .set({ usualFactor: null, mustEnrol: sql<boolean>`login_method in (${localList})` })
    .where('accountId', '=', accountId)
    .execute()

/**
 * A factor is gone: sign-in asks for the next best one that is set up, or for none.
 *
 * @param wasTaken not by the owner: without a next one, the person chooses one before anything else
 */
export async function forgetUsual(
  db: Db,
  accountId: string,
  gone: SecondFactorKind,
  { rpId, wasTaken = false }: { rpId: string; wasTaken?: boolean },
): Promise<void> {
  const factors = await findFactors(db, accountId, rpId)
  if (factors.usual !== gone || kindsOf(factors).includes(gone)) return
  const next = kindsOf(factors).find((kind) => signInMethods[kind].proves === 'device')
  await setUsualFactor(db, accountId, next ?? null)
  if (wasTaken && !next) await requireEnrolmentOf(db, accountId)
}

/** Switches codes by mail off, or on again. */
export const setMailRefused = (db: Db, accountId: string, mailRefused: 'owner' | null) =>
  db.updateTable('users').set({ mailRefused }).where('accountId', '=', accountId).execute()
