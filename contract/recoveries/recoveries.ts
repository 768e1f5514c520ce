import * as z from 'zod/mini'
import { id, message, requiredText, timestamp } from '#contract/fields/fields.ts'
import { looksLikeAddress } from '#contract/fields/names.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

/** Hours in which the person can stop it, where nobody confirms. */
export const recoveryHours = 24

/** Days for which the admin who asks and the one who confirms have been admins before the request. */
export const settledDays = 7

export const recoveryForm = z.strictObject({
  // The mail about it is the portal's: an address in it would be the link of the person who typed it.
  reason: requiredText(500).check(z.refine((text) => !looksLikeAddress(text), message('reasonLooksLikeAddress'))),
})
export const recoveryLabels: FieldLabels<z.infer<typeof recoveryForm>> = { reason: 'eventPropertyReason' }

/** An open recovery: at `dueAt` the second factors of the account end. */
export const recovery = z.object({
  reason: z.string(),
  askedAt: timestamp,
  dueAt: timestamp,
  /** Not by the admin who asked; nor where one of the two was no admin some days before. */
  mayConfirm: z.boolean(),
})
export type Recovery = z.infer<typeof recovery>

const ofPerson = { access: 'recoverUser', target: 'loaded', params: z.strictObject({ id }) } as const

/** With an event for each factor. */
const ended = ['recoverAccount', 'deletePasskey', 'removeAuthenticatorApp', 'removeRecoveryCodes'] as const

/** The help for a person who has lost every second factor. It ends in a sign-in of the person, never in one of an admin. */
export const recoveries = {
  read: route('GET /api/users/{id}/recovery', {
    ...ofPerson,
    summary: 'Whether the account has second factors to lose, and the recovery that is open',
    answer: z.object({ canRecover: z.boolean(), recovery: z.nullable(recovery) }),
  }),
  ask: route('POST /api/users/{id}/recovery', {
    ...ofPerson,
    freshProof: true,
    summary: `Takes the second factors off an account, ${recoveryHours} hours from now or once somebody else confirms; mails the person, who can stop it`,
    input: recoveryForm,
    answer: 'nothing',
    audit: 'askForRecovery',
    atomic: false,
  }),
  confirm: route('POST /api/users/{id}/recovery/confirm', {
    ...ofPerson,
    freshProof: true,
    summary: `Lets an open recovery happen now; needs a fresh proof that is more than a password (403 codeRequired); 403 ownRecovery for the admin who asked for it, adminTooNew where one of the two was no admin ${settledDays} days before`,
    answer: 'nothing',
    audit: { one: 'confirmRecovery', andFollowing: ended },
  }),
  stop: route('DELETE /api/users/{id}/recovery', {
    ...ofPerson,
    freshProof: true,
    summary: 'Ends an open recovery; nothing has changed',
    answer: 'nothing',
    audit: 'stopRecovery',
  }),
}

/** What somebody asked for, for the account of the caller. */
export const ownRecovery = {
  read: route('GET /api/profile/recovery', {
    access: 'signedIn',
    summary: 'The recovery that an admin has asked for the account of the caller',
    answer: z.object({ recovery: z.nullable(z.omit(recovery, { mayConfirm: true })) }),
  }),
  confirm: route('POST /api/profile/recovery/confirm', {
    access: 'signedIn',
    freshProof: true,
    summary: 'Lets it happen now, by the strongest proof of the account, such as BankID; every session ends',
    answer: 'nothing',
    audit: { one: 'confirmRecovery', andFollowing: ended },
  }),
  stop: route('DELETE /api/profile/recovery', {
    access: 'signedIn',
    freshProof: true,
    summary: 'Ends an open recovery; nothing has changed',
    answer: 'nothing',
    audit: 'stopRecovery',
  }),
}
