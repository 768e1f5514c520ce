import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PasskeyKind } from '#contract/passkeys/passkeys.ts'
import { signInChallenge } from '#server/credentials/passkeys/challenges.ts'
import {
  authenticator,
  coseOfEdDsa,
  coseOfEs256,
  coseOfRs256,
  type Key,
  type KeyPair,
  keyPairs,
} from '#test/authenticator.ts'
import type { Client } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

const device = authenticator()
type Odd = NonNullable<Parameters<typeof device.use>[2]>
type New = ReturnType<typeof device.create>['credential']
type Used = ReturnType<typeof device.use>
const url = '/api/profile/passkeys'
const hex = (text: string) => Buffer.from(text, 'hex')

async function strongPerson() {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await factorsOf(portal).proveCode(browser, person)
  return { ...person, browser }
}

/** Makes a key in a strong session, and sends it as this browser writes it. */
async function add(
  browser: Client,
  odd: Odd = {},
  write: (made: New) => unknown = (made) => made,
  kind: PasskeyKind = 'passkey',
) {
  const { key, credential } = device.create((await browser.post(`${url}/challenge`, { kind })).json(), odd)
  return { key, answer: await browser.post(url, { credential: write(credential) }) }
}

/** Signs in with a passkey alone, in a new browser. @returns whether it led in */
async function signsIn(key: Key, odd: Odd = {}, write: (used: Used) => unknown = (used) => used) {
  const browser = portal.browser()
  const { uid, page } = await openSignIn(browser)
  const asked = { challenge: signInChallenge(portal.system.keys, uid), rpId: 'portal.test' }
  await browser.submit(`${page}/passkey`, { credential: JSON.stringify(write(device.use(key, asked, odd))) })
  return (await browser.get('/api/me')).statusCode === 200
}

/** As some browsers and password managers write bytes. */
const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=')
const everyText = (value: unknown, write: (text: string) => string): unknown =>
  typeof value === 'string' && value !== 'public-key' && value !== 'platform'
    ? write(value)
    : Array.isArray(value) || typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everyText(one, write)]))

const inResponse = (change: object) => (made: New | Used) => ({ ...made, response: { ...made.response, ...change } })
const without = (name: string) => (made: New | Used) =>
  Object.fromEntries(Object.entries(made).filter(([one]) => one !== name))

/** What clients write, each of a good key. */
const forms: [string, (made: New | Used) => unknown][] = [
  ['transports: null', inResponse({ transports: null })],
  ['transports missing', inResponse({ transports: undefined })],
  ['transports of no list', inResponse({ transports: 'usb' })],
  ['unknown transports', inResponse({ transports: ['smart-card', 'webauthn_next', '', 7, null, 'internal'] })],
  ['more transports than there are', inResponse({ transports: Array.from({ length: 30 }, () => 'usb') })],
  ['clientExtensionResults missing', without('clientExtensionResults')],
  ['clientExtensionResults: null', (made) => ({ ...made, clientExtensionResults: null })],
  ['credProps of another form', (made) => ({ ...made, clientExtensionResults: { credProps: { rk: 'yes' } } })],
  ['credProps: null', (made) => ({ ...made, clientExtensionResults: { credProps: null } })],
  [
    'results of other extensions',
    (made) => ({ ...made, clientExtensionResults: { prf: { enabled: true }, largeBlob: {}, appid: false } }),
  ],
  ['authenticatorAttachment: ""', (made) => ({ ...made, authenticatorAttachment: '' })],
  ['authenticatorAttachment: null', (made) => ({ ...made, authenticatorAttachment: null })],
  ['authenticatorAttachment unknown', (made) => ({ ...made, authenticatorAttachment: 'vehicle' })],
  ['authenticatorAttachment missing', without('authenticatorAttachment')],
  ['rawId missing', without('rawId')],
  ['type missing', without('type')],
  ['new members', (made) => ({ ...inResponse({ publicKey: 'AA==', publicKeyAlgorithm: -7, x: null })(made), y: {} })],
  ['base64', (made) => everyText(made, base64)],
  ['base64url with padding', (made) => everyText(made, padded)],
]

