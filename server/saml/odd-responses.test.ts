import { describe, expect, test } from 'vitest'
import { answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import type { Asked } from '#test/saml/company.ts'
import { type Part, parts, subjectOf, valuesOf, withPart } from '#test/saml/odd-responses.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { profilesPage } from '#test/saml/profiles-page.ts'
import { unlimited } from '#test/unlimited.ts'

// Every part of a response, left out, empty and wrong, signed by the company all the same: the kinds that spid-sp-test has.

const { portal, theirs, person } = await portalWithCompany(unlimited)

/** Signs the assertion; one without an id or issuer can only be signed with the response around it. */
function craft(part: Part, value: ReturnType<typeof valuesOf>[string]) {
  return (asked: Asked) => {
    const answer = answerTo(asked, subjectOf(part, person.email))
    const xml = withPart(responseXml(answer), part, typeof value === 'function' ? value(asked) : value)
    const assertion = xml.slice(xml.indexOf('<saml:Assertion'))
    const id = / ID="([^"]+)"/.exec(assertion.slice(0, assertion.indexOf('>')))?.[1]
    return sign(xml, id && assertion.includes('<saml:Issuer') ? id : answer.responseId, theirs.key)
  }
}

test('a user signs in with the response that is changed', async () => {
  expect(await rightAttempt(portal, theirs, person)).toEqual(signedIn(person))
})

const cases = parts.flatMap((part) =>
  Object.entries(valuesOf(part)).map(([what, value]) => ({ part, what, value, name: `${part.name}, ${part.subject}` })),
)

describe('of a response', () => {
  test.each(cases)('$name: $what', async ({ part, what, value }) => {
    const outcome = await attempt(portal, { company: theirs, craft: craft(part, value) })
    expect(outcome).toEqual(part.taken.includes(what) ? signedIn(person) : refused())
  })

  test('there are as many odd ones as spid-sp-test has, and more', () => {
    expect(cases.length).toBeGreaterThan(116)
  })
})

test('docs/saml-profiles.md has the verdict of each', async () => {
  await expect(profilesPage()).toMatchFileSnapshot('../../docs/saml-profiles.md')
})
