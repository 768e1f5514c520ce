// The public interface of this room: what other rooms may read and change of invitations.
import type { OwnInvitation } from '#contract/invitations/invitations.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { becomeMember } from './become-member.ts'
import { floorFor } from './floor.ts'
import { freeAddress as free } from './free-address.ts'
import * as back from './give-address-back.ts'
import { mailedLink } from './invitation-tokens.ts'
import { deleteInvitation, findLatestInvitation, findOpenInvitationTo as findOpen } from './invitations.repository.ts'
import { mailLimits } from './invite.ts'
import { invitePeople as invite } from './invite-people.ts'
import * as people from './invited-people.repository.ts'
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
export const withdrawInvitationsTo = people.withdrawInvitationsTo

/** Withdraws the invitation of an address to an organisation, if there is one. */
export const withdrawInvitation = people.withdrawInvitation

/** Withdraws one invitation. */
export const withdrawInvitationById = (db: Db, invitationId: string) => deleteInvitation(db, invitationId)

/** An invited person who has not answered yet, as the inviter described them. */
export type InvitedPerson = people.InvitedPerson
export const findInvitedPerson = people.findInvitedPerson

/** Changes the role and services of an invitation. The caller must have locked its row. */
export const updateInvitationTerms = people.updateInvitationTerms

/** Ends an account whose address its user never proved, for the owner of the mailbox. */
export const giveAddressBack = back.giveAddressBack

/** Ends the account at an address where it makes way for whom an organisation's own sign-in or directory names. */
export const freeAddress: typeof free = (...of) => free(...of)

/** Sends one pending person a new invitation; see `invitations.resend`. */
export const resendInvitationTo: typeof resendInvitation = (context) => resendInvitation(context)

/** Invites people, with or without an account, with a mail and an event for each. */
export const invitePeople: typeof invite = (...of) => invite(...of)

/** The limits for invitation mails of an organisation to an address. */
export const invitationLimits: typeof mailLimits = (of) => mailLimits(of)

/** The open invitation of an address to an organisation. */
export const findOpenInvitationTo: typeof findOpen = (...of) => findOpen(...of)

/** Turns an invitation into the membership of an account that was just opened for it. @returns the values of the audit event */
export const becomeMemberBy = (
  post: Parameters<typeof becomeMember>[0],
  db: Db,
  person: Parameters<typeof becomeMember>[2],
  invitation: Parameters<typeof becomeMember>[3],
) => becomeMember(post, db, person, invitation, 'opened')
