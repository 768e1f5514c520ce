import { describe, expect, test } from 'vitest'
import { answerTo, newXmlId, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Asked, companyAnswer, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import {
  afterIssuer,
  assertionOf,
  forged,
  naivelyVerifies,
  replaceAssertion,
  signatureOf,
  withoutSignature,
  wrappings,
} from '#test/saml/wrapping.ts'

const { portal, theirs, person: attacker } = await portalWithCompany()
const victim = await employee(portal, theirs)

const own = (asked: Asked) => companyAnswer(theirs, asked, { nameId: attacker.email })
const victims = (xml: string) => forged(xml, attacker.email, victim.email)

test('a user signs in with the response that the attacks modify, also when the whole response is signed', async () => {
  expect(await rightAttempt(portal, theirs, attacker)).toEqual(signedIn(attacker))
  const craft = (asked: Asked) =>
    signedAnswer(answerTo(asked, { nameId: attacker.email }), { key: theirs.key, response: true })
  expect(await attempt(portal, { company: theirs, craft })).toEqual(signedIn(attacker))
})

describe('a user cannot become another user by wrapping the own response', () => {
  test.each(wrappings)('$name', async ({ signed, wrap }) => {
    let real = false
    const craft = (asked: Asked) => {
      const answer = answerTo(asked, { nameId: attacker.email })
      const xml = wrap(signedAnswer(answer, { key: theirs.key, [signed]: true }), attacker.email, victim.email)
      real = naivelyVerifies(xml, theirs.key.certificate) && xml.includes(`>${victim.email}<`)
      return xml
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(
      refused(/one Assertion|not a SAML response|an id twice/),
    )
    expect(real).toBe(true)
  })
})

describe('a response with two assertions is rejected', () => {
  const two: Record<string, (asked: Asked) => string> = {
    'the forged one behind the signed one'(asked) {
      const xml = own(asked)
      return replaceAssertion(xml, assertionOf(xml) + victims(assertionOf(xml)))
    },
    'both signed by the company'(asked) {
      const [xml, other] = [own(asked), companyAnswer(theirs, asked, { nameId: victim.email })]
      return replaceAssertion(xml, assertionOf(xml) + assertionOf(other))
    },
    'both under the signature of the response'(asked) {
      const answer = answerTo(asked, { nameId: attacker.email })
      const other = responseXml({ ...answer, nameId: victim.email, assertionId: newXmlId() })
      const xml = responseXml(answer, assertionOf(responseXml(answer)) + assertionOf(other))
      return sign(xml, answer.responseId, theirs.key)
    },
    'the same one twice'(asked) {
      const xml = own(asked)
      return replaceAssertion(xml, assertionOf(xml) + assertionOf(xml))
    },
    'the signed one in a response inside the response'(asked) {
      const xml = own(asked)
      return replaceAssertion(xml, victims(assertionOf(xml)) + xml)
    },
  }
  test.each(Object.entries(two))('%s', async (_, craft) => {
    expect(await attempt(portal, { company: theirs, craft })).toEqual(
      refused(/one Assertion|not a SAML response|an id twice/),
    )
  })
})

describe('an assertion counts only in its proper place', () => {
  const extensions = (xml: string, what: string) => afterIssuer(xml, `<samlp:Extensions>${what}</samlp:Extensions>`)
  const object = (xml: string, what: string) =>
    afterIssuer(
      xml,
      `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:Object>${what}</ds:Object></ds:Signature>`,
    )
  const advice = (xml: string, what: string) =>
    xml.replace('</saml:Conditions>', () => `</saml:Conditions><saml:Advice>${what}</saml:Advice>`)
  const misplaced: Record<string, (xml: string, signed: string) => string> = {
    'the signed one in the extensions, a forged one in its place': (xml, signed) =>
      replaceAssertion(extensions(replaceAssertion(xml, ''), signed), victims(signed)),
    'the signed one in the extensions, none in its place': (xml, signed) =>
      extensions(replaceAssertion(xml, ''), signed),
    'the signed one in an object, a forged one in its place': (xml, signed) =>
      object(replaceAssertion(xml, victims(signed)), signed),
    'the signed one in an object, none in its place': (xml, signed) => object(replaceAssertion(xml, ''), signed),
    'the signed one in the advice of a forged one': (xml, signed) =>
      replaceAssertion(xml, advice(victims(signed), signed)),
    'the signed one in the status': (xml, signed) =>
      replaceAssertion(xml, '').replace('</samlp:Status>', `<samlp:StatusDetail>${signed}</samlp:StatusDetail>$&`),
    'the signed one where the answer should be': (_, signed) => signed,
  }
  test.each(Object.entries(misplaced))('%s', async (_, move) => {
    const craft = (asked: Asked) => {
      const xml = own(asked)
      return move(xml, assertionOf(xml))
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(
      refused(/one Assertion|not a SAML response|an id twice/),
    )
  })
})

describe('two elements with the same id are rejected', () => {
  const idOf = (xml: string) => / ID="([^"]+)"/.exec(xml)?.[1] ?? ''
  const under = (id: string, xml: string, name = 'ID') => xml.replace(/ ID="[^"]+"/, ` ${name}="${id}"`)
  const duplicates: Record<string, (xml: string, signed: string) => string> = {
    'a forged assertion before the signed one': (xml, signed) =>
      replaceAssertion(xml, under(idOf(signed), victims(signed)) + signed),
    'a forged assertion behind the signed one': (xml, signed) =>
      replaceAssertion(xml, signed + under(idOf(signed), victims(signed))),
    'a forged assertion with the signature, the signed one in the extensions': (xml, signed) =>
      replaceAssertion(xml, afterIssuer(under(idOf(signed), victims(signed)), signatureOf(signed))).replace(
        '<samlp:Status>',
        () => `<samlp:Extensions>${withoutSignature(signed)}</samlp:Extensions><samlp:Status>`,
      ),
    'the response and the assertion': (xml, signed) => under(idOf(signed), xml),
    'another element by the name Id': (xml, signed) =>
      afterIssuer(xml, `<samlp:Extensions><x xmlns="urn:x" Id="${idOf(signed)}"/></samlp:Extensions>`),
  }
  test.each(Object.entries(duplicates))('%s', async (_, duplicate) => {
    const craft = (asked: Asked) => {
      const xml = own(asked)
      return duplicate(xml, assertionOf(xml))
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(
      refused(/one Assertion|not a SAML response|an id twice/),
    )
  })
})

describe('a response with a valid assertion is rejected if it also has', () => {
  const response = (xml: string) => xml.replace(/<saml:Issuer>.*(?=<\/samlp:Response>)/s, '')
  const additions: Record<string, [(xml: string) => string, RegExp]> = {
    'another response in its extensions': [
      (xml) => afterIssuer(xml, `<samlp:Extensions>${response(xml).replace(/ ID="[^"]+"/, '')}</samlp:Extensions>`),
      /more than one Response/,
    ],
    'a signature in its extensions': [
      (xml) => afterIssuer(xml, `<samlp:Extensions>${signatureOf(xml)}</samlp:Extensions>`),
      /signature out of place/,
    ],
    'a part that nobody knows': [(xml) => afterIssuer(xml, '<x xmlns="urn:x"/>'), /an unknown part/],
  }
  test.each(Object.entries(additions))('%s', async (_, [add, because]) => {
    expect(await attempt(portal, { company: theirs, craft: (asked) => add(own(asked)) })).toEqual(refused(because))
  })
})
