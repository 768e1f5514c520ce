import type { MetadataRead } from '#contract/saml-metadata.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { Problem } from '#server/platform/problem.ts'
import { readIdentityProvider } from '#server/saml/identity-provider-metadata.ts'
import { xmlText } from '#server/saml/metadata-text.ts'
import { explained } from './read-metadata.ts'

interface Source {
  address: string
  /** Which identity provider of several. */
  entityId?: string | undefined
}

interface Options {
  now: Date
  /** Somebody without an account typed the address: hosts that only the operator may let in are refused too. */
  outsider?: boolean
}

/**
 * Reads metadata at its address. Its signature is not checked: https says whose it is.
 *
 * @throws Problem 422 with the rule that refused the call, or what went wrong
 */
export async function fetchMetadata(
  outgoing: Outgoing,
  { address, entityId }: Source,
  { now, outsider = false }: Options,
): Promise<MetadataRead> {
  const { status, body } = await outgoing.call(address, {
    use: 'metadata',
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    outsider,
  })
  if (status !== 200) throw new Problem(422, 'metadataNotFetched')
  return explained('address', () => readIdentityProvider(xmlText(body), now, entityId || undefined))
}
