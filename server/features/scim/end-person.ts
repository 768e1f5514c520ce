import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { findInvitedPerson, withdrawInvitationById } from '#server/features/invitations/invitations.ts'
import { endMembership } from '#server/features/users/users.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { Work } from './admit-person.ts'
import { readKept } from './kept.repository.ts'
import { findPlace, hasMemberships, isLastAdmin } from './place.repository.ts'
import { reachOf } from './reach.ts'
import { noteState, type ScimUser } from './scim-users.repository.ts'
import { promisesRights } from './token-power.repository.ts'
import { refuseAboveToken, tokenUnconfirmed } from './token-power.ts'

/**
 * Ends what somebody has in the organisation of the directory, at once: membership, role, services and invitation. Who belongs
 * to no other organisation is signed out everywhere. The last admin, too: somebody who has left must not stay in; who runs the
 * portal can appoint another one (decision 0085).
 */
export async function endPerson(work: Work, user: ScimUser): Promise<void> {
  await withdraw(work, user)
  const { db, audit, deeds, now } = work
  const { scimUserId, organizationId, email } = user
  const accountId = user.accountId ?? (await findPlace(db, { organizationId, email }, now))?.account?.accountId
  const person = accountId === undefined ? undefined : await lockUser(db, accountId)
  const reach = person ? reachOf(person, organizationId) : 'none'
  if (reach === 'untouched') deeds.push('untouched')
  if (!person || reach === 'none' || reach === 'untouched') return
  const member = { accountId: person.accountId, organizationId }
  await refuseAboveToken(work, { organizationId, accountIds: [person.accountId] })
  const kept = await readKept(db, member)
  if (await isLastAdmin(db, member)) deeds.push('lastAdmin')
  await endMembership(db, audit, person, organizationId)
  if (!(await hasMemberships(db, member.accountId))) await endAllSessions(db, member.accountId)
  await noteState(db, scimUserId, { accountId: member.accountId, kept: kept ?? null, waits: false })
  deeds.push('ended')
}

/** No matter who invited the person: the directory says that they are not to come in. */
async function withdraw(
  { db, audit, deeds, now, stands }: Work,
  { scimUserId, organizationId, email }: ScimUser,
): Promise<void> {
  const invitation = (await findPlace(db, { organizationId, email }, now))?.invitation
  const invited = invitation && (await findInvitedPerson(db, invitation.invitationId, { lock: true }))
  if (invited) {
    if (!stands && (await promisesRights(db, invited.invitationId))) throw tokenUnconfirmed()
    await withdrawInvitationById(db, invited.invitationId)
    audit({
      name: 'removeUser',
      target: { id: invited.invitationId, label: invited.email },
      before: { organizations: invited.organizations.map(({ name }) => name).join(', ') },
      organizationIds: [organizationId],
    })
    deeds.push('withdrawn')
  }
  await noteState(db, scimUserId, { waits: false })
}
