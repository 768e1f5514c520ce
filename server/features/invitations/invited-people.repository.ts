import { sql } from 'kysely'
import type { Period } from '#contract/fields/period.ts'
import { defaultMethod } from '#contract/login-methods.ts'
import type { LoginMethod, OrganizationRole } from '#contract/roles.ts'
import { dayColumns, periodOf } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Invitee, listPromisedServices } from './invitations.repository.ts'

/** Withdraws every invitation of an address whose user is deleted. */
export const withdrawInvitationsTo = (db: Db, email: string) =>
  db.deleteFrom('invitations').where('email', '=', email).execute()

/** Withdraws the invitation of an address to an organisation, if there is one. */
export const withdrawInvitation = (db: Db, { email, organizationId }: { email: string; organizationId: string }) =>
  db.deleteFrom('invitations').where('email', '=', email).where('organizationId', '=', organizationId).execute()

/** An invited person who has not answered yet, as the inviter described them. */
export type InvitedPerson = NonNullable<Awaited<ReturnType<typeof findInvitedPerson>>>

/**
 * Finds an invited person.
 *
 * @param lock the row until the transaction ends, so that it cannot be accepted before
 */
export async function findInvitedPerson(db: Db, invitationId: string, { lock = false } = {}) {
  const query = db
    .selectFrom('invitations as i')
    .leftJoin('organizations as o', 'o.organizationId', 'i.organizationId')
    .select(['i.invitationId', 'i.email', 'i.firstName', 'i.lastName', 'i.userRole', 'i.version'])
    .select(['i.organizationId', 'o.name as organizationName', 'o.organizationNumber'])
    .select(periodOf('i'))
    .select(sql<LoginMethod>`coalesce(o.login_method, ${defaultMethod})`.as('loginMethod'))
    .select(
      // What became of an earlier mail of another organisation is not for this one to know.
      sql<Date | null>`(select refused_at from refused_addresses where address = i.email and refused_at >= i.sent_at)`.as(
        'emailRefusedAt',
      ),
    )
    .where('i.invitationId', '=', invitationId)
  const invitation = await (lock ? query.forNoKeyUpdate('i') : query).executeTakeFirst()
  if (!invitation) return undefined
  const { organizationId, organizationName, organizationNumber, userRole, validFrom, validUntil, ...rest } = invitation
  // The first super user is invited to the portal itself, not to an organisation.
  if (organizationId === null || organizationName === null) return { ...rest, organizations: [], services: [] }
  const services = await listPromisedServices(db, invitationId)
  return {
    ...rest,
    organizations: [
      {
        ...{ organizationId, name: organizationName, organizationNumber, userRole, validFrom, validUntil },
        ...{ roleFrom: null, roleUntil: null },
      },
    ],
    services: services.map((service) => ({
      ...{ ...service, organizationId, organizationName },
      ...{ source: 'hand' as const, validFrom: null, validUntil: null },
    })),
  }
}

interface Promised extends Period {
  organizationId: string
  userRole: OrganizationRole | undefined
  /** Who promises the roles that change; the others keep who promised them. */
  promisedBy: string
  services: Invitee['services']
}

/**
 * Changes the role, days and services of an invitation. The caller must have locked its row.
 *
 * @throws DatabaseError (foreign key) for a service that the organisation does not have
 */
export async function updateInvitationTerms(db: Db, invitationId: string, promised: Promised): Promise<void> {
  const { organizationId, userRole, services, validFrom, validUntil, promisedBy } = promised
  const kept = services.map(({ serviceId }) => serviceId)
  // What stays keeps the roles of the service that it promises.
  await sql`delete from invitation_services
    where invitation_id = ${invitationId} and service_id <> all (${kept}::uuid[])`.execute(db)
  if (services.length > 0)
    await db
      .insertInto('invitationServices')
      .values(
        services.map(({ serviceId, userRole }) => ({
          ...{ invitationId, organizationId, serviceId, userRole, promisedBy },
        })),
      )
      .onConflict((present) =>
        present
          .columns(['invitationId', 'serviceId'])
          .doUpdateSet((row) => ({ userRole: row.ref('excluded.userRole'), promisedBy }))
          .whereRef('invitationServices.userRole', '<>', 'excluded.userRole'),
      )
      .execute()
  await db
    .updateTable('invitations')
    .set({
      ...(userRole && {
        userRole,
        promisedBy: sql<string | null>`case when user_role = ${userRole} then promised_by else ${promisedBy}::uuid end`,
      }),
      ...dayColumns({ validFrom, validUntil }),
      version: sql`version + 1`,
    })
    .where('invitationId', '=', invitationId)
    .execute()
}
