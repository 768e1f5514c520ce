import { beforeEach, describe, expect, test } from 'vitest'
import { type Answer, answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type Asked, askCompany, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type Encryption, encrypted, encryptionCertificate, withEncrypted } from '#test/saml/encrypted.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { assertionOf } from '#test/saml/wrapping.ts'

const { portal, theirs, person } = await portalWithCompany()
const certificate = await encryptionCertificate(portal, theirs)

const own = (asked: Asked) => companyAnswer(theirs, asked, { nameId: person.email })
const attemptWith = (craft: (asked: Asked) => string) => attempt(portal, { company: theirs, craft })

/** The response is signed after the assertion was encrypted. */
function signedAround(asked: Asked, inside: boolean, how: Encryption = { certificate }): string {
  const answer: Answer = answerTo(asked, { nameId: person.email })
  const assertion = assertionOf(signedAnswer(answer, { key: theirs.key, assertion: inside }))
  return sign(responseXml(answer, encrypted(assertion, how)), answer.responseId, theirs.key)
}

describe('a user signs in with an encrypted assertion', () => {
  test('however AES-GCM and RSA-OAEP are put together', async () => {
    for (const content of ['aes128-gcm', 'aes256-gcm'] as const)
      for (const how of [
        { key: 'rsa-oaep-mgf1p', keyPlace: 'beside' },
        { key: 'rsa-oaep', hash: 'sha1' },
        { key: 'rsa-oaep', hash: 'sha256' },
      ] as const)
        expect(await attemptWith((asked) => withEncrypted(own(asked), { certificate, content, ...how }))).toEqual(
          signedIn(person),
        )
  })

  test('that is signed inside, by the response around it, or by both', async () => {
    expect(await attemptWith((asked) => withEncrypted(own(asked), { certificate }))).toEqual(signedIn(person))
    expect(await attemptWith((asked) => signedAround(asked, false))).toEqual(signedIn(person))
    expect(await attemptWith((asked) => signedAround(asked, true))).toEqual(signedIn(person))
  })

  test('only where what the configuration wants signed is signed', async () => {
    const strict = await company(portal, { wantAssertionsSigned: true, key: theirs.key })
    const { email } = await employee(portal, strict)
    const craft = (assertion: boolean) => (asked: Asked) => {
      const answer = answerTo(asked, { nameId: email })
      const inside = assertionOf(signedAnswer(answer, { key: strict.key, assertion }))
      return sign(responseXml(answer, encrypted(inside, { certificate })), answer.responseId, strict.key)
    }
    expect(await attempt(portal, { company: strict, craft: craft(false) })).toEqual(refused(/assertion is not signed/))
    expect(await attempt(portal, { company: strict, craft: craft(true) })).toMatchObject({ signedInAs: email })
  })
})

const cipherValue = /(?<=<xenc:CipherValue>)[^<]+/g
/** Changes the bytes of the key (0) or of the content (1). */
const changed = (which: 0 | 1, change: (bytes: Buffer) => Buffer) => (xml: string) => {
  let at = 0
  return xml.replace(cipherValue, (base64) =>
    at++ === which ? change(Buffer.from(base64, 'base64')).toString('base64') : base64,
  )
}
const flipped = (at: number) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at < 0 ? copy.length + at : at) ^ 1, at < 0 ? copy.length + at : at)
  return copy
}
const keyOf = (xml: string) => /<xenc:EncryptedKey.*<\/xenc:EncryptedKey>/s.exec(xml)?.[0] ?? ''
const right = (asked: Asked) => withEncrypted(own(asked), { certificate })
const of = (how: Partial<Encryption>) => (asked: Asked) => withEncrypted(own(asked), { certificate, ...how })
const spoilt = (spoil: (xml: string) => string) => (asked: Asked) => spoil(right(asked))

const methodBySha256 =
  '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#rsa-oaep"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><x:MGF xmlns:x="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/></xenc:EncryptionMethod>'
const elsewhere = '<saml:Assertion xmlns:saml="urn:x">x</saml:Assertion>'

