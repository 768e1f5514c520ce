import type { OrganizationRole } from '#contract/roles.ts'
import type { Db } from '#server/platform/database.ts'
import { newId } from '#server/platform/ids.ts'
import type { InvitingOrganization } from './invitations.repository.ts'

interface Named {
  email: string
  firstName: string | null
  lastName: string | null
}

/** A pending account for each address that has none, with the organisation's way to sign in. */
export const insertPendingUsers = (
  db: Db,
  people: readonly Named[],
  { loginMethod, samlConfigId }: Pick<InvitingOrganization, 'loginMethod' | 'samlConfigId'>,
) =>
  db
    .insertInto('users')
    .values(
      people.map(({ email, firstName, lastName }) => ({
        accountId: newId(),
        email,
        firstName,
        lastName,
        loginMethod,
        samlConfigId: loginMethod === 'saml' ? samlConfigId : null,
        pending: true,
      })),
    )
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()

/** The people with these addresses, locked until the transaction ends: nobody accepts or goes meanwhile. */
export const lockUsersByEmail = (db: Db, emails: readonly string[]) =>
  db
    .selectFrom('users')
    .select(['accountId', 'email', 'firstName', 'loginMethod', 'preferredLanguage', 'pending'])
    .where('email', 'in', emails)
    .orderBy('email')
    .forUpdate()
    .execute()

/** @returns who was not a member before */
export const insertMemberships = async (
  db: Db,
  organizationId: string,
  people: readonly { accountId: string; userRole: OrganizationRole }[],
): Promise<string[]> => {
  if (people.length === 0) return []
  const rows = await db
    .insertInto('memberships')
    .values(people.map(({ accountId, userRole }) => ({ accountId, organizationId, userRole })))
    .onConflict((conflict) => conflict.columns(['accountId', 'organizationId']).doNothing())
    .returning('accountId')
    .execute()
  return rows.map((row) => row.accountId)
}

/** @throws DatabaseError of the constraint `seats` when a service has none left */
export const insertAssignments = async (
  db: Db,
  organizationId: string,
  people: readonly { accountId: string; services: readonly { serviceId: string }[] }[],
): Promise<void> => {
  const values = people.flatMap(({ accountId, services }) =>
    services.map(({ serviceId }) => ({ accountId, organizationId, serviceId })),
  )
  if (values.length > 0) await db.insertInto('serviceAssignments').values(values).execute()
}
