import { type RawBuilder, sql } from 'kysely'
import type { LoginMethod } from '#contract/roles.ts'
import type { Db } from '#server/platform/database.ts'

/** What a sign-in needs to know of a person. */
export interface Person {
  accountId: string
  email: string
  loginMethod: LoginMethod
  passwordHash: string | null
  /** Neither pending nor passive. */
  active: boolean
  organizationIds: string[]
}

/** The person with this address, in its canonical form. */
export async function findPerson(db: Db, email: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select account_id as "accountId", email, login_method as "loginMethod", password_hash as "passwordHash",
      not pending and passive_at is null as active,
      array(select organization_id::text from memberships m where m.account_id = u.account_id) as "organizationIds"
    from users u where email = ${email}`.execute(db)
  return rows[0]
}

/** The expression that notes a completed sign-in, once `done` says that it is one. */
export const noteSignIn = (now: Date, accountId: string, passwordHash: string | undefined): RawBuilder<unknown> => sql`
  noted as (
    update users set last_login = ${now}, last_active = ${now},
      password_hash = coalesce(${passwordHash ?? null}, password_hash)
    where account_id = ${accountId} and exists (select from done))`
