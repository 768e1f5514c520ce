import { type RawBuilder, sql } from 'kysely'
import type { Language, LoginMethod } from '#contract/roles.ts'
import { awaitsFirstSignIn } from '#server/oidc/first-sign-in.ts'
import type { Db } from '#server/platform/database.ts'
import { prepared } from '#server/platform/prepared-statements.ts'

/** What a sign-in needs to know of a person. */
export interface Person {
  accountId: string
  email: string
  loginMethod: LoginMethod
  passwordHash: string | null
  /** Neither pending nor passive. */
  active: boolean
  passive: boolean
  /** Pending, with an accepted invitation: the first sign-in that proves the person makes the account usable. */
  awaited: boolean
  /** What was proven before it was raised does not count any more. */
  authEpoch: number
  firstName: string | null
  phoneNumber: string | null
  preferredLanguage: Language | null
  organizationIds: string[]
}

/** The person with this address, in its canonical form. */
export const findPerson = async (db: Db, email: string): Promise<Person | undefined> =>
  (await prepared(db, selectPerson(email))).rows[0]

/** The same as a part of another statement. */
export const selectPerson = (email: string): RawBuilder<Person> => sql`
    select account_id as "accountId", email, login_method as "loginMethod", password_hash as "passwordHash",
      not pending and passive_at is null as active, passive_at is not null as passive,
      ${awaitsFirstSignIn} as awaited, auth_epoch as "authEpoch",
      first_name as "firstName", phone_number as "phoneNumber", preferred_language as "preferredLanguage",
      array(select organization_id::text from memberships m where m.account_id = u.account_id) as "organizationIds"
    from users u where email = ${email}`

/** Stores a password's hash anew, in today's strength, unless the password was changed in the meantime. */
export const strengthenHash = (db: Db, { accountId, passwordHash }: Person, stronger: string) =>
  db
    .updateTable('users')
    .set({ passwordHash: stronger })
    .where('accountId', '=', accountId)
    .where('passwordHash', '=', passwordHash)
    .execute()

/**
 * The expression `noted` for a completed sign-in, once `finished` says that it is one. The first one of somebody who
 * waits for it makes the account usable.
 */
export const noteSignIn = (now: Date, { accountId, awaited }: Person): RawBuilder<unknown> => sql`
  noted as (
    update users set last_login = ${now}, last_active = ${now}
      ${awaited ? sql`, pending = false, version = version + 1` : sql``}
    where account_id = ${accountId}::uuid and exists (select from finished) returning 1)`

/** The organisations of a person, for a mail that tells whom to ask. */
export const listOrganizationNames = async (db: Db, accountId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.organizationId', 'm.organizationId')
    .select('o.name')
    .where('m.accountId', '=', accountId)
    .orderBy('o.name')
    .execute()
  return rows.map((row) => row.name)
}
