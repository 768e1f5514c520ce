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
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** An authenticator in software: makes keys and uses them, as WebAuthn 3 says, and wrongly where a test asks for it. */
export function authenticator(portalOrigin = 'http://portal.test') {
  const clientData = (type: string, challenge: string, odd: Oddities) =>
    Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? challenge,
        origin: odd.origin ?? portalOrigin,
        crossOrigin: odd.crossOrigin ?? false,
      }),
    )
  const authData = (rpId: string, counter: number, odd: Oddities, attested?: Buffer) => {
    const { present = true, verified = true, synced = true } = odd
    const flags = (present ? 1 : 0) | (verified ? 4 : 0) | (synced ? 0x18 : 0) | (attested ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(odd.rpId ?? rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  /** Makes a key. @returns the key, and what the browser sends */
  function create(options: CreationOptions, odd: Oddities = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16)
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const coordinates = [x, y].map((value) => Buffer.from(value, 'base64url'))
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      coordinates[0] as Buffer,
      Buffer.from('225820', 'hex'),
      coordinates[1] as Buffer,
    ])
    const counter = odd.counter ?? 0
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const data = authData(options.rp.id, counter, odd, attested)
    const long = Buffer.alloc(2)
    long.writeUInt16BE(data.length)
    // CBOR: {fmt: "none", attStmt: {}, authData}
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59]),
      long,
      data,
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
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey)),
        ...(handle !== null && { userHandle: handle }),
      },
    }
  }

  return { create, use }
}
