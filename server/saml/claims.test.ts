import { describe, expect, test } from 'vitest'
import { type Answer, answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Asked, company, companyAnswer, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'

const { portal, theirs, person } = await portalWithCompany()

type Change = (asked: Asked) => Partial<Answer>
const secondsFrom = ({ now }: Asked, seconds: number) => new Date(now.getTime() + seconds * 1000)
const attemptChanged = (change: Change, of = theirs, who = person) =>
  attempt(portal, {
    company: of,
    craft: (asked) => companyAnswer(of, asked, { nameId: who.email }, change(asked)),
  })

test('a user signs in with a valid response', async () => {
  expect(await rightAttempt(portal, theirs, person)).toEqual(signedIn(person))
})

describe('a response is rejected, although the company signed it, because of', () => {
  const elsewhere = 'https://portal.elsewhere.example/saml/1/acs'
  const wrong: Record<string, [Change, RegExp]> = {
    'another audience': [() => ({ audiences: ['https://elsewhere.example'] }), /another audience/],
    'an audience that begins like ours': [({ audience }) => ({ audiences: [`${audience}/more`] }), /another audience/],
    'an empty list of audiences': [() => ({ audiences: [] }), /another audience/],
    'no audience': [() => ({ audiences: null }), /names no audience/],
    'another issuer of the assertion': [
      () => ({ assertionIssuer: 'https://idp.elsewhere.example' }),
      /assertion is of another issuer/,
    ],
    'another issuer of the response': [
      () => ({ responseIssuer: 'https://idp.elsewhere.example' }),
      /answer is of another issuer/,
    ],
    'another recipient': [() => ({ recipient: elsewhere }), /another recipient/],
    'the recipient of another configuration': [
      ({ acsUrl }) => ({ recipient: acsUrl.replace(/\d+/, '999') }),
      /another recipient/,
    ],
    'no recipient': [() => ({ recipient: null }), /another recipient/],
    'another destination': [() => ({ destination: elsewhere }), /for another address/],
    'no conditions': [() => ({ conditions: false }), /one Conditions/],
    'a confirmation without an end': [() => ({ confirmationNotOnOrAfter: null }), /no NotOnOrAfter/],
    'neither end': [() => ({ confirmationNotOnOrAfter: null, notOnOrAfter: null }), /no NotOnOrAfter/],
    'conditions without an end, and a confirmation that is over': [
      (asked) => ({ notOnOrAfter: null, confirmationNotOnOrAfter: secondsFrom(asked, -31) }),
      /not valid any more/,
    ],
    'a confirmation by a key': [() => ({ confirmationMethod: 'holder-of-key' }), /no bearer confirmation/],
    'a confirmation by the sender': [() => ({ confirmationMethod: 'sender-vouches' }), /no bearer confirmation/],
    'a confirmation without a request': [
      () => ({ confirmationInResponseTo: null }),
      /assertion answers another request/,
    ],
    'a confirmation of another request': [
      () => ({ confirmationInResponseTo: '_another' }),
      /assertion answers another request/,
    ],
    'another request': [() => ({ inResponseTo: '_another' }), /answer is for another request/],
    'no request at all': [
      () => ({ inResponseTo: null, confirmationInResponseTo: null }),
      /assertion answers another request/,
    ],
    'conditions that are over': [(asked) => ({ notOnOrAfter: secondsFrom(asked, -31) }), /not valid any more/],
    'conditions that begin later': [(asked) => ({ notBefore: secondsFrom(asked, 31) }), /not valid yet/],
    'a confirmation that is over': [
      (asked) => ({ confirmationNotOnOrAfter: secondsFrom(asked, -31) }),
      /not valid any more/,
    ],
    'a confirmation that begins later': [
      (asked) => ({ confirmationNotBefore: secondsFrom(asked, 31) }),
      /not valid yet/,
    ],
    'an issue of later': [(asked) => ({ issueInstant: secondsFrom(asked, 61) }), /issued later than now/],
    'a status of the asker’s fault': [() => ({ status: 'Requester' }), /did not sign the person in/],
    'a status of failure': [() => ({ status: 'Responder' }), /did not sign the person in/],
    'a status of a refused sign-in': [() => ({ status: 'AuthnFailed' }), /did not sign the person in/],
    'a status that ends like a success': [() => ({ status: 'NoSuccess' }), /did not sign the person in/],
    'nobody’s name': [() => ({ nameId: '' }), /neither a personal number/],
  }
  test.each(Object.entries(wrong))('%s', async (_, [change, because]) => {
    expect(await attemptChanged(change)).toEqual(refused(because))
  })

  test('a failed sign-in at the identity provider, with a status and no assertion', async () => {
    const craft = (asked: Asked) => {
      const answer = { ...answerTo(asked, { nameId: person.email }), status: 'Responder' }
      return sign(responseXml(answer, ''), answer.responseId, theirs.key)
    }
    expect(await attempt(portal, { company: theirs, craft })).toEqual(refused())
  })

  test('an assertion without a subject, or without a subject confirmation', async () => {
    for (const part of [
      /<saml:Subject>.*<\/saml:Subject>/,
      /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/,
    ]) {
      const craft = (asked: Asked) => {
        const answer = answerTo(asked, { nameId: person.email })
        const xml = responseXml(answer).replace(part, '')
        return sign(xml, answer.assertionId, theirs.key)
      }
      expect(await attempt(portal, { company: theirs, craft })).toEqual(refused())
    }
  })

  test('an invalid time', async () => {
    for (const name of ['NotOnOrAfter', 'NotBefore']) {
      const craft = (asked: Asked) => {
        const answer = answerTo(asked, { nameId: person.email })
        const xml = responseXml(answer).replaceAll(new RegExp(` ${name}="[^"]+"`, 'g'), ` ${name}="some day"`)
        return sign(xml, answer.assertionId, theirs.key)
      }
      expect(await attempt(portal, { company: theirs, craft })).toEqual(refused())
    }
  })
})

describe('a response is valid', () => {
  const good: Record<string, Change> = {
    'with conditions without an end, while the confirmation lasts': () => ({ notOnOrAfter: null }),
    'with conditions that were over half a minute ago': (asked) => ({ notOnOrAfter: secondsFrom(asked, -29) }),
    'with conditions that begin in half a minute': (asked) => ({ notBefore: secondsFrom(asked, 29) }),
    'issued by a clock that is a minute ahead': (asked) => ({ issueInstant: secondsFrom(asked, 60) }),
    'with a confirmation that was over half a minute ago': (asked) => ({
      confirmationNotOnOrAfter: secondsFrom(asked, -29),
    }),
    'for several audiences, when we are one': ({ audience }) => ({ audiences: ['https://other.example', audience] }),
    'without a beginning': () => ({ notBefore: null }),
    'without an issuer of the response': () => ({ responseIssuer: null }),
  }
  test.each(Object.entries(good))('%s', async (_, change) => {
    expect(await attemptChanged(change)).toEqual(signedIn(person))
  })

  test('from any issuer if none is configured', async () => {
    const open = await company(portal, { entityId: null })
    const somebody = await employee(portal, open)
    const anyIssuer = () => ({ assertionIssuer: 'https://any.example', responseIssuer: 'https://any.example' })
    expect(await attemptChanged(anyIssuer, open, somebody)).toEqual(signedIn(somebody))
  })
})
