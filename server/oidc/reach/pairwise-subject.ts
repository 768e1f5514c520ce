import { createHash } from 'node:crypto'
import type { Configuration } from 'oidc-provider'

/** What of a client makes its `sub`. */
export interface SubjectSettings {
  /** Hex. */
  subject_salt?: string
}

/**
 * A person's `sub` at a service with subjects of its own: two such services cannot compare people. The salt never changes,
 * not with a key rotation either, so the `sub` does not.
 */
export const pairwiseIdentifier: NonNullable<Configuration['pairwiseIdentifier']> = async (_, accountId, client) =>
  createHash('sha256')
    .update(`${(client as SubjectSettings).subject_salt} ${accountId}`)
    .digest('base64url')

/** The metadata of a client with pairwise subjects. The library wants a sector, for which nothing is fetched. */
export const pairwiseMetadata = (host: string, salt: Buffer) => ({
  subject_type: 'pairwise',
  sector_identifier_uri: `https://${host}/`,
  subject_salt: salt.toString('hex'),
})
