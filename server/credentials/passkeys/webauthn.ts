import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { NewCredential, UsedCredential } from '#contract/passkeys/credentials.ts'
import type { Config } from '#server/config.ts'
import { type AuthenticatorData, type NewKeyData, readAuthenticatorData, readNewKey } from './authenticator-data.ts'
import { readClientData } from './client-data.ts'
import { readPublicKey } from './public-key.ts'

interface Context {
  config: Pick<Config, 'baseUrl' | 'passkeyRpId'>
  log: Pick<FastifyBaseLogger, 'info'>
}

/** What a new key proved about itself. */
export type VerifiedKey = Omit<NewKeyData, 'rpIdHash' | 'present'>

/**
 * Verifies a new key (WebAuthn 3, 7.1). No attestation is asked for: who made the key does not matter to the portal.
 *
 * @param by `person`: somebody touched the key; `browser`: it may have been made without (conditional create)
 * @returns undefined for anything that is not right
 */
export const verifyNewKey = (
  context: Context,
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
): VerifiedKey | undefined =>
  unlessRefused(context, () => {
    checkClientData(context, { credential, challenge, type: 'webauthn.create' })
    const { rpIdHash, present, ...key } = readNewKey(credential)
    checkData(context, { ...key, rpIdHash, present: present || by === 'browser' }, verified)
    check(key.credentialId.equals(Buffer.from(credential.id, 'base64url')), 'the key has another id')
    readPublicKey(key.publicKey)
    return key
  })

/** What a use of a key proved; the caller compares it with what is stored. */
export interface VerifiedUse extends Omit<AuthenticatorData, 'rpIdHash' | 'present'> {
  /** Of what was signed: the same for the same proof, however its signature is written. */
  fingerprint: string
}

/**
 * Verifies a use of a key (WebAuthn 3, 7.2): its signature, the challenge, our origin and our RP ID.
 *
 * @returns undefined for anything that is not right
 */
export const verifyUse = (
  context: Context,
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
): VerifiedUse | undefined =>
  unlessRefused(context, () => {
    const { clientDataJSON, authenticatorData, signature } = credential.response
    const bytes = Buffer.from(authenticatorData, 'base64url')
    const signed = Buffer.concat([bytes, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const isRight = readPublicKey(publicKey).verify(signed, Buffer.from(signature, 'base64url'))
    checkClientData(context, { credential, challenge, type: 'webauthn.get' })
    const { rpIdHash, present, ...use } = readAuthenticatorData(bytes)
    checkData(context, { ...use, rpIdHash, present }, verified)
    check(isRight, 'the signature is wrong')
    return { ...use, fingerprint: sha256(signed).toString('base64url') }
  })

function checkClientData(
  { config }: Context,
  { credential, challenge, type }: { credential: NewCredential | UsedCredential; challenge: string; type: string },
): void {
  const data = readClientData(credential)
  check(data?.type === type, 'it was made for something else')
  check(data.challenge === challenge, 'it was made for another challenge')
  check(data.origin === config.baseUrl, `it was made at ${String(data.origin)}`)
  check(!data.inForeignFrame, 'it was made in a frame of another site')
}

function checkData({ config }: Context, data: AuthenticatorData, verified: boolean): void {
  check(data.rpIdHash.equals(sha256(config.passkeyRpId)), 'it is of another domain')
  check(data.present, 'nobody was there')
  check(data.verified || !verified, 'nobody was verified')
  check(data.backupEligible || !data.backedUp, 'it has a copy, and can have none')
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

function check(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Error(reason)
}

/** Whatever a stranger's bytes do to what reads them, they are refused. */
function unlessRefused<T>({ log }: Context, verify: () => T): T | undefined {
  try {
    return verify()
  } catch (err) {
    log.info({ err }, 'a passkey was refused')
    return undefined
  }
}
