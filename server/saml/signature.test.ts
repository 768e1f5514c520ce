import { createHash, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type Asked, company, companyAnswer, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { hmacSigned } from '#test/saml/unusual-signatures.ts'
import { signatureOf, withoutSignature } from '#test/saml/wrapping.ts'

const { portal, theirs, person } = await portalWithCompany()
const victim = await employee(portal, theirs)

const right = (asked: Asked) => answerTo(asked, { nameId: person.email })
const own = (asked: Asked) => companyAnswer(theirs, asked, { nameId: person.email })
const stranger = selfSigned({ name: 'stranger.example' })

test('a user signs in with the response that the attacks modify', async () => {
  expect(await attempt(portal, { company: theirs, craft: own })).toEqual(signedIn(person))
})

describe('a response is rejected', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64')
  const digestOf = (xml: string) => /<ds:DigestValue>([^<]+)</.exec(xml)?.[1] ?? ''
  const reference = /<ds:Reference .*<\/ds:Reference>/s
  const tampered: Record<string, [(xml: string) => string, RegExp]> = {
    'without any signature': [withoutSignature, /is not signed$/],
    'changed after signing': [(xml) => xml.replaceAll(person.email, victim.email), /not signed by this/],
    'with an empty signature': [
      (xml) => xml.replace(/<ds:SignatureValue>[^<]+</, '<ds:SignatureValue><'),
      /not signed by this|must have/,
    ],
    'with a signature that signs nothing': [(xml) => xml.replace(reference, ''), /one Reference/],
    'with a signature of no element': [(xml) => xml.replace(/ URI="[^"]+"/, ' URI=""'), /over something else/],
    'with two references': [(xml) => xml.replace(reference, '$&$&'), /one Reference/],
    'with two signatures of one element': [
      (xml) => xml.replace(signatureOf(xml), (once) => once + once),
      /one Signature/,
    ],
    'with two digests': [
      (xml) => xml.replace('<ds:DigestValue>', `$&${hash('another')}</ds:DigestValue>$&`),
      /one DigestValue/,
    ],
    'with a transform by a style sheet': [
      (xml) => xml.replace(/xml-exc-c14n#(?="\/><\/ds:Transforms>)/, 'REC-xslt-19991116'),
      /was transformed/,
    ],
  }
  test.each(Object.entries(tampered))('%s', async (_, [tamper, because]) => {
    let changed = false
    const craft = (asked: Asked) => {
      const xml = own(asked)
      const other = tamper(xml)
      changed = other !== xml
      return other
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(because))
    expect(changed).toBe(true)
  })

  // What changed is a digest of the forged answer that stands where some read it, beside the signed one.
  const besides: Record<string, (signature: string, signed: string, forged: string) => string> = {
    'with a comment in the digest that is the digest of a forged one': (signature, signed, forged) =>
      signature.replace(signed, `<!--${forged}-->${signed}`),
    'with such a comment behind the digest': (signature, signed, forged) =>
      signature.replace(signed, `${signed}<!--${forged}-->`),
    'with a forged list of what is signed before the signed one': (signature, signed, forged) =>
      signature.replace(infoOf(signature), (info) => info.replace(signed, forged) + info),
    'with a forged list of what is signed behind the signed one': (signature, signed, forged) =>
      signature.replace(infoOf(signature), (info) => info + info.replace(signed, forged)),
  }
  const infoOf = (signature: string) => /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(signature)?.[0] ?? ''
  test.each(Object.entries(besides))('%s', async (_, tamper) => {
    const craft = (asked: Asked) => {
      const answer = right(asked)
      const signature = signatureOf(signedAnswer(answer, { key: theirs.key, assertion: true }))
      const forged = signedAnswer({ ...answer, nameId: victim.email }, { key: stranger, assertion: true })
      return forged.replace(signatureOf(forged), () => tamper(signature, digestOf(signature), digestOf(forged)))
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(/a comment|one SignedInfo/))
  })

  const body = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '')
  const secrets = {
    'the certificate': (pem: string) => pem,
    'the bare certificate': body,
    'the public key': (pem: string) =>
      new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
  test.each(Object.entries(secrets))('by HMAC with %s for a secret', async (_, secret) => {
    for (const id of ['assertionId', 'responseId'] as const) {
      const craft = (asked: Asked) => {
        const answer = right(asked)
        return hmacSigned(responseXml(answer), answer[id], secret(theirs.key.certificate))
      }
      expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(/not allowed/))
    }
  })

  test('by a key of another party whose certificate is enclosed', async () => {
    const craft = (asked: Asked) => {
      const xml = signedAnswer(right(asked), { key: stranger, assertion: true, response: true })
      expect(xml).toContain(body(stranger.certificate))
      return xml
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(/not signed by this/))
  })

  test('by the company and another party, in any combination', async () => {
    for (const [inner, outer] of [
      [theirs.key, stranger],
      [stranger, theirs.key],
    ] as const) {
      const craft = (asked: Asked) => {
        const answer = right(asked)
        return sign(signedAnswer(answer, { key: inner, assertion: true }), answer.responseId, outer)
      }
      expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(/not signed by this/))
    }
  })

  test('by a key of another party, with the certificate of the company', async () => {
    const key = { privateKey: stranger.privateKey, certificate: theirs.key.certificate }
    const craft = (asked: Asked) => signedAnswer(right(asked), { key, assertion: true })
    expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(/not signed by this/))
  })
})

describe('what a configuration requires to be signed must be signed', () => {
  const wants = { wantAssertionsSigned: true, wantAuthnResponseSigned: true }
  test.each([
    { wanted: { wantAssertionsSigned: true }, signed: { response: true } },
    { wanted: { wantAuthnResponseSigned: true }, signed: { assertion: true } },
    { wanted: wants, signed: { assertion: true } },
    { wanted: wants, signed: { response: true } },
    { wanted: { wantAssertionsSigned: false, wantAuthnResponseSigned: false }, signed: {} },
  ])('wanted %o', async ({ wanted, signed }) => {
    const strict = await company(portal, wanted)
    const somebody = await employee(portal, strict)
    const attemptWith = (what: { assertion?: boolean; response?: boolean }) =>
      attempt(portal, {
        company: strict,
        craft: (asked) => signedAnswer(answerTo(asked, { nameId: somebody.email }), { key: strict.key, ...what }),
      })
    expect(await attemptWith(signed)).toEqual(refused(/is not signed$/))
    expect(await attemptWith({ assertion: true, response: true })).toEqual(signedIn(somebody))
  })
})

describe('while a company changes its key', () => {
  test('both the old and the new key are accepted, and afterwards only the new one', async () => {
    const [old, next] = [selfSigned({ name: 'old' }), selfSigned({ name: 'next' })]
    const rolling = await company(portal, { key: old, certificate: `${old.certificate}${next.certificate}` })
    const somebody = await employee(portal, rolling)
    expect(await rightAttempt(portal, rolling, somebody)).toEqual(signedIn(somebody))
    expect(await rightAttempt(portal, { ...rolling, key: next }, somebody)).toEqual(signedIn(somebody))
    await portal.system.db
      .updateTable('samlConfigs')
      .set({ certificate: next.certificate })
      .where('id', '=', rolling.configId)
      .execute()
    expect(await rightAttempt(portal, rolling, somebody)).toEqual(refused(/not signed by this/))
    expect(await rightAttempt(portal, { ...rolling, key: next }, somebody)).toEqual(signedIn(somebody))
  })
})
