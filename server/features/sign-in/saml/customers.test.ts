import { describe, expect, test } from 'vitest'
import { attempt, outcomeOf, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Asked, askCompany, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import type { TestApp } from '#test/test-app.ts'

const { portal, theirs, person } = await portalWithCompany()
const others = await company(portal)

test('both companies sign their own people in', async () => {
  expect(await rightAttempt(portal, theirs, person)).toEqual(signedIn(person))
  const colleague = await employee(portal, others)
  expect(await rightAttempt(portal, others, colleague)).toEqual(signedIn(colleague))
})

describe('a company cannot sign in the people of another', () => {
  test('by an answer to its own question', async () => {
    expect(await rightAttempt(portal, others, person)).toEqual(refused(/no such person/))
  })

  test('by its own answer to a question that was for the other', async () => {
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const xml = companyAnswer(others, asked, { nameId: person.email }, { assertionIssuer: theirs.issuer })
    for (const to of [theirs, others])
      expect(await outcomeOf(portal, browser, () => deliver(portal, to, xml, asked.relayState))).toEqual(
        refused(/not signed by this|nobody had asked/),
      )
  })

  test('by an answer made for the other that is posted to it', async () => {
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const xml = companyAnswer(theirs, asked, { nameId: person.email })
    expect(await outcomeOf(portal, browser, () => deliver(portal, others, xml, asked.relayState))).toEqual(
      refused(/nobody had asked/),
    )
  })

  test('by a question of its own and the recipient of the other', async () => {
    const browser = portal.browser()
    const [own, foreign] = [await askCompany(portal, browser, others), await askCompany(portal, browser, theirs)]
    const mixed = { ...own, acsUrl: foreign.acsUrl, audience: foreign.audience }
    const xml = companyAnswer(others, mixed, { nameId: person.email })
    for (const to of [theirs, others])
      expect(await outcomeOf(portal, browser, () => deliver(portal, to, xml, own.relayState))).toEqual(
        refused(/for another address|nobody had asked/),
      )
  })

  test('with the same key and the same issuer', async () => {
    const twin = await company(portal, { key: theirs.key, entityId: null })
    expect(await rightAttempt(portal, twin, person)).toEqual(refused(/no such person/))
  })
})

describe('whom a company cannot sign in', () => {
  const people: Record<string, Parameters<TestApp['person']>[0]> = {
    'a super user': { superUser: true },
    'somebody with a password': { loginMethod: 'local', samlConfigId: null },
    'somebody with a password and a code': { loginMethod: 'local2FA', samlConfigId: null },
    'somebody with BankID': { loginMethod: 'bankid', samlConfigId: null },
    'somebody passive': { passive: true },
    'somebody who was only invited': { pending: true },
  }
  test.each(Object.entries(people))('%s', async (_, options) => {
    const somebody = await employee(portal, theirs, options)
    expect(await rightAttempt(portal, theirs, somebody)).toEqual(refused(/no such person|is passive|not accepted/))
  })

  test('somebody unknown', async () => {
    const unknown = { accountId: '', email: `nobody@${theirs.mailDomain}` }
    expect(await rightAttempt(portal, theirs, unknown)).toEqual(refused(/no such person/))
  })

  test('somebody who became another company’s between question and answer', async () => {
    const somebody = await employee(portal, theirs)
    const moved = { company: theirs, craft: (asked: Asked) => companyAnswer(theirs, asked, { nameId: somebody.email }) }
    expect(await attempt(portal, moved)).toEqual(signedIn(somebody))
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const { headers } = await deliver(
      portal,
      theirs,
      companyAnswer(theirs, asked, { nameId: somebody.email }),
      asked.relayState,
    )
    await portal.system.db
      .updateTable('users')
      .set({ samlConfigId: others.configId })
      .where('accountId', '=', somebody.accountId)
      .execute()
    await browser.follow(await browser.get(String(headers.location)))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })
})

describe('who is meant', () => {
  const attemptAs = (nameId: string, attributes: Record<string, string> = {}) =>
    attempt(portal, { company: theirs, craft: (asked) => companyAnswer(theirs, asked, { nameId, attributes }) })

  test('is told by the address, however it is written', async () => {
    expect(await attemptAs(person.email.toUpperCase())).toEqual(signedIn(person))
  })

  test('is the one with the personal number, whatever name stands beside it', async () => {
    const somebody = await employee(portal, theirs, { ssn: '199908072391' })
    expect(await attemptAs('x7-82-opaque', { ssn: '199908072391' })).toEqual(signedIn(somebody))
    expect(await attemptAs(person.email, { ssn: '199908072391' })).toEqual(signedIn(somebody))
  })

  test('is nobody of another company by the personal number', async () => {
    await employee(portal, others, { ssn: '201701102384' })
    expect(await attemptAs('x7-82-opaque', { ssn: '201701102384' })).toEqual(refused(/no such person/))
  })

  test('is not the one whose address it is when the personal number is another', async () => {
    const somebody = await employee(portal, theirs, { ssn: '191212121212' })
    expect(await attemptAs(somebody.email, { ssn: '201701102384' })).toEqual(refused(/no such person/))
  })

  test('is the one whose address it is while the number is not known, or only kept a place for', async () => {
    for (const ssn of [null, 'placeholder-17']) {
      const somebody = await employee(portal, theirs, { ssn })
      expect(await attemptAs(somebody.email, { ssn: '201701102384' })).toEqual(signedIn(somebody))
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

  test('may be an own name with a comment in it, which changes nothing', async () => {
    const craft = (asked: Asked) =>
      companyAnswer(theirs, asked, { nameId: person.email }).replace(
        `>${person.email}<`,
        `>${person.email.replace('@', '<!---->@')}<`,
      )
    const { successes } = await attempt(portal, { company: theirs, craft })
    expect([[], [person.email]]).toContainEqual(successes)
  })

  test('is nobody by attributes with names that mean something to the program', async () => {
    for (const name of ['__proto__', 'constructor', 'getAssertionXml', 'nameID', 'issuer', 'toString'])
      expect(await attemptAs(`nobody@${theirs.mailDomain}`, { [name]: person.email })).toEqual(
        refused(/no such person/),
      )
  })
})
