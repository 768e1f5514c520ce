import * as z from 'zod/mini'
import { message } from '#contract/fields/fields.ts'

/** Bytes as WebAuthn's JSON has them: base64url without padding. */
const bytes = (max: number) => z.string(message('invalidText')).check(z.maxLength(max), z.regex(/^[A-Za-z0-9_-]*$/))

/** The id of a credential: up to 1,023 bytes. */
const credentialId = bytes(1364).check(z.minLength(1))

const attachment = z.optional(z.nullable(z.enum(['platform', 'cross-platform'])))

// Browsers add fields of later versions of the standard: what is not named here is left out.
/** What `PublicKeyCredential.toJSON()` says of a new key (WebAuthn 3, RegistrationResponseJSON). */
export const newCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: z.object({ credProps: z.optional(z.object({ rk: z.optional(z.boolean()) })) }),
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(16_000),
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10))),
  }),
})
export type NewCredential = z.infer<typeof newCredential>

/** What it says of a use of a key (AuthenticationResponseJSON). */
export const usedCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: z.optional(z.nullable(bytes(128))),
  }),
})
export type UsedCredential = z.infer<typeof usedCredential>
