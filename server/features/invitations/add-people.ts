import type { OrganizationRole } from '#contract/roles.ts'
import { mailMessage } from '#server/features/email-templates/email-templates.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { insertAssignments, insertMemberships, insertPendingUsers, lockUsersByEmail } from './add-people.repository.ts'
import type { InvitingOrganization } from './invitations.repository.ts'
import { type Invitation, type Post, sendInvitations } from './send-invitations.ts'

/** Somebody who is to belong to an organisation. */
export interface NewMember {
  /** Canonical. */
  email: string
  firstName: string | null
  lastName: string | null
  userRole: OrganizationRole
  services: readonly { serviceId: string; name: string }[]
}

/** `invited`: pending until the invitation is accepted; `added`: had an account; `alreadyMember`: nothing was done. */
export type Joined = 'invited' | 'added' | 'alreadyMember'

interface Addition extends Omit<Invitation, 'organization' | 'inviter'> {
  organization: InvitingOrganization
  inviter: { accountId: string; name: string }
}

/**
 * Makes these people members: who has no account gets a pending one and an invitation, who has one is told by mail.
 * One event for each who was not a member. Whoever adds the same address at the same moment waits for the other.
 *
 * @returns what became of each address
 */
export async function addPeople(
  post: Post,
  db: Db,
  audit: (entry: AuditEntry) => void,
  people: readonly NewMember[],
  addition: Addition,
): Promise<Map<string, Joined>> {
  const { organization, inviter, message, language } = addition
  const { organizationId } = organization
  if (people.length === 0) return new Map()
  // In one order, so that two imports with the same people do not wait for each other in a circle.
  const wanted = [...people].sort((a, b) => (a.email < b.email ? -1 : 1))
  await insertPendingUsers(db, wanted, organization)
  const users = await lockUsersByEmail(
    db,
    wanted.map((person) => person.email),
  )
  const accounts = new Map(users.map((user) => [user.email, user]))
  const members = wanted.flatMap((person) => {
    const account = accounts.get(person.email)
    return account ? [{ ...account, userRole: person.userRole, services: person.services }] : []
  })
  const joined = new Set(await insertMemberships(db, organizationId, members))
  const fresh = members.filter(({ accountId }) => joined.has(accountId))
  await insertAssignments(db, organizationId, fresh)

  const invited = fresh.filter(({ pending }) => pending)
  await sendInvitations(post, db, invited, addition)
  for (const { accountId, email, firstName, preferredLanguage } of fresh.filter(({ pending }) => !pending))
    await post.outbox.mail(
      db,
      mailMessage({
        template: 'membership-added',
        to: { address: email, accountId },
        language: preferredLanguage ?? language,
        values: { firstName, organizationName: organization.name, inviterName: inviter.name, message },
      }),
    )
  for (const { accountId, email, userRole, services } of fresh)
    audit({
      name: 'inviteUser',
      target: { id: accountId, label: email },
      organizationIds: [organizationId],
      after: {
        organization: organization.name,
        userRole,
        services: services.map((service) => service.name).join(', '),
        message,
      },
    })
  return new Map(
    members.map(({ email, accountId, pending }) => [
      email,
      joined.has(accountId) ? (pending ? 'invited' : 'added') : 'alreadyMember',
    ]),
  )
}