describe('nobody learns from an answer what decryption failed at', () => {
  const unreadable: Record<string, (asked: Asked) => string> = {
    'a changed tag': spoilt(changed(1, flipped(-1))),
    'a changed content': spoilt(changed(1, flipped(40))),
    'a changed initialisation vector': spoilt(changed(1, flipped(0))),
    'a tag that is cut off': spoilt(changed(1, (bytes) => bytes.subarray(0, -12))),
    'a content of four bytes': spoilt(changed(1, (bytes) => bytes.subarray(0, 4))),
    'no content': spoilt(changed(1, () => Buffer.alloc(0))),
    'a changed key': spoilt(changed(0, flipped(100))),
    'a key that is too short': spoilt(changed(0, (bytes) => bytes.subarray(1))),
    'a key of another response': spoilt((xml) =>
      xml.replace(keyOf(xml), keyOf(withEncrypted(elsewhere, { certificate }))),
    ),
    "another reader's key": of({ certificate: selfSigned({ name: 'other.example' }).certificate }),
    'a key of another size': spoilt((xml) => xml.replace('aes256-gcm', 'aes128-gcm')),
    'a key by another hash': (asked) =>
      right(asked).replace(/<xenc:EncryptionMethod Algorithm="[^"]+mgf1p"\/>/, () => methodBySha256),
    'no key': spoilt((xml) => xml.replace(keyOf(xml), '')),
    'two keys': spoilt((xml) => xml.replace(keyOf(xml), (key) => key + key)),
    'an address in place of the content': spoilt((xml) =>
      xml.replace(/<xenc:CipherValue>[^<]+<\/xenc:CipherValue>/, '<xenc:CipherReference URI="http://127.0.0.1/x"/>'),
    ),
    'a content that is not the element': spoilt((xml) => xml.replace('xmlenc#Element"', 'xmlenc#Content"')),
    'no base64': spoilt((xml) => xml.replace(cipherValue, 'a')),
  }
  const notAllowed: Record<string, (asked: Asked) => string> = {
    'AES-CBC': of({ content: 'aes128-cbc' }),
    'RSA 1.5': of({ key: 'rsa-1_5' }),
    'CBC in the place of GCM': spoilt((xml) => xml.replace('2009/xmlenc11#aes256-gcm', '2001/04/xmlenc#aes256-cbc')),
    'RSA 1.5 in the place of OAEP': spoilt((xml) => xml.replace('rsa-oaep-mgf1p', 'rsa-1_5')),
    'two hashes in OAEP': (asked) =>
      of({ key: 'rsa-oaep', hash: 'sha256' })(asked).replace('xmlenc11#mgf1sha256', 'xmlenc11#mgf1sha1'),
    'an unknown algorithm': spoilt((xml) => xml.replace('aes256-gcm', 'aes512-gcm')),
  }

  // Failures from one address are limited.
  beforeEach(() => portal.advance(301))
  const said = new Set<string>()
  /** What the browser gets, without what differs between any two sign-ins. */
  async function pageOf(craft: (asked: Asked) => string) {
    const asked = await askCompany(portal, portal.browser(), theirs)
    const { statusCode, body, headers } = await deliver(portal, theirs, craft(asked), asked.relayState)
    const location = String(headers.location)
      .replace(asked.uid, '')
      .replace(/reference=[^&]+/, '')
    return JSON.stringify({ statusCode, body, location, names: Object.keys(headers).sort() })
  }
  const cases = [
    ...Object.entries(unreadable).map(([what, craft]) => ({ what, craft, because: /could not be decrypted/ })),
    ...Object.entries(notAllowed).map(([what, craft]) => ({ what, craft, because: /algorithm that is not allowed/ })),
  ]
  test.each(cases)('$what', async ({ craft, because }) => {
    expect(await attemptWith(craft)).toEqual(refused(because))
    said.add(await pageOf(craft))
  })
  test('all of them are answered alike, and like a response that somebody else signed', async () => {
    said.add(
      await pageOf((asked) =>
        withEncrypted(companyAnswer({ ...theirs, key: selfSigned({ name: 'x' }) }, asked, { nameId: 'x@y.se' }), {
          certificate,
        }),
      ),
    )
    expect(said.size).toBe(1)
    expect([...said][0]).toContain('error=samlFailed')
  })
  test('the sign-ins of the configuration say that it was encrypted', async () => {
    const rows = await portal.system.db.selectFrom('samlSignIns').select('failure').execute()
    expect(rows.filter(({ failure }) => failure === 'encrypted').length).toBeGreaterThan(20)
  })
})

