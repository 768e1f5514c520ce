import * as z from 'zod/mini'
import { email, id, optionalText, text, timestamp } from '#contract/fields/fields.ts'
import { loginMethod, organizationRole } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { acceptForm, token } from './accept-form.ts'
import { mailLanguage } from './mail-language.ts'

/** The lifetime of an invitation in days (product-rules 6). */
export const invitationDays = 7

/** The maximum length of an inviter's message. */
export const maxInvitationMessage = 1000

/** The form of the invite dialog. */
export const inviteForm = z.strictObject({
  email,
  message: z._default(z.optional(optionalText(maxInvitationMessage)), null),
  organizationId: id,
  /** Begins with the membership. */
  userRole: z._default(z.optional(organizationRole), 'regular'),
  /** In an organisation with organisation sign-in: takes somebody who has an account with their own sign-in. */
  guest: z._default(z.optional(z.boolean()), false),
  language: mailLanguage,
})
export type InviteForm = z.infer<typeof inviteForm>

/** What an organisation asks of somebody who joins with an existing account (product-rules 11.4). */
const floor = {
  /** The sign-in method that is asked for when entering, beyond the account's own; null for none. */
  asksFor: z.nullable(loginMethod),
  /** False where this account cannot meet that: no personal number for BankID, or no sign-in through the organisation. */
  canMeet: z.boolean(),
}

/** The details of an invitation link before it is accepted. */
export const invitation = z.object({
  loginMethod,
  email: z.string(),
  /** Null for the first super user, who is invited to the portal itself. */
  organizationName: z.nullable(z.string()),
  /** As typed by the inviter, if given. */
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  /**
   * `signIn`: the address has an account whose owner must sign in to accept. Only the mailed link reveals this; the link
   * shown to an inviter always gives `new`.
   */
  account: z.enum(['new', 'signIn']),
  /** Only told to the owner of the account, signed in. */
  floor: z.nullable(z.object(floor)),
})
export type Invitation = z.infer<typeof invitation>

/** The delivery state of an invitation, for its inviter. */
export const invitationDelivery = z.object({
  /** Null after acceptance, like `expiresAt`. */
  sentAt: z.nullable(timestamp),
  expiresAt: z.nullable(timestamp),
  /** Accepted, but not yet confirmed by the first sign-in with BankID or SAML. */
  accepted: z.boolean(),
  /** The state of the mail with the current link; `dropped` if it expired before sending, null if no longer known. */
  delivery: z.nullable(z.enum(['queued', 'sent', 'failed', 'dropped'])),
  /** The mail server's error; also set while the delivery is being retried. */
  reason: z.nullable(z.string()),
})
export type InvitationDelivery = z.infer<typeof invitationDelivery>

/** An open invitation to the user's own address, for the launcher. */
export const ownInvitation = z.object({
  invitationId: id,
  organizationName: z.string(),
  /** Name or address; null for the operator, and when the inviter's account was deleted. */
  inviterName: z.nullable(z.string()),
  message: z.nullable(z.string()),
  expiresAt: timestamp,
  ...floor,
})
export type OwnInvitation = z.infer<typeof ownInvitation>

const invitee = z.strictObject({ email, organizationId: id })
const own = z.strictObject({ id })

export const invitations = {
  invite: route('POST /api/invites', {
    summary: 'Invites an address into an organisation: a member once its owner accepts, with an account or without',
    access: 'invitePeople',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    freshProof: 'loaded',
    input: inviteForm,
    // The response is the same whether or not the address has an account.
    answer: z.object({ email: z.string(), organizationId: id }),
    status: 201,
    audit: 'inviteUser',
    atomic: false,
  }),
  resend: route('POST /api/invites/resend-invite', {
    summary: 'Sends a pending person a new invitation; the old link stops working',
    freshProof: 'not needed: an account that it ends has never been signed in to',
    access: 'resendInvitations',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: invitee,
    answer: 'nothing',
    audit: 'inviteUser',
    atomic: false,
  }),
  link: route('GET /api/invites/{email}/user/{organizationId}/organization', {
    summary: 'The link of an open invitation, to hand over; it opens a new account of this organisation alone',
    access: 'invitePeople',
    freshProof: true,
    params: invitee,
    target: ({ params }) => ({ organizationId: params.organizationId }),
    answer: z.object({ url: z.string() }),
    audit: 'readInviteLink',
  }),
  delivery: route('GET /api/invites/{email}/user/{organizationId}/delivery', {
    summary: "Whether a pending person's invitation has left: queued, sent, or failed with the reason",
    access: 'readPeople',
    params: invitee,
    target: ({ params }) => ({ organizationId: params.organizationId }),
    answer: invitationDelivery,
  }),
  find: route('GET /api/invites', {
    summary: 'What an invitation link is for; opening it uses nothing up',
    access: 'public',
    query: z.strictObject({ token }),
    answer: invitation,
    limit: 'tokenLookup',
    limitCounts: 'failures',
  }),
  accept: route('POST /api/invites/accept', {
    summary: 'Accepts an invitation by its link; 409 signInToAccept where the owner of an account has to sign in',
    access: 'public',
    freshProof: 'not needed: the link is the proof, and no account of somebody else changes',
    input: acceptForm,
    answer: 'nothing',
    // An account whose address was never proven ends, and its memberships become invitations again.
    audit: { one: 'acceptInvite', andFollowing: ['deleteUser', 'inviteUser'] },
    atomic: false,
  }),
  mine: route('GET /api/invites/mine', {
    summary: "Open invitations to the caller's address, where it is proven and no organisation decides who signs in",
    access: 'signedIn',
    answer: z.array(ownInvitation),
  }),
  join: route('POST /api/invites/{id}/join', {
    summary:
      "Accepts an invitation to the caller's address, whose admins may change the account from then on; needs a fresh proof of an account with a password",
    access: 'signedIn',
    freshProof: 'loaded',
    params: own,
    answer: 'nothing',
    audit: 'joinOrganization',
  }),
  joinByLink: route('POST /api/invites/join', {
    summary:
      "Accepts an invitation to the caller's address with the token of the mailed link; needs a fresh proof as the other call",
    access: 'signedIn',
    freshProof: 'loaded',
    input: z.strictObject({ token }),
    answer: 'nothing',
    audit: 'joinOrganization',
    atomic: false,
  }),
  declineByLink: route('POST /api/invites/decline', {
    summary: "Declines an invitation to the caller's address with the token of the mailed link",
    access: 'signedIn',
    freshProof: 'not needed: nobody gets anything',
    input: z.strictObject({ token }),
    answer: 'nothing',
    audit: 'declineInvite',
    atomic: false,
  }),
  decline: route('POST /api/invites/{id}/decline', {
    summary: "Declines an invitation to the caller's address",
    access: 'signedIn',
    freshProof: 'not needed: nobody gets anything',
    params: own,
    answer: 'nothing',
    audit: 'declineInvite',
  }),
}

/** The page behind the link. */
export const invitationPages = {
  accept: route('GET /accept-invitation/{token}', {
    summary: 'The page to accept an invitation on',
    access: 'public',
    params: z.strictObject({ token: text(1000) }),
    // Allow the query parameters that mail programs add to links.
    query: z.object({}),
    answer: 'html',
  }),
  acceptWithoutToken: route('GET /accept-invitation', {
    summary: 'The same page for a link that lost its token; it says so',
    access: 'public',
    query: z.object({}),
    answer: 'html',
  }),
}
