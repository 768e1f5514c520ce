import { describe, expect, test } from 'vitest'
import { answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { type Hash, sign, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type Asked, company, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { pssSigned } from '#test/saml/unusual-signatures.ts'

const { portal, theirs, person } = await portalWithCompany()

const right = (asked: Asked) => answerTo(asked, { nameId: person.email })

describe('a signature of the company', () => {
  test.each([{ assertion: true }, { response: true }, { assertion: true, response: true }])(
    'is enough on %o',
    async (signed) => {
      const craft = (asked: Asked) => signedAnswer(right(asked), { key: theirs.key, ...signed })
      expect(await attempt(portal, { company: theirs, craft })).toEqual(signedIn(person))
    },
  )

  test.each<[Hash, Hash, boolean]>([
    ['sha256', 'sha256', true],
    ['sha512', 'sha512', true],
    ['sha512', 'sha256', true],
    ['sha384', 'sha384', true],
    ['sha256', 'sha384', true],
    ['sha1', 'sha1', false],
    ['sha1', 'sha256', false],
    ['sha256', 'sha1', false],
  ])('over %s with digests of %s counts: %s', async (signature, digest, counts) => {
    for (const id of ['assertionId', 'responseId'] as const) {
      const craft = (asked: Asked) => {
        const answer = right(asked)
        return sign(responseXml(answer), answer[id], theirs.key, signature, digest)
      }
      expect(await attempt(portal, { company: theirs, craft })).toEqual(
        counts ? signedIn(person) : refused(/not allowed/),
      )
    }
  })

  test('may be RSA-PSS, which is not a valid PKCS #1 v1.5 signature', async () => {
    const pss = (asked: Asked) => {
      const answer = right(asked)
      return pssSigned(responseXml(answer), answer.assertionId, theirs.key.privateKey)
    }
    expect(await attempt(portal, { company: theirs, craft: pss })).toEqual(signedIn(person))
    const older = (asked: Asked) =>
      pss(asked).replace('2007/05/xmldsig-more#sha256-rsa-MGF1', '2001/04/xmldsig-more#rsa-sha256')
    expect(await attempt(portal, { company: theirs, craft: older })).toEqual(refused(/not signed by this/))
  })

  test.each(['P-256', 'P-384'] as const)('may be by a key of the curve %s', async (curve) => {
    const modern = await company(portal, { key: selfSigned({ name: curve, curve }) })
    const somebody = await employee(portal, modern)
    for (const hash of ['sha256', 'sha384', 'sha512'] as const) {
      const craft = (asked: Asked) => {
        const answer = answerTo(asked, { nameId: somebody.email })
        return sign(responseXml(answer), answer.assertionId, modern.key, hash)
      }
      expect(await attempt(portal, { company: modern, craft })).toEqual(signedIn(somebody))
    }
    const weak = (asked: Asked) => {
      const answer = answerTo(asked, { nameId: somebody.email })
      return sign(responseXml(answer), answer.assertionId, modern.key, 'sha1')
    }
    expect(await attempt(portal, { company: modern, craft: weak })).toEqual(refused(/not allowed/))
  })

  test('may use no weak algorithm, even beside a strong one', async () => {
    const craft = (asked: Asked) => {
      const answer = right(asked)
      const weak = sign(responseXml(answer), answer.assertionId, theirs.key, 'sha1')
      return sign(weak, answer.responseId, theirs.key)
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(refused(/not allowed/))
  })
})

describe('a certificate of the company', () => {
  test('with a key of less than 2048 bits is not accepted', async () => {
    const weak = await company(portal, { key: selfSigned({ name: 'weak', bits: 1024 }) })
    expect(await rightAttempt(portal, weak, await employee(portal, weak))).toEqual(refused(/no usable certificate/))
  })

  test('may have expired: it is trusted by configuration', async () => {
    const key = selfSigned({ name: 'old', validFrom: new Date('2020-01-01'), validTo: new Date('2021-01-01') })
    const old = await company(portal, { key })
    const somebody = await employee(portal, old)
    expect(await rightAttempt(portal, old, somebody)).toEqual(signedIn(somebody))
  })

  test('may have no PEM header, and be next to an invalid one', async () => {
    const key = selfSigned({ name: 'bare' })
    const bare = key.certificate.replaceAll(/-----[^-]+-----|\s/g, '')
    const broken = key.certificate.replace(/^(?!-).{30}/m, 'A'.repeat(30))
    for (const certificate of [bare, `${broken}${key.certificate}`]) {
      const odd = await company(portal, { key, certificate })
      const somebody = await employee(portal, odd)
      expect(await rightAttempt(portal, odd, somebody)).toEqual(signedIn(somebody))
    }
    const none = await company(portal, { key, certificate: 'none yet' })
    expect(await rightAttempt(portal, none, await employee(portal, none))).toEqual(refused(/no usable certificate/))
  })
})
