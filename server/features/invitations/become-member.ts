import { fallbackLanguage } from '#contract/languages.ts'
import type { Acting } from '#server/accounts/directory-groups.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import {
  type Entry,
  findInviter,
  findPromisedRole,
  insertMembership,
  lockPromisedGroups,
  takeGroups,
  takeSeats,
} from './become-member.repository.ts'
import { deleteInvitation, type OpenInvitation } from './invitations.repository.ts'
import type { SendContext } from './send-invitations.ts'

interface NewMember {
  accountId: string
  email: string
  firstName: string | null
  lastName: string | null
}

/**
 * Turns an invitation into a membership. Services without a free seat are skipped and reported to the inviter by mail;
 * they do not prevent the acceptance.
 *
 * @param context.acting whose doing it is that the person joins groups of a directory; undefined: nobody's
 * @param entry `opened` where the invitation opened the account
 * @returns the values of the audit event
 * @throws DatabaseError of the constraint `memberships_pkey` if the person is already a member
 */
export async function becomeMember(
  { outbox, acting }: Pick<SendContext, 'outbox'> & { acting?: Acting | undefined },
  db: Db,
  person: NewMember,
  invitation: OpenInvitation,
  entry: Entry,
): Promise<Record<string, unknown>> {
  const { invitationId, organizationId, organizationName, invitedBy, guest, validFrom, validUntil } = invitation
  const { accountId } = person
  if (organizationId === null || organizationName === null) {
    await deleteInvitation(db, invitationId)
    return { superUser: true }
  }
  const inviter = invitedBy ? await findInviter(db, { accountId: invitedBy, organizationId }) : undefined
  const { userRole, roleUntil } = await findPromisedRole(db, invitationId)
  const terms = { userRole, entry, guest, validFrom, validUntil, roleUntil }
  await insertMembership(db, { accountId, organizationId, ...terms }, acting)
  await lockPromisedGroups(db, invitationId)
  const { services, withoutSeat } = await takeSeats(db, { accountId, organizationId, invitationId })
  const groups = await takeGroups(db, { accountId, organizationId, invitationId })
  await deleteInvitation(db, invitationId)
  if (inviter && withoutSeat.length > 0)
    await outbox.mail(
      db,
      mailMessage({
        template: 'no-seat-left',
        to: { address: inviter.email, accountId: inviter.accountId },
        language: inviter.preferredLanguage ?? fallbackLanguage,
        values: {
          firstName: inviter.firstName,
          name: [person.firstName, person.lastName].filter(Boolean).join(' ') || person.email,
          organizationName,
          services: withoutSeat,
        },
      }),
    )
  return {
    organization: organizationName,
    userRole,
    services: services.join(', '),
    servicesWithoutSeat: withoutSeat.join(', '),
    ...(groups.length > 0 && { groups: groups.join(', ') }),
  }
}
