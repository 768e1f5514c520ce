import * as z from 'zod/mini'
import { email, id, message, moment, optionalText, requiredText } from './fields.ts'
import { newPassword } from './password.ts'
import { loginMethod } from './roles.ts'
import { route } from './route.ts'
import { optionalSsn } from './ssn.ts'
import { isLocal } from './user-forms.ts'

/** Days; product.md, section 6. */
export const invitationDays = 7

/** Characters of what an inviter may write to the invited. */
export const maxInvitationMessage = 1000

/** The form of the invite dialog. */
export const inviteForm = z.strictObject({
  email,
  message: z._default(z.optional(optionalText(maxInvitationMessage)), null),
  organizationId: id,
})
export type InviteForm = z.infer<typeof inviteForm>

/** What an invitation's link says before it is accepted. */
export const invitation = z.object({
  loginMethod,
  email: z.string(),
  /** Null for the first super user, who is invited to the portal itself. */
  organizationName: z.nullable(z.string()),
  /** What whoever invited knew already. */
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
})
export type Invitation = z.infer<typeof invitation>

const token = z
  .string(message('required'))
  .check(z.minLength(1, message('required')), z.maxLength(500, message('tooLong')))

/** What somebody fills in who accepts: a password for the local methods, the personal number for the others. */
export const acceptForm = z
  .strictObject({
    email,
    token,
    firstName: requiredText(100),
    lastName: requiredText(100),
    loginMethod,
    ssn: z._default(z.optional(optionalSsn), null),
    password: z.optional(newPassword),
    confirmNewPassword: z.optional(z.string()),
  })
  .check(
    z.refine((form) => !isLocal(form.loginMethod) || form.password !== undefined, {
      error: message('required'),
      path: ['password'],
    }),
    z.refine((form) => isLocal(form.loginMethod) || form.password === undefined, {
      error: message('passwordNotForMethod'),
      path: ['password'],
    }),
    z.refine((form) => form.loginMethod !== 'bankid' || form.ssn !== null, {
      error: message('requiredWithBankId'),
      path: ['ssn'],
    }),
    z.refine((form) => form.loginMethod !== 'saml' || form.ssn !== null, {
      error: message('required'),
      path: ['ssn'],
    }),
    z.refine((form) => form.password === form.confirmNewPassword, {
      error: message('passwordsDoNotMatch'),
      path: ['confirmNewPassword'],
    }),
  )
export type AcceptForm = z.infer<typeof acceptForm>

/** How far an invitation has come, for whoever sent it. */
export const invitationDelivery = z.object({
  sentAt: moment,
  expiresAt: moment,
  /** Accepted, but the first sign-in with BankID or the company's own has yet to come. */
  accepted: z.boolean(),
  /** Of the mail with the present link; `dropped` when it was too late to be of use, null when it is not known any more. */
  delivery: z.nullable(z.enum(['queued', 'sent', 'failed', 'dropped'])),
  /** Why the mail has not left, as the mail server put it; also of a try that will be repeated. */
  reason: z.nullable(z.string()),
})
export type InvitationDelivery = z.infer<typeof invitationDelivery>

const invitee = z.strictObject({ email, organizationId: id })

export const invitations = {
  invite: route('POST /api/invites', {
    summary:
      'Invites somebody into an organisation; whoever has an account becomes a member at once and is told by mail',
    access: 'administerOrganization',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: inviteForm,
    // The same whether or not there was an account.
    answer: z.object({ email: z.string(), organizationId: id }),
    status: 201,
    audit: 'inviteUser',
    atomic: false,
  }),
  resend: route('POST /api/invites/resend-invite', {
    summary: 'Sends a pending person a new invitation; the old link stops working',
    access: 'administerOrganization',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: invitee,
    answer: 'nothing',
    audit: 'inviteUser',
    atomic: false,
  }),
  link: route('GET /api/invites/{email}/user/{organizationId}/organization', {
    summary: 'The invitation link of a person who never had an account and belongs to no other organisation',
    access: 'administerOrganization',
    params: invitee,
    target: ({ params }) => ({ organizationId: params.organizationId }),
    answer: z.object({ url: z.string() }),
  }),
  delivery: route('GET /api/invites/{email}/user/{organizationId}/delivery', {
    summary: "Whether a pending person's invitation has left: queued, sent, or failed with the reason",
    access: 'administerOrganization',
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
  }),
  accept: route('POST /api/invites/accept', {
    summary: 'Accepts an invitation, once',
    access: 'public',
    input: acceptForm,
    answer: 'nothing',
    audit: 'acceptInvite',
    atomic: false,
  }),
}

/** The page behind the link. */
export const invitationPages = {
  accept: route('GET /accept-invitation/{token}', {
    summary: 'The page to accept an invitation on',
    access: 'public',
    params: z.strictObject({ token: z.string() }),
    // Mail programs add parameters of their own to links.
    query: z.object({}),
    answer: 'html',
  }),
}
