import * as z from 'zod/mini'
import { id, timestamp } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { newCredential, usedCredential } from './credentials.ts'

/** How many keys an account may have at a time. */
export const maxPasskeys = 10

/** A *passkey* verifies its user and signs in alone; a *security key* helps only after the password (decision 0067). */
export const passkeyKind = z.enum(['passkey', 'securityKey'])
export type PasskeyKind = z.infer<typeof passkeyKind>

const name = requiredName(60)
export const passkeyForm = z.strictObject({ name })
export const passkeyLabels: FieldLabels<z.infer<typeof passkeyForm>> = { name: 'passkeyName' }

/** One of the person's own keys. */
export const passkey = z.object({
  id,
  name: z.string(),
  kind: passkeyKind,
  /** Copied to the person's other devices by the maker of the system. */
  backedUp: z.boolean(),
  createdAt: timestamp,
  /** Brand and system, such as `Chrome, Windows`; may be empty. */
  createdBrowser: z.string(),
  lastUsedAt: z.nullable(timestamp),
  lastUsedBrowser: z.nullable(z.string()),
})
export type Passkey = z.infer<typeof passkey>

export const ownPasskeys = z.object({
  passkeys: z.array(passkey),
  /** Whether this account may have any: not one that signs in at a company, or with BankID where that is demanded. */
  allowed: z.boolean(),
  /** Whether to offer one now: the account may have one, has none, and the person did not say "not now" lately. */
  offer: z.boolean(),
  /** Whether the browser may make one by itself: the session is strong and young enough, and was not asked before. */
  makeOnTheWay: z.boolean(),
  /** For the browser, which tells the authenticators what is still true; null without any key so far. */
  signal: z.nullable(
    z.object({
      rpId: z.string(),
      userId: z.string(),
      name: z.string(),
      displayName: z.string(),
      allAcceptedCredentialIds: z.array(z.string()),
    }),
  ),
})
export type OwnPasskeys = z.infer<typeof ownPasskeys>

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn 3, as far as the portal uses it. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.enum(['required', 'discouraged']),
    requireResidentKey: z.boolean(),
    userVerification: z.enum(['required', 'preferred', 'discouraged']),
  }),
  attestation: z.literal('none'),
  extensions: z.object({ credProps: z.literal(true) }),
})
export type CreationOptions = z.infer<typeof creationOptions>

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn 3, as far as the portal uses it. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(descriptor),
  userVerification: z.enum(['required', 'discouraged']),
})
export type RequestOptions = z.infer<typeof requestOptions>

const one = z.strictObject({ id })

/** The person's own passkeys and security keys. */
export const passkeys = {
  list: route('GET /api/profile/passkeys', {
    summary: "The caller's passkeys and security keys, oldest first",
    access: 'signedIn',
    beforeEnrolment: true,
    answer: ownPasskeys,
  }),
  begin: route('POST /api/profile/passkeys/challenge', {
    summary: 'What the browser needs to make a new key; the challenge is good once, for 5 minutes, in this session',
    access: 'signedIn',
    beforeEnrolment: true,
    freshProof: true,
    input: z.strictObject({
      kind: passkeyKind,
      /** The browser makes a passkey by itself (conditional create): the server remembers that it asked. */
      onTheWay: z.optional(z.literal(true)),
    }),
    answer: creationOptions,
    audit: 'none',
  }),
  create: route('POST /api/profile/passkeys', {
    summary: 'Keeps a new key, and mails the person; needs a proof by the strongest method of the last 10 minutes',
    access: 'signedIn',
    beforeEnrolment: true,
    freshProof: true,
    input: z.strictObject({ name: z.optional(name), credential: newCredential }),
    answer: passkey,
    status: 201,
    audit: 'createPasskey',
    atomic: false,
  }),
  rename: route('PUT /api/profile/passkeys/{id}', {
    summary: 'Renames a key',
    access: 'signedIn',
    freshProof: 'not needed: a name proves nothing',
    params: one,
    input: passkeyForm,
    answer: passkey,
    // The same name again is no change.
    audit: { atMost: ['updatePasskey'] },
  }),
  remove: route('DELETE /api/profile/passkeys/{id}', {
    summary: 'Removes a key, and mails the person; the last way to sign in stays (409 `lastWayIn`)',
    access: 'signedIn',
    freshProof: true,
    params: one,
    answer: 'nothing',
    audit: 'deletePasskey',
  }),
  notNow: route('POST /api/profile/passkeys/not-now', {
    summary: 'Does not offer a passkey for 30 days',
    access: 'signedIn',
    freshProof: 'not needed: nothing else changes',
    beforeEnrolment: true,
    input: z.strictObject({}),
    answer: 'nothing',
    audit: 'none',
  }),
  beginProof: route('POST /api/step-up/passkey', {
    summary: "What the browser needs to prove one of the caller's keys; the challenge is good once, in this session",
    access: 'signedIn',
    freshProof: 'not needed: this is how one is given',
    beforePasswordChange: true,
    beforeEnrolment: true,
    input: z.strictObject({}),
    answer: requestOptions,
    audit: 'none',
  }),
  prove: route('POST /api/step-up/passkey/verify', {
    summary: 'Takes the proof by a key; a right one raises this session, which gets a new id',
    access: 'signedIn',
    freshProof: 'not needed: this is how one is given',
    beforePasswordChange: true,
    beforeEnrolment: true,
    input: z.strictObject({ credential: usedCredential }),
    answer: 'nothing',
    audit: { atMost: ['strengthenSession', 'loginFailure', 'stopPasskey'] },
    atomic: false,
  }),
}
