import { describe, expect, test } from 'vitest'
import { advanceKeyRotation, rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import { answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import { type Asked, companyAnswer, employee } from '#test/saml/company.ts'
import { encrypted, encryptionCertificate, withEncrypted } from '#test/saml/encrypted.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { afterIssuer, assertionOf, forged, replaceAssertion, withoutSignature, wrappings } from '#test/saml/wrapping.ts'
import { testMasterKey } from '#test/test-app.ts'

const { portal, theirs, person } = await portalWithCompany()
const victim = await employee(portal, theirs)
const certificate = await encryptionCertificate(portal, theirs)

const own = (asked: Asked) => companyAnswer(theirs, asked, { nameId: person.email })
const sealed = (text: string) => encrypted(text, { certificate })
const attemptWith = (craft: (asked: Asked) => string) => attempt(portal, { company: theirs, craft })
/** Anyone can encrypt for us. */
const forgedOf = (xml: string) => forged(assertionOf(xml), person.email, victim.email)
const many = (count: number) => '<x xmlns="urn:x"/>'.repeat(count)

describe('what is encrypted proves nothing: refused is', () => {
  const inside: Record<string, (assertion: string, xml: string) => string> = {
    'an assertion without a signature': withoutSignature,
    'a forged assertion': (_, xml) => forgedOf(xml),
    'a signed assertion that was changed': (assertion) => assertion.replaceAll(person.email, victim.email),
    'a forged assertion before the signed one': (assertion, xml) => forgedOf(xml) + assertion,
    'a forged assertion around the signed one': (assertion, xml) =>
      forgedOf(xml).replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
    'a forged assertion in the signature of the signed one': (assertion, xml) =>
      assertion.replace('</ds:Signature>', `<ds:Object>${forgedOf(xml)}</ds:Object></ds:Signature>`),
    'a whole response': (_, xml) => xml,
    'an assertion that is encrypted again': (assertion) => sealed(assertion),
    'an assertion with an encrypted name': (assertion) =>
      assertion.replace('</saml:Subject>', '<saml:EncryptedID/></saml:Subject>'),
    'a document type': (assertion) => `<!DOCTYPE x [<!ENTITY e "x">]>${assertion}`,
    'too many elements': (assertion) => assertion.replace('</saml:Subject>', `${many(2_000)}</saml:Subject>`),
    'a deep nesting': (assertion) =>
      assertion.replace('</saml:Subject>', `${'<x>'.repeat(500)}${'</x>'.repeat(500)}</saml:Subject>`),
    'an id twice': (assertion) =>
      assertion.replace('<saml:Subject', (start) => `${start} ID="${/ ID="([^"]+)"/.exec(assertion)?.[1]}"`),
    'no XML': () => 'Hello',
    nothing: () => '',
  }
  test.each(Object.entries(inside))('%s', async (_, change) => {
    const craft = (asked: Asked) => {
      const xml = own(asked)
      return replaceAssertion(xml, sealed(change(assertionOf(xml), xml)))
    }
    expect(await attemptWith(craft)).toEqual(refused())
  })

  test.each(wrappings.filter(({ signed }) => signed === 'assertion'))(
    '$name, all of it encrypted',
    async ({ wrap }) => {
      const craft = (asked: Asked) => withEncrypted(wrap(own(asked), person.email, victim.email), { certificate })
      expect(await attemptWith(craft)).toEqual(refused())
    },
  )

  const around: Record<string, (asked: Asked) => string> = {
    'a clear assertion beside an encrypted one': (asked) =>
      replaceAssertion(own(asked), assertionOf(own(asked)) + sealed(forgedOf(own(asked)))),
    'an encrypted assertion before a clear one': (asked) =>
      replaceAssertion(own(asked), sealed(forgedOf(own(asked))) + assertionOf(own(asked))),
    'two encrypted assertions': (asked) =>
      replaceAssertion(own(asked), sealed(forgedOf(own(asked))) + sealed(assertionOf(own(asked)))),
    'an encrypted assertion in the extensions': (asked) =>
      afterIssuer(own(asked), `<samlp:Extensions>${sealed(forgedOf(own(asked)))}</samlp:Extensions>`),
    'an assertion in the clear that is called encrypted': (asked) =>
      replaceAssertion(own(asked), `<saml:EncryptedAssertion>${assertionOf(own(asked))}</saml:EncryptedAssertion>`),
    'another assertion in a signed response': (asked) => {
      const answer = answerTo(asked, { nameId: person.email })
      const signed = sign(responseXml(answer, sealed(assertionOf(own(asked)))), answer.responseId, theirs.key)
      return signed.replace(/<saml:EncryptedAssertion .*<\/saml:EncryptedAssertion>/s, () =>
        sealed(forgedOf(own(asked))),
      )
    },
    'a signed response in the signature of a forged one': (asked) => {
      const answer = answerTo(asked, { nameId: person.email })
      const inside = assertionOf(signedAnswer(answer, { key: theirs.key }))
      const signed = sign(responseXml(answer, sealed(inside)), answer.responseId, theirs.key)
      return wrappings[0]?.wrap(signed, person.email, victim.email) ?? ''
    },
  }
  test.each(Object.entries(around))('%s', async (_, craft) => {
    expect(await attemptWith(craft)).toEqual(refused())
  })
})

test('a company has three months to install a new certificate for encryption: until then the old key decrypts', async () => {
  const { db, keys } = portal.system
  const step = async (seconds: number) => {
    portal.advance(seconds)
    await advanceKeyRotation({ db, keys, now: portal.now() })
    return encryptionCertificate(portal, theirs)
  }
  const signsIn = (encryptedFor: Buffer) =>
    attemptWith((asked) => withEncrypted(own(asked), { certificate: encryptedFor }))
  await rotateKeys({ db, masterKey: testMasterKey, purpose: 'samlEncryption', now: portal.now() })
  await keys.reload()
  expect(await encryptionCertificate(portal, theirs)).toEqual(certificate)
  const next = await step(301)
  expect(next).not.toEqual(certificate)
  expect(await signsIn(certificate)).toEqual(signedIn(person))
  expect(await signsIn(next)).toEqual(signedIn(person))
  expect(await step(90 * 86_400)).toEqual(next)
  expect(await signsIn(certificate)).toEqual(refused(/could not be decrypted/))
  expect(await signsIn(next)).toEqual(signedIn(person))
})
