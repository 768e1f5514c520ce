import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import type { DemoLoad } from './demo-load.ts'
import { type DemoPerson, emailOf } from './demo-people.ts'

const days = 7

interface DemoInvitation {
  person: DemoPerson
  mailDomain: string
  organizationId: string | undefined
  serviceIds: ReadonlyMap<string, string>
}

/** Adds an open invitation without sending a mail. */
export async function addInvitation({ db, now }: DemoLoad, invitation: DemoInvitation): Promise<void> {
  const { person, mailDomain, serviceIds } = invitation
  const { firstName, lastName, services = [] } = person
  const invitationId = newId()
  const organizationId = found(invitation.organizationId)
  await db
    .insertInto('invitations')
    .values({
      invitationId,
      organizationId,
      email: emailOf(person, mailDomain),
      firstName,
      lastName,
      sentAt: now,
      expiresAt: new Date(now.getTime() + days * 24 * 60 * 60 * 1000),
    })
    .execute()
  for (const name of services) {
    const serviceId = found(serviceIds.get(name))
    await db.insertInto('invitationServices').values({ invitationId, organizationId, serviceId }).execute()
  }
}
