import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { CreationOptions, RequestOptions } from '#contract/passkeys/passkeys.ts'

/** A key in an authenticator of a test. */
export interface Key {
  id: string
  privateKey: KeyObject
  rpId: string
  userHandle: string
  counter: number
}

/** What a browser or an authenticator may do wrong, or differently. */
interface Oddities {
  /** The page that asks; default: the portal's. */
  origin?: string
  /** What the authenticator says that it is for; default: the RP ID of the options. */
  rpId?: string
  /** The user was verified; default true. */
  verified?: boolean
  /** Somebody touched it; default true. */
  present?: boolean
  /** Synced keys; default true, and they do not count. */
  synced?: boolean
  type?: string
  crossOrigin?: boolean
  challenge?: string
  userHandle?: string | null
  counter?: number
  /** Members that stand in what the browser signs besides. */
  clientData?: object
  /** Flags in place of all others. */
  flags?: number
  /** What stands after the rest of the authenticator's data, in CBOR; sets its flag. */
  extensions?: Buffer
  /** What is said of the maker, in CBOR: `fmt` and `attStmt`; default: nothing. */
  statement?: Buffer
  /** The kind of key; default: ES256. */
  keys?: () => KeyPair
}

/** A pair of keys, and how its authenticator tells the public one. */
export interface KeyPair {
  privateKey: KeyObject
  cose: Buffer
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** Bytes as CBOR. */
function cborOf(bytes: Buffer): Buffer {
  const { length } = bytes
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}

const hashOf = ({ asymmetricKeyType }: KeyObject) => (asymmetricKeyType === 'ed25519' ? null : 'sha256')
const partOf = (key: KeyObject, name: 'x' | 'y' | 'n' | 'e') =>
  Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url')

/** The COSE form of a P-256 key. */
export const coseOfEs256 = (x: Buffer, y: Buffer) =>
  Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y])
/** The COSE form of an Ed25519 key. */
export const coseOfEdDsa = (x: Buffer) => Buffer.concat([Buffer.from('a4010103272006215820', 'hex'), x])
/** The COSE form of an RSA key. */
export const coseOfRs256 = (n: Buffer, e: Buffer) =>
  Buffer.concat([Buffer.from('a401030339010020', 'hex'), cborOf(n), Buffer.from('21', 'hex'), cborOf(e)])

function es256(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, cose: coseOfEs256(partOf(publicKey, 'x'), partOf(publicKey, 'y')) }
}
function edDsa(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, cose: coseOfEdDsa(partOf(publicKey, 'x')) }
}
/** @param publicExponent a small one is weak */
function rs256(modulusLength = 2048, publicExponent = 65_537): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent })
  return { privateKey, cose: coseOfRs256(partOf(publicKey, 'n'), partOf(publicKey, 'e')) }
}
export const keyPairs = { es256, edDsa, rs256 }

/** An authenticator in software: makes keys and uses them, as WebAuthn 3 says, and wrongly where a test asks for it. */
export function authenticator(portalOrigin = 'http://portal.test') {
  const clientData = (type: string, challenge: string, odd: Oddities) =>
    Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? challenge,
        origin: odd.origin ?? portalOrigin,
        crossOrigin: odd.crossOrigin ?? false,
        ...odd.clientData,
      }),
    )
  const authData = (rpId: string, counter: number, odd: Oddities, attested?: Buffer) => {
    const { present = true, verified = true, synced = true } = odd
    const own = odd.flags ?? (present ? 1 : 0) | (verified ? 4 : 0) | (synced ? 0x18 : 0)
    const flags = own | (attested ? 0x40 : 0) | (odd.extensions ? 0x80 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const { extensions = Buffer.alloc(0) } = odd
    return Buffer.concat([
      sha256(odd.rpId ?? rpId),
      Buffer.from([flags]),
      count,
      attested ?? Buffer.alloc(0),
      extensions,
    ])
  }

  /** Makes a key. @returns the key, and what the browser sends */
  function create(options: CreationOptions, odd: Oddities = {}) {
    const { privateKey, cose } = (odd.keys ?? es256)()
    const id = randomBytes(16)
    const counter = odd.counter ?? 0
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const data = authData(options.rp.id, counter, odd, attested)
    // CBOR: {fmt: "none", attStmt: {}, authData}
    const attestationObject = Buffer.concat([
      Buffer.from('a3', 'hex'),
      odd.statement ?? Buffer.from('63666d74646e6f6e656761747453746d74a0', 'hex'),
      Buffer.from('686175746844617461', 'hex'),
      cborOf(data),
    ])
    const key: Key = { id: base64url(id), privateKey, rpId: options.rp.id, userHandle: options.user.id, counter }
    return {
      key,
      credential: {
        id: key.id,
        rawId: key.id,
        type: 'public-key' as const,
        authenticatorAttachment: 'platform' as const,
        clientExtensionResults: {
          credProps: { rk: options.authenticatorSelection.residentKey === 'required' },
        },
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, odd)),
          attestationObject: base64url(attestationObject),
          transports: ['internal', 'hybrid'],
        },
      },
    }
  }

  /** Uses a key. @returns what the browser sends */
  function use(key: Key, { challenge, rpId }: Pick<RequestOptions, 'challenge' | 'rpId'>, odd: Oddities = {}) {
    const data = authData(rpId, odd.counter ?? key.counter, odd)
    const client = clientData('webauthn.get', challenge, odd)
    const handle = odd.userHandle === undefined ? key.userHandle : odd.userHandle
    return {
      id: key.id,
      rawId: key.id,
      type: 'public-key' as const,
      authenticatorAttachment: 'platform' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign(hashOf(key.privateKey), Buffer.concat([data, sha256(client)]), key.privateKey)),
        ...(handle !== null && { userHandle: handle }),
      },
    }
  }

  return { create, use }
}
