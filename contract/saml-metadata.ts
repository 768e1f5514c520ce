import * as z from 'zod/mini'
import { message, text } from './fields.ts'

/** Characters. */
export const maxMetadataLength = 250_000
/** SAML metadata as XML, of one entity. */
export const metadataText = text(maxMetadataLength).check(z.trim(), z.minLength(1, message('required')))

/** What metadata says of an identity provider: the fields of the form that it can fill in. */
export const identityProvider = z.object({
  entityId: z.string(),
  /** Null if the provider does not offer the binding HTTP-Redirect. */
  url: z.nullable(z.string()),
  /** Where it takes sign-outs; null if it does not, by HTTP-Redirect. */
  logoutUrl: z.nullable(z.string()),
  /** Its usable certificates as PEM; empty if there are none. */
  certificate: z.string(),
  requestSigningEnabled: z.boolean(),
})
export type IdentityProvider = z.infer<typeof identityProvider>
