import { sql } from 'kysely'
import { personForm } from '#contract/users/user-forms.ts'
import type { Db } from '#server/platform/database/database.ts'
import { readPortalRole } from './portal-role.repository.ts'
import { listAssignments, listMemberships } from './roles.repository.ts'

const { ssn: _, portalRole: __, portalRoleFrom: ___, portalRoleUntil: ____, ...fields } = personForm.shape
const columns = [
  ...(Object.keys(fields) as (keyof typeof fields)[]),
  'accountId',
  'email',
  'ssnSealed',
  'ssnProof',
  'emailProof',
  'openedFor',
  'operates',
  'pending',
  'passiveAt',
  'lastLogin',
  'lastActive',
  'version',
] as const

const row = (db: Db, accountId: string) =>
  db
    .selectFrom('users')
    .select(columns)
    .select(
      sql<Date | null>`(select refused_at from refused_addresses where address = users.email)`.as('emailRefusedAt'),
    )
    .select(sql<string | null>`(select name from organizations where organization_id = opened_for)`.as('openedForName'))
    .where('accountId', '=', accountId)

/** A stored person, with organisations and services in Swedish alphabetical order. */
export type StoredUser = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** The person with this id. */
export async function findUser(db: Db, accountId: string) {
  const user = await row(db, accountId).executeTakeFirst()
  return user && { ...user, ...(await listRoles(db, accountId)) }
}

/** Finds and locks a person until the transaction ends. Every change of a person or their roles starts with this. */
export async function lockUser(db: Db, accountId: string): Promise<StoredUser | undefined> {
  const user = await row(db, accountId).forNoKeyUpdate().executeTakeFirst()
  return user && { ...user, ...(await listRoles(db, accountId)) }
}

// One query after the other: a transaction has only one connection.
const listRoles = async (db: Db, accountId: string) => ({
  ...(await readPortalRole(db, accountId)),
  organizations: await listMemberships(db, accountId),
  services: await listAssignments(db, accountId),
})
