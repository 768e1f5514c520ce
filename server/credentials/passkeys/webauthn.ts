import type { FastifyBaseLogger } from 'fastify'
import type { NewCredential, UsedCredential } from '#contract/passkeys/credentials.ts'
import type { Config } from '#server/config.ts'

// EdDSA, ES256, RS256 (IANA's COSE numbers).
export const algorithms: readonly number[] = [-8, -7, -257]

/** Loaded at first use: it brings an ASN.1 stack of 25 MB, and most processes start without anybody waiting for it. */
const library = () => import('@simplewebauthn/server')

interface Context {
  config: Pick<Config, 'baseUrl' | 'passkeyRpId'>
  log: Pick<FastifyBaseLogger, 'info'>
}

/** What a new key proved about itself. */
export interface VerifiedKey {
  publicKey: Buffer
  counter: number
  aaguid: string
  verified: boolean
  backupEligible: boolean
  backedUp: boolean
}

/**
 * Verifies a new key. No attestation is asked for: who made the key does not matter to the portal.
 *
 * @param by `person`: somebody touched the key; `browser`: it may have been made without (conditional create)
 * @returns undefined for anything that is not right
 */
export async function verifyNewKey(
  { config, log }: Context,
  {
    credential,
    challenge,
    verified,
    by,
  }: {
    credential: NewCredential
    challenge: string
    /** The user must have been verified. */
    verified: boolean
    by: 'person' | 'browser'
  },
): Promise<VerifiedKey | undefined> {
  if (!isOwnFrame(credential) || !(await isWithoutCertificates(credential))) return undefined
  const { verifyRegistrationResponse } = await library()
  const expected = {
    response: credential,
    expectedChallenge: challenge,
    expectedOrigin: config.baseUrl,
    expectedRPID: config.passkeyRpId,
    requireUserVerification: verified,
    requireUserPresence: by === 'person',
    supportedAlgorithmIDs: algorithms,
  }
  const result = await verifyRegistrationResponse(expected).catch((err: unknown) => refused(log, err))
  if (!result?.verified) return undefined
  const { aaguid, credential: key, userVerified, credentialDeviceType, credentialBackedUp } = result.registrationInfo
  if (key.id !== credential.id) return undefined
  return {
    publicKey: Buffer.from(key.publicKey),
    counter: key.counter,
    aaguid,
    verified: userVerified,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

/**
 * Whether an attestation is none, or signed by the key itself. The library fetches addresses that the certificates of others
 * name, before it looks at who issued them.
 */
async function isWithoutCertificates({ response }: NewCredential): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt')?.get('x5c') === undefined)
  } catch {
    return false
  }
}

/** What a use of a key proved. */
export interface VerifiedUse {
  /** As the key says; the caller compares it with the stored one. */
  counter: number
  verified: boolean
  backupEligible: boolean
  backedUp: boolean
}

/**
 * Verifies a use of a key: its signature, the challenge, our origin and our RP ID.
 *
 * @returns undefined for anything that is not right
 */
export async function verifyUse(
  { config, log }: Context,
  {
    credential,
    challenge,
    publicKey,
    verified,
  }: {
    credential: UsedCredential
    challenge: string
    publicKey: Buffer
    /** The user must have been verified. */
    verified: boolean
  },
): Promise<VerifiedUse | undefined> {
  if (!isOwnFrame(credential)) return undefined
  const { verifyAuthenticationResponse } = await library()
  const expected = {
    response: credential,
    expectedChallenge: challenge,
    expectedOrigin: config.baseUrl,
    expectedRPID: config.passkeyRpId,
    requireUserVerification: verified,
    // The counter is compared in the statement that writes it, after the signature: an unsigned one ends nothing.
    credential: { id: credential.id, publicKey, counter: 0 },
  }
  const result = await verifyAuthenticationResponse(expected).catch((err: unknown) => refused(log, err))
  if (!result?.verified) return undefined
  const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = result.authenticationInfo
  return {
    counter: newCounter,
    verified: userVerified,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

function refused(log: Context['log'], err: unknown): undefined {
  log.info({ err }, 'a passkey was refused')
}

/** A page of another site that shows ours in a frame is refused, also where the browser does not name it. */
function isOwnFrame({ response }: { response: { clientDataJSON: string } }): boolean {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    return (data as { crossOrigin?: unknown } | null)?.crossOrigin !== true
  } catch {
    return false
  }
}
