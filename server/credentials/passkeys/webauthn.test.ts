import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authenticator, keyPairs } from '#test/authenticator.ts'
import { verifyNewKey, verifyUse } from './webauthn.ts'

const device = authenticator()
const context = {
  config: { baseUrl: 'http://portal.test', passkeyRpId: 'portal.test' },
  log: { info: () => undefined },
}
const challenge = 'bm90aGluZyBpcyByYW5kb20gaW4gYSB0ZXN0'
const expected = { expectedChallenge: challenge, expectedOrigin: 'http://portal.test', expectedRPID: 'portal.test' }
const options = {
  challenge,
  rp: { id: 'portal.test' },
  user: { id: 'AAAA' },
  authenticatorSelection: { residentKey: 'required' },
} as Parameters<typeof device.create>[0]

/** One byte of one of these is another, or none is. */
const change = fc.record({ part: fc.nat(3), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) })
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never
function changed<Response extends object>(response: Response, names: (keyof Response)[], { part, at, by }: Change) {
  const name = names[part]
  if (name === undefined) return response
  const bytes = Buffer.from(String(response[name]), 'base64url')
  const place = at % bytes.length
  bytes[place] = (bytes[place] ?? 0) ^ by
  return { ...response, [name]: bytes.toString('base64url') }
}

const kinds = fc.constantFrom(...Object.values(keyPairs).map((make) => () => make()))
const pairs = new Map<() => unknown, ReturnType<typeof device.create>>()
/** RSA keys take long to make. */
const made = (keys: () => ReturnType<typeof keyPairs.es256>) => {
  const known = pairs.get(keys) ?? device.create(options, { keys })
  pairs.set(keys, known)
  return known
}

test('a use counts where another implementation says so, and none counts that it refuses', async () => {
  const outcomes = new Set<boolean>()
  const same = fc.asyncProperty(kinds, change, async (keys, what) => {
    const { key, credential } = made(keys)
    const publicKey = verifyNewKey(context, { credential, challenge, verified: true, by: 'person' })?.publicKey
    if (!publicKey) throw new Error('the key was refused')
    const used = device.use(key, { challenge, rpId: 'portal.test' })
    const response = changed(used.response, ['signature', 'authenticatorData', 'clientDataJSON'], what)
    const ours = verifyUse(context, { credential: { ...used, response }, challenge, publicKey, verified: true })
    const theirs = await verifyAuthenticationResponse({
      ...expected,
      response: { ...used, response },
      credential: { id: used.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    }).catch(() => ({ verified: false }))
    outcomes.add(theirs.verified)
    // It also takes a signature whose wrapping says a wrong length.
    if (ours === undefined && theirs.verified) expect(what.part).toBe(0)
    else expect(ours !== undefined).toBe(theirs.verified)
  })
  await fc.assert(same, { numRuns: 300 })
  expect(outcomes).toEqual(new Set([true, false]))
})

test('a new key is read as another implementation reads it, and none counts that it refuses', async () => {
  const outcomes = new Set<boolean>()
  const same = fc.asyncProperty(kinds, change, async (keys, what) => {
    const { credential } = made(keys)
    const response = changed(credential.response, ['attestationObject', 'clientDataJSON'] as never, what)
    const ours = verifyNewKey(context, {
      credential: { ...credential, response },
      challenge,
      verified: true,
      by: 'person',
    })
    const theirs = await verifyRegistrationResponse({ ...expected, response: { ...credential, response } }).catch(
      () => undefined,
    )
    outcomes.add(ours !== undefined)
    // It also refuses what it does not know of the maker, which nobody asked for.
    if (!theirs?.verified || !theirs.registrationInfo) return
    const { aaguid, credential: key, userVerified } = theirs.registrationInfo
    if (!ours) {
      // It takes points that are on no curve.
      expect(what.part).toBe(0)
      return
    }
    expect(ours).toMatchObject({ aaguid, verified: userVerified, counter: key.counter })
    expect(ours.publicKey.equals(Buffer.from(key.publicKey))).toBe(true)
  })
  await fc.assert(same, { numRuns: 300 })
  expect(outcomes).toEqual(new Set([true, false]))
})
