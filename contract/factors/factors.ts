import * as z from 'zod/mini'
import { text, timestamp } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { ownNumbers, secondFactorKind } from '#contract/second-factors.ts'
import { code } from '#contract/sign-in/second-factor.ts'
import { signInRules } from './rules.ts'

/** The person's own second factors, and what the own organisations ask for. */
export const ownFactors = z.object({
  /** What sign-in asks for first; null: a code by mail where the sign-in method asks for one. */
  usual: z.nullable(secondFactorKind),
  /** Those that the person has. */
  kinds: z.array(secondFactorKind),
  /** Codes by mail: whether the person has switched them off, or may, and whether the mailbox proves both steps. */
  mail: z.object({ off: z.boolean(), mayBeOff: z.boolean(), isAll: z.boolean() }),
  app: z.nullable(z.object({ createdAt: timestamp, lastUsedAt: z.nullable(timestamp) })),
  /** The last set of codes, and how many of them are left. */
  recoveryCodes: z.nullable(z.object({ left: z.int(), createdAt: timestamp })),
  /** The own numbers that count for no second step, until the person sends them once more with a proof that is more than a password. */
  unconfirmed: z.array(z.enum(ownNumbers)),
  /** Of each organisation that has some. */
  rules: z.array(z.extend(signInRules, { name: z.string(), isAdmin: z.boolean() })),
})
export type OwnFactors = z.infer<typeof ownFactors>

export const appCode = z.strictObject({ code })
export const appCodeLabels: FieldLabels<z.infer<typeof appCode>> = { code: 'code' }

export const factors = {
  read: route('GET /api/profile/factors', {
    summary: "The caller's second factors, and what the caller's organisations ask for",
    access: 'signedIn',
    beforeEnrolment: true,
    answer: ownFactors,
  }),
  chooseUsual: route('PUT /api/profile/factors/usual', {
    summary:
      'Chooses the second factor that sign-in asks for first; null: none beyond what the sign-in method of the account asks for',
    access: 'signedIn',
    beforeEnrolment: true,
    freshProof: true,
    input: z.strictObject({ usual: z.nullable(secondFactorKind) }),
    answer: 'nothing',
    audit: { atMost: ['chooseSecondFactor'] },
  }),
  chooseMail: route('PUT /api/profile/factors/mail', {
    summary:
      'Switches codes by mail off for who has two strong factors (app, passkey or security key, BankID), or on again, and mails the person; 409 twoStrongNeeded',
    access: 'signedIn',
    freshProof: true,
    input: z.strictObject({ on: z.boolean() }),
    answer: 'nothing',
    audit: { atMost: ['chooseSecondFactor'] },
  }),
  beginApp: route('POST /api/profile/app', {
    summary:
      'A secret for an authenticator app; it counts once a code of the app has confirmed it, within 15 minutes, in place of an earlier app',
    access: 'signedIn',
    beforeEnrolment: true,
    freshProof: true,
    input: z.strictObject({}),
    answer: z.object({
      /** For people who type it: base 32. */
      secret: z.string(),
      /** For the QR code: `otpauth://totp/…`. */
      uri: z.string(),
      /** To be sent with the code; of use to this session alone. */
      setup: z.string(),
    }),
    audit: 'none',
  }),
  confirmApp: route('POST /api/profile/app/confirm', {
    summary:
      'Adds the authenticator app whose code this is, in place of an earlier one, and mails the person; the code counts as used',
    access: 'signedIn',
    beforeEnrolment: true,
    freshProof: true,
    input: z.extend(appCode, { setup: text(1000) }),
    answer: 'nothing',
    audit: { one: 'addAuthenticatorApp', andFollowing: 'removeAuthenticatorApp' },
    atomic: false,
  }),
  removeApp: route('DELETE /api/profile/app', {
    summary: 'Removes the authenticator app, and mails the person',
    access: 'signedIn',
    freshProof: true,
    answer: 'nothing',
    audit: 'removeAuthenticatorApp',
  }),
  createRecoveryCodes: route('POST /api/profile/recovery-codes', {
    summary: 'Ten new recovery codes, which are shown this once; the earlier ones end',
    access: 'signedIn',
    freshProof: true,
    input: z.strictObject({}),
    answer: z.object({ codes: z.array(z.string()) }),
    status: 201,
    audit: 'createRecoveryCodes',
  }),
}
