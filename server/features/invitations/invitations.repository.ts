import { sql } from 'kysely'
import type { LoginMethod } from '#contract/roles.ts'
import type { Db } from '#server/platform/database.ts'
import { newId } from '#server/platform/ids.ts'

/** Somebody who is to get an invitation: pending, with the sign-in method that the link is bound to. */
export interface Invitee {
  accountId: string
  email: string
  loginMethod: LoginMethod
}

interface Terms {
  organizationId: string | null
  message: string | null
  invitedBy: string | null
  now: Date
  expiresAt: Date
}

/** Writes an invitation each, in place of an earlier one to the same organisation: its link stops working. */
export const saveInvitations = (db: Db, people: readonly Invitee[], { now, ...terms }: Terms) =>
  db
    .insertInto('invitations')
    .values(
      people.map(({ accountId, email, loginMethod }) => ({
        invitationId: newId(),
        accountId,
        email,
        loginMethod,
        ...terms,
        sentAt: now,
        createdAt: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.constraint('invitation_once').doUpdateSet(({ ref }) => ({
        email: ref('excluded.email'),
        loginMethod: ref('excluded.loginMethod'),
        message: ref('excluded.message'),
        invitedBy: ref('excluded.invitedBy'),
        sentAt: ref('excluded.sentAt'),
        expiresAt: ref('excluded.expiresAt'),
        tokenVersion: sql`invitations.token_version + 1`,
        acceptedAt: null,
        outboxId: null,
      })),
    )
    .returning(['invitationId', 'accountId', 'email', 'tokenVersion'])
    .execute()

/** Notes which mail carries each invitation. */
export const noteMails = (db: Db, mails: readonly { invitationId: string; outboxId: string }[]) =>
  sql`update invitations set outbox_id = mail.outbox_id
    from unnest(
      ${mails.map((mail) => mail.invitationId)}::uuid[], ${mails.map((mail) => mail.outboxId)}::uuid[]
    ) as mail (invitation_id, outbox_id)
    where invitations.invitation_id = mail.invitation_id`.execute(db)

// Whose link works: of somebody who is still to come, to where that person still belongs, by the same method.
const open = (db: Db, now: Date) =>
  db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.accountId', 'i.accountId')
    .leftJoin('organizations as o', 'o.organizationId', 'i.organizationId')
    .select(['i.invitationId', 'i.tokenVersion', 'i.expiresAt', 'i.organizationId', 'o.name as organizationName'])
    .select(['u.accountId', 'u.email', 'u.loginMethod', 'u.firstName', 'u.lastName'])
    .select(['u.ssnSealed', 'u.preferredLanguage'])
    .select(
      sql<boolean>`not u.super_user and not exists (
        select from memberships other
        where other.account_id = u.account_id and other.organization_id <> i.organization_id)`.as('isOnlyHere'),
    )
    .where('i.acceptedAt', 'is', null)
    .where('i.expiresAt', '>', now)
    .where('u.pending', '=', true)
    .whereRef('i.email', '=', 'u.email')
    .whereRef('i.loginMethod', '=', 'u.loginMethod')
    .where(
      sql<boolean>`case when i.organization_id is null then u.super_user
        else exists (select from memberships m
          where m.account_id = u.account_id and m.organization_id = i.organization_id) end`,
    )

/** The invitation, while its link works. */
export const findOpenInvitation = (db: Db, invitationId: string, now: Date) =>
  open(db, now).where('i.invitationId', '=', invitationId).executeTakeFirst()

/** The same, locked together with the person: of several that accept at once, the second one finds it closed. */
export const findOpenInvitationForUpdate = (db: Db, invitationId: string, now: Date) =>
  open(db, now).where('i.invitationId', '=', invitationId).forUpdate(['u', 'i']).executeTakeFirst()

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findOpenInvitation>>>

/** The one of a person whose link works for longest. */
export const findOpenInvitationOf = (db: Db, accountId: string, now: Date) =>
  open(db, now).where('u.accountId', '=', accountId).orderBy('i.expiresAt', 'desc').limit(1).executeTakeFirst()

interface Place {
  email: string
  organizationId: string
}

/** The open invitation of an address to an organisation. */
export const findOpenInvitationTo = (db: Db, { email, organizationId }: Place, now: Date) =>
  open(db, now).where('u.email', '=', email).where('i.organizationId', '=', organizationId).executeTakeFirst()

/** A pending member of the organisation, with the invitation there, if there was one. */
export const findPendingMember = (db: Db, { email, organizationId }: Place) =>
  db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.accountId', 'u.accountId')
    .leftJoin('invitations as i', (join) =>
      join.onRef('i.accountId', '=', 'u.accountId').onRef('i.organizationId', '=', 'm.organizationId'),
    )
    .select(['u.accountId', 'u.email', 'u.loginMethod', 'u.preferredLanguage', 'u.ssnSealed'])
    .select(['i.invitationId', 'i.message', 'i.acceptedAt'])
    .where('u.email', '=', email)
    .where('u.pending', '=', true)
    .where('m.organizationId', '=', organizationId)
    .executeTakeFirst()

/** How the mail of a pending member's invitation is doing. */
export const findDelivery = (db: Db, { email, organizationId }: Place) =>
  db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.accountId', 'i.accountId')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.accountId', '=', 'i.accountId').onRef('m.organizationId', '=', 'i.organizationId'),
    )
    .leftJoin('outboxMessages as mail', 'mail.id', 'i.outboxId')
    .select(['i.sentAt', 'i.expiresAt', 'i.acceptedAt', 'mail.state', 'mail.reason'])
    .where('u.email', '=', email)
    .where('u.pending', '=', true)
    .where('i.organizationId', '=', organizationId)
    .executeTakeFirst()

/** The organisation that people are invited into. */
export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name', 'loginMethod', 'samlConfigId'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
export type InvitingOrganization = NonNullable<Awaited<ReturnType<typeof findOrganization>>>
