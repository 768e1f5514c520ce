import { describe, expect, test } from 'vitest'
import { invitationsOf, invite } from '#test/invitations.ts'
import { attempt, beganAgain, outcomeOf, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Asked, askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { openSignIn } from '#test/sign-in.ts'
import type { TestApp } from '#test/test-app.ts'

const { portal, theirs, person } = await portalWithCompany()
const others = await company(portal)

test('both companies sign in their own people', async () => {
  expect(await rightAttempt(portal, theirs, person)).toEqual(signedIn(person))
  const colleague = await employee(portal, others)
  expect(await rightAttempt(portal, others, colleague)).toEqual(signedIn(colleague))
})

describe('a company cannot sign in the people of another', () => {
  test('with a response to its own request', async () => {
    expect(await rightAttempt(portal, others, person)).toEqual(refused(/no such person/))
  })

  test('with its own response to a request for the other', async () => {
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const xml = companyAnswer(others, asked, { nameId: person.email }, { assertionIssuer: theirs.issuer })
    const sent = (to: Company) => outcomeOf(portal, browser, () => deliver(portal, to, xml, asked.relayState))
    expect(await sent(theirs)).toEqual(refused(/not signed by this/))
    expect(await sent(others)).toEqual(beganAgain(others, /unsolicited/))
  })

  test('by an answer made for the other that is posted to it', async () => {
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const xml = companyAnswer(theirs, asked, { nameId: person.email })
    expect(await outcomeOf(portal, browser, () => deliver(portal, others, xml, asked.relayState))).toEqual(
      beganAgain(others, /unsolicited/),
    )
  })

  test('with its own request and the recipient of the other', async () => {
    const browser = portal.browser()
    const [own, foreign] = [await askCompany(portal, browser, others), await askCompany(portal, browser, theirs)]
    const mixed = { ...own, acsUrl: foreign.acsUrl, audience: foreign.audience }
    const xml = companyAnswer(others, mixed, { nameId: person.email })
    const sent = (to: Company) => outcomeOf(portal, browser, () => deliver(portal, to, xml, own.relayState))
    expect(await sent(theirs)).toEqual(beganAgain(theirs, /unsolicited/))
    expect(await sent(others)).toEqual(refused(/for another address/))
  })

  test('with the same key and the same issuer', async () => {
    const twin = await company(portal, { key: theirs.key, entityId: null })
    expect(await rightAttempt(portal, twin, person)).toEqual(refused(/no such person/))
  })
})

test('nobody is sent to a company because a friend with the same mail domain signs in there', async () => {
  const friend = await employee(portal, theirs, { email: 'friend@freemail.example' })
  const sentTo = async (email: string) => {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    return (await browser.get(`${page}/saml?${new URLSearchParams({ email })}`)).headers.location
  }
  expect(await sentTo(friend.email)).toContain('SAMLRequest=')
  for (const stranger of ['stranger@freemail.example', 'stranger@sub.freemail.example'])
    expect(await sentTo(stranger)).toMatch(/^\/interaction\/[^/]*error=samlFailed$/)
})

describe('whom a company cannot sign in', () => {
  const people: Record<string, Parameters<TestApp['person']>[0]> = {
    'a super user': { superUser: true, loginMethod: 'local', samlConfigId: null },
    'a person with a password': { loginMethod: 'local', samlConfigId: null },
    'a person with a password and a code': { loginMethod: 'local2FA', samlConfigId: null },
    'a person with BankID': { loginMethod: 'bankid', samlConfigId: null },
    'a passive person': { passive: true },
  }
  test.each(Object.entries(people))('%s', async (_, options) => {
    const member = await employee(portal, theirs, options)
    expect(await rightAttempt(portal, theirs, member)).toEqual(refused(/no such person|is passive/))
  })

  test('a person who was only invited', async () => {
    const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin()
    const email = `invited@${theirs.mailDomain}`
    await invite(browser, organizationId, email)
    expect(await rightAttempt(portal, theirs, { accountId: '', email })).toEqual(refused(/no such person/))
  })

  test('an unknown person', async () => {
    const unknown = { accountId: '', email: `nobody@${theirs.mailDomain}` }
    expect(await rightAttempt(portal, theirs, unknown)).toEqual(refused(/no such person/))
  })

  test('a person who moved to another company between request and response', async () => {
    const member = await employee(portal, theirs)
    const moved = { company: theirs, craft: (asked: Asked) => companyAnswer(theirs, asked, { nameId: member.email }) }
    expect(await attempt(portal, moved)).toEqual(signedIn(member))
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const { headers } = await deliver(
      portal,
      theirs,
      companyAnswer(theirs, asked, { nameId: member.email }),
      asked.relayState,
    )
    await portal.system.db
      .updateTable('users')
      .set({ samlConfigId: others.configId })
      .where('accountId', '=', member.accountId)
      .execute()
    await browser.follow(await browser.get(String(headers.location)))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })
})

describe('who is meant', () => {
  const attemptAs = (nameId: string, attributes: Record<string, string> = {}) =>
    attempt(portal, { company: theirs, craft: (asked) => companyAnswer(theirs, asked, { nameId, attributes }) })

  test('is found by the address, in any spelling', async () => {
    expect(await attemptAs(person.email.toUpperCase())).toEqual(signedIn(person))
  })

  test('is found by the personal number, even with a different name ID', async () => {
    const member = await employee(portal, theirs, { ssn: '199908072391', ssnProof: 'bankid' })
    expect(await attemptAs('x7-82-opaque', { ssn: '199908072391' })).toEqual(signedIn(member))
    expect(await attemptAs(person.email, { ssn: '199908072391' })).toEqual(signedIn(member))
  })

  test('is never a person of another company with that personal number', async () => {
    await employee(portal, others, { ssn: '201701102384' })
    expect(await attemptAs('x7-82-opaque', { ssn: '201701102384' })).toEqual(refused(/no such person/))
  })

  test('is not found by the address when the personal number differs', async () => {
    const member = await employee(portal, theirs, { ssn: '191212121212' })
    expect(await attemptAs(member.email, { ssn: '201701102384' })).toEqual(refused(/no such person/))
  })

  test('is found by the address while the number is unknown or a placeholder', async () => {
    for (const ssn of [null, 'placeholder-17']) {
      const member = await employee(portal, theirs, { ssn })
      expect(await attemptAs(member.email, { ssn: '201701102384' })).toEqual(signedIn(member))
    }
  })

  const victim = () => employee(portal, theirs)
  test('is not the part of a name before or after a comment', async () => {
    const { email } = await victim()
    const evil = `${email}.evil.example`
    for (const [name, written] of [
      [evil, `${email}<!---->.evil.example`],
      [evil, `${email}<!-- x --><!-- y -->.evil.example`],
      [`evil.${email}`, `evil.<!---->${email}`],
      [`x${email}x`, `x<!---->${email}<!---->x`],
    ] as const) {
      const craft = (asked: Asked) => {
        const xml = companyAnswer(theirs, asked, { nameId: name, attributes: { mail: name, email: name } })
        expect(xml).toContain(`>${name}<`)
        return xml.replaceAll(`>${name}<`, `>${written}<`)
      }
      expect((await attempt(portal, { company: theirs, craft })).successes).not.toContain(email)
    }
  })

  test('may contain an XML comment, which changes nothing', async () => {
    const craft = (asked: Asked) =>
      companyAnswer(theirs, asked, { nameId: person.email }).replace(
        `>${person.email}<`,
        `>${person.email.replace('@', '<!---->@')}<`,
      )
    const { successes } = await attempt(portal, { company: theirs, craft })
    expect([[], [person.email]]).toContainEqual(successes)
  })

  test('is not found by attributes with the names of JavaScript properties', async () => {
    for (const name of ['__proto__', 'constructor', 'getAssertionXml', 'nameID', 'issuer', 'toString'])
      expect(await attemptAs(`nobody@${theirs.mailDomain}`, { [name]: person.email })).toEqual(
        refused(/no such person/),
      )
  })
})
