import type { MetadataRead } from '#contract/saml-configs/saml-metadata.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { OutgoingFailure } from '#server/platform/outgoing/outgoing-failure.ts'
import { Problem } from '#server/platform/problem.ts'
import { parseUsableCertificates } from '#server/saml/certificates.ts'
import { createFederationReader } from '#server/saml/federation/federation.ts'
import { readIdentityProvider } from '#server/saml/identity-provider-metadata.ts'
import { xmlText } from '#server/saml/metadata-text.ts'
import { Refusal } from '#server/saml/refusal.ts'
import { explained, refusedMetadata } from './read-metadata.ts'

interface Source {
  address: string
  /** Which identity provider of several. */
  entityId?: string | undefined
  /** The certificates that a federation signs with, as PEM: then the signature is verified, and the document may be large. */
  signer?: string | null | undefined
}

interface Options {
  now: Date
  /** Somebody without an account typed the address: hosts that only the operator may let in are refused too. */
  outsider?: boolean
}

const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }

/**
 * Reads metadata at its address. Without a pinned certificate its signature is not checked: https says whose it is.
 *
 * @throws Problem 422 with the rule that refused the call, or what went wrong
 */
export async function fetchMetadata(
  outgoing: Outgoing,
  { address, entityId, signer }: Source,
  { now, outsider = false }: Options,
): Promise<MetadataRead> {
  if (signer) return fetchSigned(outgoing, { address, entityId: entityId || undefined, signer, now })
  const { status, body } = await outgoing
    .call(address, { use: 'metadata', headers, outsider })
    .catch((cause: unknown) => {
      throw cause instanceof OutgoingFailure && cause.reason === 'tooLarge' ? tooLarge(cause) : cause
    })
  if (status !== 200) throw new Problem(422, 'metadataNotFetched')
  return explained('address', () => readIdentityProvider(xmlText(body), now, entityId || undefined))
}

const tooLarge = (cause: OutgoingFailure) =>
  new Problem(422, 'validationFailed', { issues: [{ path: 'address', message: 'metadataTooLarge' }], cause })

/** @throws Problem 422 where it has no certificate that can verify a signature */
export function checkSigner(signer: string | null | undefined, at = ''): void {
  if (signer && parseUsableCertificates(signer).length === 0)
    throw new Problem(422, 'validationFailed', { issues: [{ path: `${at}signer`, message: 'certificateNotUsable' }] })
}

/** Reads one entity of a federation, by the signature of the whole (decision 0071). */
async function fetchSigned(
  outgoing: Outgoing,
  { address, ...wanted }: { address: string; entityId: string | undefined; signer: string; now: Date },
): Promise<MetadataRead> {
  const reader = createFederationReader(wanted)
  try {
    const { status } = await outgoing.call(address, { use: 'federation', headers, take: reader.write })
    if (status !== 200) throw new Problem(422, 'metadataNotFetched')
    const read = reader.end()
    if (typeof read !== 'string') return { provider: null, choices: [...read] }
    return readIdentityProvider(read, wanted.now, wanted.entityId)
  } catch (error) {
    throw error instanceof Refusal ? refusedMetadata('address', error) : error
  }
}
