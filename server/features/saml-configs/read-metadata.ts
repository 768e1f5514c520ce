import type { MetadataRead } from '#contract/saml-configs/saml-metadata.ts'
import { Problem } from '#server/platform/problem.ts'
import { readIdentityProvider } from '#server/saml/identity-provider-metadata.ts'
import { MetadataRefusal } from '#server/saml/metadata-refusal.ts'
import { Refusal } from '#server/saml/refusal.ts'

interface Given {
  metadata: string
  /** Which identity provider of several. */
  entityId?: string | undefined
}

/** Reads the metadata that somebody gave. @throws Problem 422 */
export const readMetadata = ({ metadata, entityId }: Given, now: Date): MetadataRead =>
  explained('metadata', () => readIdentityProvider(metadata, now, entityId || undefined))

/** Says at the field why metadata was refused. @throws Problem 422 */
export function explained<Read>(field: 'metadata' | 'address', read: () => Read): Read {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof Refusal ? refusedMetadata(field, cause) : cause
  }
}

export const refusedMetadata = (field: 'metadata' | 'address', cause: Refusal) =>
  new Problem(422, 'validationFailed', {
    issues: [{ path: pathOf(cause) ?? field, message: problemOf(cause) }],
    cause,
  })

/** Where which entity is meant is wrong. */
const pathOf = (cause: Refusal) =>
  cause instanceof MetadataRefusal && cause.problem === 'metadataNoEntity' ? 'entityId' : undefined

const problemOf = (cause: Refusal) => {
  if (cause instanceof MetadataRefusal) return cause.problem
  return cause.failure === 'signature' ? 'metadataNotSigned' : 'metadataNotReadable'
}