describe('a good key is added, and signs in,', () => {
  test.each(forms)('where its client writes %s', async (_, write) => {
    const { browser } = await strongPerson()
    const { key, answer } = await add(browser, {}, write)
    expect(answer.statusCode, answer.body).toBe(201)
    expect(await signsIn(key, {}, write)).toBe(true)
  })

  test('where its client writes any of these at the same time', async () => {
    const { browser } = await strongPerson()
    const { key } = await add(browser)
    const some = fc.subarray(
      forms.map(([, write]) => write),
      { minLength: 2, maxLength: 4 },
    )
    const many = fc.asyncProperty(some, async (writes) => {
      const write = (made: New | Used) => writes.reduce<unknown>((form, next) => next(form as Used), made)
      expect(await signsIn(key, {}, write)).toBe(true)
    })
    await fc.assert(many, { numRuns: 20 })
  })

  const certificate = '6378356381420000'
  test.each([
    ['packed, by itself', '63666d74667061636b65646761747453746d74a263616c67266373696741aa'],
    ['packed, with certificates', `63666d74667061636b65646761747453746d74a1${certificate}`],
    ['fido-u2f', `63666d74686669646f2d7532666761747453746d74a1${certificate}`],
    ['apple', `63666d74656170706c656761747453746d74a1${certificate}`],
    ['tpm', `63666d746374706d6761747453746d74a263766572 63322e30 ${certificate}`.replaceAll(' ', '')],
    ['android-key', `63666d746b616e64726f69642d6b65796761747453746d74a1${certificate}`],
    [
      'a format of tomorrow, with numbers and tags of all kinds',
      '63666d74636e65776761747453746d7485fb3ff8000000000000f97e00c11a514b67b0f6f5',
    ],
    ['none, with something in it', '63666d74646e6f6e656761747453746d74a1617801'],
  ])('whoever vouches for it (%s), and nothing is fetched', async (_, statement) => {
    const called = vi.spyOn(globalThis, 'fetch')
    const { browser } = await strongPerson()
    const { key, answer } = await add(browser, { statement: hex(statement) })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(await signsIn(key)).toBe(true)
    expect(called).not.toHaveBeenCalled()
    called.mockRestore()
  })

  test.each<[string, Odd]>([
    ['extensions', { extensions: hex('a16a6372656450726f7465637402') }],
    ['extensions of another form', { extensions: hex('a16178fb3ff8000000000000') }],
    ['extensions that are no map', { extensions: hex('f6') }],
    ['tokenBinding', { clientData: { tokenBinding: { status: 'not-supported' } } }],
    ['tokenBinding as a text', { clientData: { tokenBinding: 'unused' } }],
    [
      'new members',
      { clientData: { other_keys_can_be_added_here: 'do not compare clientDataJSON', nested: { x: [] } } },
    ],
    ['crossOrigin: null', { clientData: { crossOrigin: null } }],
    ['crossOrigin missing', { clientData: { crossOrigin: undefined } }],
    ['topOrigin of its own', { clientData: { topOrigin: 'http://portal.test' } }],
    ['topOrigin: null', { clientData: { topOrigin: null } }],
    ['a key that has no copies', { flags: 0x05 }],
    ['a key that may have copies, and has none', { flags: 0x0d }],
    ['a key with copies', { flags: 0x1d }],
    ['flags of tomorrow', { flags: 0x3f }],
    ['a counter', { counter: 7, synced: true }],
  ])('where what is signed has %s', async (_, odd) => {
    const { browser } = await strongPerson()
    const { key, answer } = await add(browser, odd)
    expect(answer.statusCode, answer.body).toBe(201)
    expect(await signsIn(key, odd)).toBe(true)
    expect(await signsIn(key, odd)).toBe(true)
  })

  test.each(Object.entries(keyPairs))('made as %s', async (_, keys) => {
    const { browser } = await strongPerson()
    const { key, answer } = await add(browser, { keys: () => keys() })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(await signsIn(key)).toBe(true)
    // The signature of another text.
    expect(
      await signsIn(key, {}, (used) => inResponse({ signature: device.use(key, asked).response.signature })(used)),
    ).toBe(false)
  })
  const asked = { challenge: 'AAAA', rpId: 'portal.test' }

  test.each([
    ['null', null],
    ['empty', ''],
    ['missing', undefined],
  ])('after the password, where its handle is %s', async (_, userHandle) => {
    const { browser } = await strongPerson()
    const { key } = await add(browser, { verified: false, synced: false }, undefined, 'securityKey')
    const used = device.use(key, (await browser.post('/api/step-up/passkey', {})).json(), {
      verified: false,
      synced: false,
    })
    const credential = inResponse({ userHandle })(used)
    expect((await browser.post('/api/step-up/passkey/verify', { credential })).statusCode).toBe(204)
  })

  test('with a counter that stays 0, and an AAGUID of zeros', async () => {
    const { browser, accountId } = await strongPerson()
    const { key } = await add(browser, { synced: false, counter: 0 })
    for (let use = 0; use < 3; use++) expect(await signsIn(key, { synced: false, counter: 0 })).toBe(true)
    const [row] = await portal.system.db.selectFrom('passkeys').selectAll().where('accountId', '=', accountId).execute()
    expect(row).toMatchObject({ aaguid: '00000000-0000-0000-0000-000000000000', counter: 0, endedAt: null })
  })

  test('where a signature has zeros too many', async () => {
    const { browser } = await strongPerson()
    const { key } = await add(browser)
    // ASN.1: a sequence of two integers.
    const longer = (used: Used) => {
      const der = Buffer.from(used.response.signature, 'base64url')
      const length = der.readUInt8(3)
      const signature = Buffer.concat([Buffer.from([0x30, der.readUInt8(1) + 1, 0x02, length + 1, 0]), der.subarray(4)])
      return inResponse({ signature: signature.toString('base64url') })(used)
    }
    expect(await signsIn(key, {}, longer)).toBe(true)
  })
})

