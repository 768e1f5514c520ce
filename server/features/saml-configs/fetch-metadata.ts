import type { IdentityProvider } from '#contract/saml-metadata.ts'
import type { Outgoing, OutgoingAnswer } from '#server/platform/outgoing/outgoing.ts'
import { Problem } from '#server/platform/problem.ts'
import { readMetadata } from './read-metadata.ts'

interface Options {
  /** Somebody without an account typed the address: hosts that only the operator may let in are refused too. */
  outsider?: boolean
}

/**
 * Reads the metadata of an identity provider at its address. Its signature is not checked: https says whose it is.
 *
 * @throws Problem 422 with the rule that refused the call, or what went wrong
 */
export async function fetchMetadata(
  outgoing: Outgoing,
  address: string,
  { outsider = false }: Options = {},
): Promise<IdentityProvider> {
  const answer = await outgoing.call(address, {
    use: 'metadata',
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    outsider,
  })
  return readMetadata(textOf(answer), 'address')
}

function textOf({ status, body }: OutgoingAnswer): string {
  if (status !== 200) throw new Problem(422, 'metadataNotFetched')
  return body.toString('utf8')
}
