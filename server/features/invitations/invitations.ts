// The public interface of this room: what other rooms may read and change of invitations.
import { sql } from 'kysely'
import type { OwnInvitation } from '#contract/invitations/invitations.ts'
import type { LoginMethod, OrganizationRole } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { floorFor } from './floor.ts'
import { mailedLink } from './invitation-tokens.ts'
import { deleteInvitation, findLatestInvitation, type Invitee, listPromisedServices } from './invitations.repository.ts'
import * as again from './invite-again.ts'
import { findOwnAccount, listOpenInvitations, speaksForAddress } from './own-invitations.repository.ts'
import { resendInvitation } from './resend-invitation.ts'

/** Open invitations to a user's own address, where it is proven and no organisation decides who signs in. */
export async function listOwnInvitations(db: Db, accountId: string, now: Date): Promise<OwnInvitation[]> {
  const own = found(await findOwnAccount(db, accountId))
  if (!speaksForAddress(own)) return []
  const waiting = await listOpenInvitations(db, { accountId, email: own.email, now })
  return waiting.map((one) => ({ ...one, ...floorFor(own, one), expiresAt: one.expiresAt.toISOString() }))
}

/** Says whether an account may see what was sent to its address: it is proven, and its owner decides who signs in. */
export async function ownsAddress(db: Db, accountId: string): Promise<boolean> {
  const account = await findOwnAccount(db, accountId)
  return account !== undefined && speaksForAddress(account)
}

/** The open invitation of an address, with its mailed link. Send the link only to that address. */
export async function findWaitingInvitation(
  system: Pick<System, 'config' | 'keys'> & { now: Date },
  db: Db,
  email: string,
): Promise<{ organizationName: string | null; invitation: { link: string; expiresAt: string } | null } | undefined> {
  const invitation = await findLatestInvitation(db, email)
  if (!invitation) return undefined
  const { organizationName, expiresAt } = invitation
  const isOpen = expiresAt > system.now
  return {
    organizationName,
    invitation: isOpen ? { link: mailedLink(system, invitation), expiresAt: expiresAt.toISOString() } : null,
  }
}

/** Withdraws every invitation of an address whose user is deleted. */
export const withdrawInvitationsTo = (db: Db, email: string) =>
  db.deleteFrom('invitations').where('email', '=', email).execute()

/** Withdraws the invitation of an address to an organisation, if there is one. */
export const withdrawInvitation = (db: Db, { email, organizationId }: { email: string; organizationId: string }) =>
  db.deleteFrom('invitations').where('email', '=', email).where('organizationId', '=', organizationId).execute()

/** Withdraws one invitation. */
export const withdrawInvitationById = (db: Db, invitationId: string) => deleteInvitation(db, invitationId)

/** An invited person who has not answered yet, as the inviter described them. */
export type InvitedPerson = NonNullable<Awaited<ReturnType<typeof findInvitedPerson>>>

/** @param lock the row until the transaction ends, so that it cannot be accepted before */
export async function findInvitedPerson(db: Db, invitationId: string, { lock = false } = {}) {
  const query = db
    .selectFrom('invitations as i')
    .leftJoin('organizations as o', 'o.organizationId', 'i.organizationId')
    .select(['i.invitationId', 'i.email', 'i.firstName', 'i.lastName', 'i.userRole', 'i.version'])
    .select(['i.organizationId', 'o.name as organizationName', 'o.organizationNumber'])
    .select(sql<LoginMethod>`coalesce(o.login_method, 'local')`.as('loginMethod'))
    .select(
      // What became of an earlier mail of another organisation is not for this one to know.
      sql<Date | null>`(select refused_at from refused_addresses where address = i.email and refused_at >= i.sent_at)`.as(
        'emailRefusedAt',
      ),
    )
    .where('i.invitationId', '=', invitationId)
  const invitation = await (lock ? query.forNoKeyUpdate('i') : query).executeTakeFirst()
  if (!invitation) return undefined
  const { organizationId, organizationName, organizationNumber, userRole, ...rest } = invitation
  // The first super user is invited to the portal itself, not to an organisation.
  if (organizationId === null || organizationName === null) return { ...rest, organizations: [], services: [] }
  const services = await listPromisedServices(db, invitationId)
  return {
    ...rest,
    organizations: [{ organizationId, name: organizationName, organizationNumber, userRole }],
    services: services.map((service) => ({ ...service, organizationId, organizationName })),
  }
}

interface Promised {
  organizationId: string
  userRole: OrganizationRole | undefined
  services: Invitee['services']
}

/**
 * Changes the role and services of an invitation. The caller must have locked its row.
 *
 * @throws DatabaseError (foreign key) for a service that the organisation does not have
 */
export async function updateInvitationTerms(db: Db, invitationId: string, promised: Promised): Promise<void> {
  const { organizationId, userRole, services } = promised
  await db.deleteFrom('invitationServices').where('invitationId', '=', invitationId).execute()
  if (services.length > 0)
    await db
      .insertInto('invitationServices')
      .values(services.map(({ serviceId, userRole }) => ({ invitationId, organizationId, serviceId, userRole })))
      .execute()
  await db
    .updateTable('invitations')
    .set({ ...(userRole ? { userRole } : {}), version: sql`version + 1` })
    .where('invitationId', '=', invitationId)
    .execute()
}

/** Makes invitations of the memberships of an account that ends. */
export const inviteAgain = again.inviteAgain

/** Sends one pending person a new invitation; see `invitations.resend`. */
export const resendInvitationTo: typeof resendInvitation = (context) => resendInvitation(context)
