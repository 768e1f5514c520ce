import { sql } from 'kysely'
import type { Period } from '#contract/fields/period.ts'
import { defaultMethod } from '#contract/login-methods.ts'
import type { Language, LoginMethod, OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { isInDomainOf, isInDomainOfOthers } from '#server/oidc/address-proof.ts'
import { dayColumns, periodOf } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

/** The invited person, with role and services. Names are those that the inviter typed. */
export interface Invitee extends Period {
  /** Canonical. */
  email: string
  firstName: string | null
  lastName: string | null
  userRole: OrganizationRole
  services: readonly { serviceId: string; userRole: ServiceRole; roles?: readonly { roleId: string }[] }[]
  groups?: readonly { groupId: string }[]
}

export interface InvitationTerms {
  /** Null for the portal itself. */
  organizationId: string | null
  message: string | null
  invitedBy: string | null
  /** Who promises the roles; null: the account had them before. */
  promisedBy: string | null
  guest?: boolean
  language?: Language | null
  now: Date
  expiresAt: Date
}

/** An invitation whose link can be sent. */
export interface SendableInvitation {
  invitationId: string
  email: string
  tokenVersion: number
}

/** Inserts invitations for addresses that have none to the same organisation. @returns the new ones */
export async function insertInvitations(
  db: Db,
  people: readonly Invitee[],
  { now, ...terms }: InvitationTerms,
): Promise<SendableInvitation[]> {
  if (people.length === 0) return []
  const added = await db
    .insertInto('invitations')
    .values(
      people.map(({ email, firstName, lastName, userRole, validFrom, validUntil }) => ({
        invitationId: newId(),
        ...{ email, firstName, lastName, userRole },
        ...dayColumns({ validFrom, validUntil }),
        ...terms,
        sentAt: now,
        createdAt: now,
      })),
    )
    .onConflict((conflict) => conflict.constraint('invitation_once').doNothing())
    .returning(['invitationId', 'email', 'tokenVersion'])
    .execute()
  const ids = new Map(added.map((one) => [one.email, one.invitationId]))
  const { organizationId, promisedBy } = terms
  const promised = people.flatMap(({ email, services }) => {
    const invitationId = ids.get(email)
    if (!invitationId || organizationId === null) return []
    return services.map(({ serviceId, userRole }) => ({
      ...{ invitationId, organizationId, serviceId, userRole, promisedBy },
    }))
  })
  if (promised.length > 0) await db.insertInto('invitationServices').values(promised).execute()
  const roles = people.flatMap(({ email, services }) =>
    services.flatMap(({ serviceId, roles: promisedRoles = [] }) =>
      promisedRoles.flatMap(({ roleId }) => {
        const invitationId = ids.get(email)
        return invitationId ? { invitationId, serviceId, roleId, promisedBy } : []
      }),
    ),
  )
  if (roles.length > 0) await db.insertInto('invitationServiceRoles').values(roles).execute()
  const groups = people.flatMap(({ email, groups: promisedGroups = [] }) => {
    const invitationId = ids.get(email)
    if (!invitationId || organizationId === null) return []
    return promisedGroups.map(({ groupId }) => ({ invitationId, organizationId, groupId, promisedBy }))
  })
  if (groups.length > 0) await db.insertInto('invitationGroups').values(groups).execute()
  return added
}

/** Replaces the link of an invitation; the old link stops working. Who sends it again promises nothing. */
export const renewInvitation = (
  db: Db,
  invitationId: string,
  { now, expiresAt, invitedBy }: Pick<InvitationTerms, 'now' | 'expiresAt' | 'invitedBy'>,
) =>
  db
    .updateTable('invitations')
    .set({ sentAt: now, expiresAt, invitedBy, outboxId: null, tokenVersion: sql`token_version + 1` })
    .where('invitationId', '=', invitationId)
    .returning(['invitationId', 'email', 'tokenVersion'])
    .executeTakeFirstOrThrow()

/** Stores which mail carries each invitation. */
export const setInvitationMails = (db: Db, mails: readonly { invitationId: string; outboxId: string }[]) =>
  sql`update invitations set outbox_id = mail.outbox_id
    from unnest(
      ${mails.map((mail) => mail.invitationId)}::uuid[], ${mails.map((mail) => mail.outboxId)}::uuid[]
    ) as mail (invitation_id, outbox_id)
    where invitations.invitation_id = mail.invitation_id`.execute(db)

// Invitations whose link is valid, with the organisation's current login method.
const open = (db: Db, now: Date) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('organizations as o', 'o.organizationId', 'i.organizationId')
    .select(['i.invitationId', 'i.tokenVersion', 'i.email', 'i.firstName', 'i.lastName', 'i.userRole'])
    .select(['i.organizationId', 'o.name as organizationName', 'i.message', 'i.invitedBy', 'i.expiresAt', 'i.guest'])
    .select(periodOf('i'))
    .select(sql<LoginMethod>`coalesce(o.login_method, ${defaultMethod})`.as('loginMethod'))
    .select('o.samlConfigId')
    .select(isInDomainOf('i.email', 'o.samlConfigId').as('isInSamlDomain'))
    .select(isInDomainOfOthers('i.email', 'o.samlConfigId').as('isInDomainOfOthers'))
    .where('i.expiresAt', '>', now)

/** Finds an invitation whose link is valid. */
export const findOpenInvitation = (db: Db, invitationId: string, now: Date) =>
  open(db, now).where('i.invitationId', '=', invitationId).executeTakeFirst()

/** Finds and locks it: after the first of several concurrent acceptances, the others find nothing. */
export const findOpenInvitationForUpdate = (db: Db, invitationId: string, now: Date) =>
  open(db, now).where('i.invitationId', '=', invitationId).forUpdate('i').executeTakeFirst()

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findOpenInvitation>>>

export interface InvitationKey {
  email: string
  organizationId: string
}

/** The open invitation of an address to an organisation. */
export const findOpenInvitationTo = (db: Db, { email, organizationId }: InvitationKey, now: Date) =>
  open(db, now).where('i.email', '=', email).where('i.organizationId', '=', organizationId).executeTakeFirst()

/** The invitation of an address that expires last, expired or not. */
export const findLatestInvitation = (db: Db, email: string) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('organizations as o', 'o.organizationId', 'i.organizationId')
    .select(['i.invitationId', 'i.tokenVersion', 'i.expiresAt', 'o.name as organizationName'])
    .where('i.email', '=', email)
    .orderBy('i.expiresAt', 'desc')
    .orderBy('i.invitationId')
    .limit(1)
    .executeTakeFirst()

/** The services of an invitation, sorted by name. */
export const listPromisedServices = (db: Db, invitationId: string) =>
  db
    .selectFrom('invitationServices as p')
    .innerJoin('services as s', 's.serviceId', 'p.serviceId')
    .select(['p.serviceId', 's.name', 's.url', 'p.userRole'])
    .where('p.invitationId', '=', invitationId)
    .orderBy('s.name')
    .orderBy('p.serviceId')
    .execute()

export const deleteInvitation = (db: Db, invitationId: string) =>
  db.deleteFrom('invitations').where('invitationId', '=', invitationId).execute()

/** Finds the organisation of an invitation. */
export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
