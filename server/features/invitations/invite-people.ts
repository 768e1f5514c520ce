import type { Language } from '#contract/roles.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Invitee, insertInvitations } from './invitations.repository.ts'
import { findMembersAmong } from './pending-members.repository.ts'
import { expiryOf, type Invitation, type SendContext, sendInvitations } from './send-invitations.ts'

/** A person to invite, with the names of the services. */
export interface NewInvitee extends Invitee {
  services: readonly (Omit<Invitee['services'][number], 'roles'> & {
    name: string
    roles?: readonly { roleId: string; key: string }[]
  })[]
  groups?: readonly { groupId: string; name: string }[]
}

interface Invited extends Invitation {
  organization: NonNullable<Invitation['organization']>
  guest?: boolean
  /** The language that the inviter chose for the mails. */
  chosen?: Language | null
}

/**
 * Invites these people, with or without an account: a row, a mail and an audit event for each. When two admins invite the
 * same address concurrently, the second finds it already invited.
 *
 * @returns the addresses that were neither members nor invited before
 */
export async function invitePeople(
  post: SendContext,
  db: Db,
  audit: (entry: AuditEntry) => void,
  people: readonly NewInvitee[],
  invitation: Invited,
): Promise<Set<string>> {
  const { organization, inviter, message, guest = false, chosen = null, now } = invitation
  const { organizationId } = organization
  const emails = people.map(({ email }) => email)
  const members = await findMembersAmong(db, organizationId, emails)
  // Sorted, so that two imports with the same people cannot deadlock.
  const wanted = people.filter(({ email }) => !members.has(email)).sort((a, b) => (a.email < b.email ? -1 : 1))
  const added = await insertInvitations(db, wanted, {
    organizationId,
    message,
    guest,
    language: chosen,
    invitedBy: inviter?.accountId ?? null,
    promisedBy: inviter?.accountId ?? null,
    now,
    expiresAt: expiryOf(now),
  })
  await sendInvitations(post, db, added, invitation)
  const byEmail = new Map(wanted.map((person) => [person.email, person]))
  for (const { invitationId, email } of added)
    audit({
      name: 'inviteUser',
      target: { id: invitationId, label: email },
      organizationIds: [organizationId],
      after: {
        organization: organization.name,
        userRole: byEmail.get(email)?.userRole,
        validFrom: byEmail.get(email)?.validFrom,
        validUntil: byEmail.get(email)?.validUntil,
        services: byEmail
          .get(email)
          ?.services.map(({ name, roles = [] }) =>
            roles.length > 0 ? `${name} [${roles.map(({ key }) => key).join(', ')}]` : name,
          )
          .join(', '),
        ...(byEmail.get(email)?.groups?.length && {
          groups: byEmail
            .get(email)
            ?.groups?.map(({ name }) => name)
            .join(', '),
        }),
        message,
        ...(guest && { guest }),
        ...(chosen && { language: chosen }),
      },
    })
  return new Set(added.map(({ email }) => email))
}