describe('no key is added', () => {
  const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = (cose: Buffer) => (): KeyPair => ({ privateKey: p256().privateKey, cose })
  const point = (name: 'x' | 'y') => Buffer.from(p256().publicKey.export({ format: 'jwk' })[name] ?? '', 'base64url')
  const rsa = (bits: number, exponent = 65_537) => keyPairs.rs256(bits, exponent)
  const modulus = () =>
    Buffer.from(createPublicKey(rsa(2048).privateKey).export({ format: 'jwk' }).n ?? '', 'base64url')
  const p384 = () => {
    const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })
    return { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }
  const orderEight = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'

  test.each<[string, () => KeyPair]>([
    ['of a point that is not on P-256', other(coseOfEs256(point('x'), point('y')))],
    ['of the point 0 of P-256', other(coseOfEs256(Buffer.alloc(32), Buffer.alloc(32)))],
    ['of a part of a point', other(coseOfEs256(point('x').subarray(1), point('y')))],
    ['of P-384 as ES256', other(coseOfEs256(p384().x, p384().y))],
    ['with the curve of another', other(hex(`a5010203262002215820${'11'.repeat(32)}225820${'11'.repeat(32)}`))],
    ['of another type than its algorithm', other(hex(`a401010326200621 5820${'11'.repeat(32)}`.replaceAll(' ', '')))],
    [
      'of an algorithm that nobody asked for',
      other(hex(`a5010203382220022158 30${'11'.repeat(48)}225830${'11'.repeat(48)}`.replaceAll(' ', ''))),
    ],
    ['of a text instead of a type', other(hex(`a401634f4b500327200621 5820${'11'.repeat(32)}`.replaceAll(' ', '')))],
    ['without an algorithm', other(hex(`a301022001215820${'11'.repeat(32)}`))],
    ['of RSA with 1024 bits', () => rsa(1024)],
    ['of RSA with 2047 bits', () => rsa(2047)],
    ['of RSA with the exponent 3', () => rsa(2048, 3)],
    ['of RSA with the exponent 1', other(coseOfRs256(modulus(), Buffer.from([1])))],
    ['of RSA with an even exponent', other(coseOfRs256(modulus(), Buffer.from([1, 0, 0])))],
    ['of RSA with an exponent of 2048 bits', other(coseOfRs256(modulus(), modulus()))],
    ['of RSA with 9000 bits', other(coseOfRs256(Buffer.alloc(1125, 0xff), Buffer.from([1, 0, 1])))],
    [
      'of RSA with an even modulus',
      other(coseOfRs256(Buffer.concat([modulus().subarray(0, -1), Buffer.from([2])]), Buffer.from([1, 0, 1]))),
    ],
    ['of a point that is not on Ed25519', other(coseOfEdDsa(hex(`02${'00'.repeat(31)}`)))],
    ['of the point 0 of Ed25519', other(coseOfEdDsa(Buffer.alloc(32)))],
    ['of the point 1 of Ed25519, whose signatures anybody makes', other(coseOfEdDsa(hex(`01${'00'.repeat(31)}`)))],
    ['of a point of order 8', other(coseOfEdDsa(hex(orderEight)))],
    ['of such a point with the other sign', other(coseOfEdDsa(hex(`${orderEight.slice(0, -2)}85`)))],
    ['of a number above the field', other(coseOfEdDsa(hex(`${'f0'.padEnd(62, 'f')}7f`)))],
    ['of Ed25519 with a byte too many', other(Buffer.concat([keyPairs.edDsa().cose, Buffer.from([0])]))],
    ['of no map', other(hex('80'))],
    ['of nothing', other(Buffer.alloc(0))],
  ])('%s', async (_, keys) => {
    const { browser } = await strongPerson()
    const { answer } = await add(browser, { keys })
    expect([answer.statusCode, answer.json().message]).toEqual([422, 'passkeyNotAccepted'])
    expect((await browser.get(url)).json().passkeys).toEqual([])
  })

  test.each<[string, Odd, ((made: New) => unknown)?]>([
    ['that has a copy and can have none', { flags: 0x15 }],
    ['in a frame of a site that is named alone', { clientData: { topOrigin: 'https://evil.example' } }],
    ['in a frame, whatever the word for it', { clientData: { crossOrigin: 'true' } }],
    ['of another challenge', { challenge: 'AAAA' }],
    ['without a challenge', { clientData: { challenge: null } }],
    ['without an origin', { clientData: { origin: undefined } }],
    ['whose id is another', {}, (made) => ({ ...made, id: 'AAAA', rawId: 'AAAA' })],
    ['whose raw id is another', {}, (made) => ({ ...made, rawId: 'AAAA' })],
    ['of another type', {}, (made) => ({ ...made, type: 'password' })],
    ['of nothing', {}, inResponse({ attestationObject: '' }) as never],
    ['without an answer', {}, without('response') as never],
  ])('%s', async (_, odd, write) => {
    const { browser } = await strongPerson()
    const { answer } = await add(browser, odd, write)
    expect(answer.statusCode).toBe(422)
    expect((await browser.get(url)).json().passkeys).toEqual([])
  })

  test('of any bytes, and nothing breaks', async () => {
    const { browser } = await strongPerson()
    const bytes = fc.uint8Array({ maxLength: 200 })
    const cut = fc.tuple(fc.nat(250), fc.nat(255)).map(([at, value]) => ({ at, value }))
    const many = fc.asyncProperty(bytes, cut, fc.boolean(), async (random, { at, value }, isWhole) => {
      const { answer } = await add(browser, {}, (made) => {
        const good = Buffer.from(made.response.attestationObject, 'base64url')
        // Before the id and the key there is nothing that may change.
        const place = 30 + (at % 32)
        good[place] = good[place] === value ? value ^ 1 : value
        return inResponse({ attestationObject: (isWhole ? good : Buffer.from(random)).toString('base64url') })(made)
      })
      expect(answer.statusCode).toBe(422)
    })
    await fc.assert(many, { numRuns: 60 })
  })
})

test('one proof that is written in several ways makes one session', async () => {
  const { browser: own, accountId } = await strongPerson()
  const { key } = await add(own)
  const browser = portal.browser()
  const { uid, page } = await openSignIn(browser)
  const used = device.use(key, { challenge: signInChallenge(portal.system.keys, uid), rpId: 'portal.test' })
  // Another signature of the same text, as ECDSA gives each time, and as somebody can make of one that they saw.
  const again = device.use(key, { challenge: signInChallenge(portal.system.keys, uid), rpId: 'portal.test' })
  const ways = [used, again, everyText(used, base64), everyText(used, padded)]
  const sessions = async () =>
    (await portal.system.db.selectFrom('sessions').select('uid').where('accountId', '=', accountId).execute()).length
  const before = await sessions()
  await Promise.all(ways.map((way) => browser.submit(`${page}/passkey`, { credential: JSON.stringify(way) })))
  expect(await sessions()).toBe(before + 1)
})