describe('AES-CBC', () => {
  const key = selfSigned({ name: 'cbc.example' })
  const set = async (id: number, options: object) => {
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    return root.put('/api/saml-configs', { id, ...options })
  }
  async function withCbc() {
    const of = await company(portal, { key })
    const answer = await set(of.configId, { cbcAllowed: true, wantAuthnResponseSigned: true })
    expect(answer.json()).toMatchObject({ cbcAllowed: true })
    return { of, person: await employee(portal, of) }
  }
  const cbc = { certificate, content: 'aes256-cbc' } as const
  /** The whole response is signed around what is encrypted, as AD FS and Entra ID can. */
  const signedBy =
    (who: typeof key, email: string, how: Encryption = cbc) =>
    (asked: Asked) => {
      const answer = answerTo(asked, { nameId: email })
      const assertion = assertionOf(signedAnswer(answer, { key, assertion: true }))
      return sign(responseXml(answer, encrypted(assertion, how)), answer.responseId, who)
    }
  beforeEach(() => portal.advance(301))

  test('is decrypted in a response that is signed as a whole, where the configuration says so', async () => {
    const { of, person: theirPerson } = await withCbc()
    const { email } = theirPerson
    for (const content of ['aes128-cbc', 'aes192-cbc', 'aes256-cbc', 'aes256-gcm'] as const)
      expect(await attempt(portal, { company: of, craft: signedBy(key, email, { certificate, content }) })).toEqual(
        signedIn(theirPerson),
      )
    const { body } = await portal.browser().get(`/saml/${of.configId}/metadata`)
    expect(body).not.toContain('aes256-cbc')
    await set(of.configId, { encryptionEnabled: true })
    expect((await portal.browser().get(`/saml/${of.configId}/metadata`)).body).toContain('aes256-cbc')
  })

  test('is refused where the configuration does not say so, although the response is signed', async () => {
    expect(await attemptWith((asked) => signedAround(asked, true, cbc))).toEqual(
      refused(/algorithm that is not allowed/),
    )
  })

  test('cannot be switched on without the signature of the response', async () => {
    const { configId } = await company(portal)
    const answer = await set(configId, { cbcAllowed: true })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().issues).toEqual([{ path: 'cbcAllowed', message: 'cbcNeedsSignedResponse' }])
    const { of } = await withCbc()
    expect((await set(of.configId, { wantAuthnResponseSigned: false })).statusCode).toBe(422)
  })

  test('is no oracle: whatever somebody changes of an answer that they caught is refused before it is decrypted', async () => {
    const { of, person: theirPerson } = await withCbc()
    const caught = signedBy(key, theirPerson.email)
    const unsigned = (asked: Asked) => {
      const answer = answerTo(asked, { nameId: theirPerson.email })
      return responseXml(answer, encrypted(assertionOf(signedAnswer(answer, { key, assertion: true })), cbc))
    }
    const other = selfSigned({ name: 'attacker.example' })
    // The last block's padding, right and wrong; a key that does and does not unwrap; a block that is missing.
    const changes: ((bytes: Buffer) => Buffer)[] = [
      ...[-17, -18, -32, 0, 40].map(flipped),
      (bytes) => bytes.subarray(0, -16),
      (bytes) => bytes.subarray(0, -1),
      (bytes) => bytes.subarray(0, 32),
    ]
    const crafts = changes.flatMap((change) => [
      (asked: Asked) => changed(1, change)(caught(asked)),
      (asked: Asked) => changed(1, change)(unsigned(asked)),
      (asked: Asked) => changed(1, change)(signedBy(other, theirPerson.email)(asked)),
    ])
    const keys = [0, 100].flatMap((at) => [
      (asked: Asked) => changed(0, flipped(at))(caught(asked)),
      (asked: Asked) => changed(0, flipped(at))(unsigned(asked)),
    ])
    const seen = new Set<string>()
    for (const craft of [...crafts, ...keys, unsigned, signedBy(other, theirPerson.email)]) {
      const asked = await askCompany(portal, portal.browser(), of)
      const logged = portal.logged.length
      const { statusCode, headers } = await deliver(portal, of, craft(asked), asked.relayState)
      const location = String(headers.location)
        .replace(asked.uid, '')
        .replace(/reference=[^&]+/, '')
      seen.add(`${statusCode} ${location}`)
      const reason = portal.logged.slice(logged).find((line) => line.reason)?.reason
      expect(String(reason)).toMatch(/not signed/)
      portal.advance(61)
    }
    expect([...seen]).toHaveLength(1)
    expect([...seen][0]).toContain('error=samlFailed')
  }, 60_000)
})
