import * as z from 'zod/mini'
import { limited, message } from '#contract/fields/fields.ts'

/** Base64 in either alphabet as base64url without padding. */
export function unpadded(text: string): string {
  const end = text.endsWith('==') ? -2 : text.endsWith('=') ? -1 : undefined
  return text.slice(0, end).replaceAll('+', '-').replaceAll('/', '_')
}

/** Bytes as WebAuthn's JSON has them: base64url without padding. Some password managers write base64. */
const bytes = (max: number) =>
  z.string(message('invalidText')).check(limited(max), z.overwrite(unpadded), z.regex(/^[A-Za-z0-9_-]*$/))

/** The id of a credential: up to 1,023 bytes. */
const credentialId = bytes(1364).check(z.minLength(1))

/** Where a hint says something that nobody knows, the rest counts all the same: it refuses no key. */
const hint = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

const credential = {
  id: credentialId,
  /** The same once more. */
  rawId: z.optional(z.nullable(credentialId)),
  type: z.optional(z.nullable(z.literal('public-key'))),
}
const hasOneId = z.refine<{ id: string; rawId?: string | null | undefined }>(({ id, rawId }) => !rawId || rawId === id)

const transport = z.catch(z.string().check(limited(20), z.regex(/^[a-z-]+$/)), '')

// What is not named here is left out: browsers add members of later versions of the standard, and nobody needs the others.
/** What `PublicKeyCredential.toJSON()` says of a new key (WebAuthn 3, RegistrationResponseJSON). */
export const newCredential = z
  .object({
    ...credential,
    clientExtensionResults: hint(z.object({ credProps: hint(z.object({ rk: hint(z.boolean()) })) })),
    response: z.object({
      clientDataJSON: bytes(4000),
      attestationObject: bytes(16_000),
      /** Those that cannot be read are empty. */
      transports: hint(z.array(transport).check(limited(20))),
    }),
  })
  .check(hasOneId)
export type NewCredential = z.infer<typeof newCredential>

/** What it says of a use of a key (AuthenticationResponseJSON). */
export const usedCredential = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4000),
      authenticatorData: bytes(4000),
      signature: bytes(4000),
      userHandle: z.optional(z.nullable(bytes(128))),
    }),
  })
  .check(hasOneId)
export type UsedCredential = z.infer<typeof usedCredential>
