import type { IdentityProvider } from '#contract/saml-metadata.ts'
import { Problem } from '#server/platform/problem.ts'
import { readIdentityProvider } from '#server/saml/identity-provider-metadata.ts'
import { Refusal } from '#server/saml/refusal.ts'

/** Reads the metadata of an identity provider that somebody gave. @throws Problem 422 */
export function readMetadata(metadata: string, field: 'metadata' | 'address' = 'metadata'): IdentityProvider {
  try {
    return readIdentityProvider(metadata)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw new Problem(422, 'validationFailed', {
      issues: [{ path: field, message: 'metadataNotReadable' }],
      cause,
    })
  }
}
