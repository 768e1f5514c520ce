import { fallbackLanguage } from '#contract/languages.ts'
import { insertInvitations } from '#server/features/invitations/invitations.repository.ts'
import { expiryOf, sendInvitations } from '#server/features/invitations/send-invitations.ts'
import { found } from '#server/platform/problem.ts'
import type { DemoAccount } from './add-demo-people.ts'
import type { DemoOrganization } from './demo-data.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'
import { type DemoPerson, emailOf } from './demo-people.ts'

/** An invitation of the demo, for the audit log. */
export interface DemoInvitation {
  invitationId: string
  email: string
  organization: DemoOrganization
  organizationId: string
  inviter: DemoAccount
  person: DemoPerson
  sentAt: Date
}

interface Inviting {
  organization: DemoOrganization
  organizationId: string
  inviter: DemoAccount
  serviceIds: ReadonlyMap<string, string>
}

// One has waited for so long that the link is dead.
const sentDaysAgo = [1, 3, 9, 5]

/** Invites and mails everyone of an organisation who has no account yet. */
export async function addInvitations(load: DemoLoad, inviting: Inviting): Promise<DemoInvitation[]> {
  const { organization, organizationId, inviter, serviceIds } = inviting
  const { name, mailDomain, people } = organization
  const { system, db, now } = load
  const sent: DemoInvitation[] = []
  for (const [index, person] of people.filter(({ invited }) => invited).entries()) {
    const sentAt = new Date(now.getTime() - (sentDaysAgo[index % sentDaysAgo.length] ?? 0) * dayMs)
    const { firstName, lastName, services = [] } = person
    const email = emailOf(person, mailDomain)
    const [invitation] = await insertInvitations(
      db,
      [
        {
          email,
          firstName,
          lastName,
          userRole: 'regular',
          services: services.map((service) => ({
            serviceId: found(serviceIds.get(service)),
            userRole: 'regular' as const,
          })),
        },
      ],
      {
        ...{ organizationId, message: null, now: sentAt, expiresAt: expiryOf(sentAt) },
        ...{ invitedBy: inviter.accountId, promisedBy: inviter.accountId },
      },
    )
    await sendInvitations(system, db, [found(invitation)], {
      organization: { organizationId, name },
      inviter: { accountId: inviter.accountId, name: `${inviter.person.firstName} ${inviter.person.lastName}` },
      message: null,
      language: fallbackLanguage,
      now: sentAt,
    })
    if (person.undeliverable) await settleMailTo(load, email, { state: 'failed', reason: 'SMTP RCPT TO 550' })
    // Its mail left long ago, with a link that is dead by now.
    else if (expiryOf(sentAt) < now) await settleMailTo(load, email, { state: 'sent', reason: null })
    sent.push({
      invitationId: found(invitation).invitationId,
      email,
      organization,
      organizationId,
      inviter,
      person,
      sentAt,
    })
  }
  return sent
}

/** The outbox does not send such a message. The reason is the answer of a mail server for a mailbox that does not exist. */
const settleMailTo = ({ db, now }: DemoLoad, email: string, how: { state: 'failed' | 'sent'; reason: string | null }) =>
  db
    .updateTable('outboxMessages')
    .set({ ...how, attempts: 1, finishedAt: now })
    .where('recipient', '=', email)
    .execute()
