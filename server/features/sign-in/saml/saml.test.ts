import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerTo } from '#simulators/saml-idp/answer.ts'
import { signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { askCompany, company, companyAnswer, deliver, employee, requestIn } from '#test/saml/company.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const failuresOf = async (email: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('name', '=', 'loginFailure')
      .where('target', '=', email)
      .orderBy('seq')
      .execute()
  ).map(({ changes }) => (changes as { property: string; newValue: string }[]).map(({ newValue }) => newValue))

/** Asks, is answered with this, and says where the browser is led. */
async function answered(of: Awaited<ReturnType<typeof company>>, nameId: string, browser = portal.browser()) {
  const asked = await askCompany(portal, browser, of)
  const response = await deliver(portal, of, companyAnswer(of, asked, { nameId }), asked.relayState)
  return { asked, browser, location: String(response.headers.location) }
}

describe('somebody whose company signs its people in', () => {
  test('signs in there, and comes to where they were going', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, acme, '/login?returnTo=%2Faccount')
    const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }), asked.relayState)
    expect((await browser.follow(answer)).url).toBe('/account')
    expect((await browser.get('/api/me')).json()).toMatchObject({ email, loginMethod: 'saml' })
  })

  test.each([{ response: true }, { assertion: true }, { response: true, assertion: true }])(
    'signs in with an answer that is signed like this: %o',
    async (signing) => {
      const acme = await company(portal)
      const person = await employee(portal, acme)
      const craft = (asked: Parameters<typeof answerTo>[0]) =>
        signedAnswer(answerTo(asked, { nameId: person.email }), { key: acme.key, ...signing })
      expect(await attempt(portal, { company: acme, craft })).toEqual(signedIn(person))
    },
  )

  test('is led there by the own configuration, whatever the address', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme, { email: 'consultant@elsewhere.example' })
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const sent = await browser.get(`${page}/saml?email=${email}`)
    expect(sent.headers.location).toMatch(`https://idp.${acme.mailDomain}/sso?SAMLRequest=`)
  })

  test('is led to the company of the mail domain above, like anybody there', async () => {
    const acme = await company(portal)
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const sent = await browser.get(`${page}/saml?email=nobody@sales.${acme.mailDomain}`)
    expect(sent.headers.location).toMatch(`https://idp.${acme.mailDomain}/sso?SAMLRequest=`)
  })

  test('is asked to sign in there anew where a sign-in of before is not enough', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, acme, '/login?prompt=login')
    expect(asked.request).toContain('ForceAuthn="true"')
    const long = { authnInstant: new Date(asked.now.getTime() - 3600_000) }
    const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }, long), asked.relayState)
    expect(answer.headers.location).toContain('error=samlFailed')
  })
})

describe('nobody is signed in', () => {
  test('in a browser that did not ask; and not in the one that asked any more', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const { browser, location } = await answered(acme, email)
    const other = portal.browser()
    expect((await other.follow(await other.get(location))).url).toMatch(/^\/interaction\/[\w-]+\?error=signInOver$/)
    expect((await other.get('/api/me')).statusCode).toBe(401)
    expect((await browser.get(location)).headers.location).toContain('error=signInOver')
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    expect(await failuresOf(email)).toEqual([['another browser had asked']])
  })

  test('a minute after the answer', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const { browser, location } = await answered(acme, email)
    portal.advance(61)
    expect((await browser.get(location)).headers.location).toContain('error=signInOver')
  })

  test('ten minutes after the question', async () => {
    const acme = await company(portal)
    const person = await employee(portal, acme)
    const craft: Parameters<typeof attempt>[1]['craft'] = (asked) => {
      portal.advance(601)
      return companyAnswer(acme, { ...asked, now: portal.now() }, { nameId: person.email })
    }
    expect(await attempt(portal, { company: acme, craft })).toEqual(refused())
  })

  test('who is not there, whose account is passive, or who has accepted no invitation: all are told the same', async () => {
    const acme = await company(portal)
    const people = [
      { email: `nobody@${acme.mailDomain}` },
      await employee(portal, acme, { passive: true }),
      await employee(portal, acme, { pending: true }),
    ]
    const said = []
    for (const { email } of people) {
      const { location, asked } = await answered(acme, email)
      said.push(location.replace(asked.uid, ''))
    }
    expect(new Set(said)).toEqual(new Set([`/interaction/?email=somebody%40${acme.mailDomain}&error=samlRefused`]))
    expect(await failuresOf(people[0]?.email ?? '')).toEqual([['the configuration has no such person']])
    expect(await failuresOf(people[1]?.email ?? '')).toEqual([['the person is passive']])
  })

  test('who was refused once: the company is made to ask who it is, so that it can be somebody else', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const { browser, asked } = await answered(acme, `nobody@${acme.mailDomain}`)
    const sent = await browser.get(`/interaction/${asked.uid}/saml?email=${email}`)
    expect(asked.request).not.toContain('ForceAuthn')
    expect(requestIn(new URL(String(sent.headers.location)))).toContain('ForceAuthn="true"')
  })

  test('who signs in by another way, belongs to another company, or is a super user', async () => {
    const [acme, other] = [await company(portal), await company(portal)]
    const people = [
      await employee(portal, acme, { loginMethod: 'local' }),
      await employee(portal, other),
      await employee(portal, acme, { superUser: true }),
    ]
    for (const person of people) expect(await rightAttempt(portal, acme, person)).toEqual(refused())
  })

  test('whose password was changed, or who was put out, between the answer and its end', async () => {
    const acme = await company(portal)
    const { email, accountId } = await employee(portal, acme)
    const { browser, location } = await answered(acme, email)
    await portal.system.db.updateTable('users').set({ authEpoch: 7 }).where('accountId', '=', accountId).execute()
    await browser.follow(await browser.get(location))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('by an answer that nobody asked for: a sign-in begins instead, and says so', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const asked = await askCompany(portal, portal.browser(), acme)
    for (const relayState of ['', 'made-up', 'https://evil.example/', 'x'.repeat(100)]) {
      const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }), relayState)
      expect([answer.statusCode, answer.headers.location]).toEqual([303, '/login?error=signInOver'])
    }
  })

  test('when the company did not', async () => {
    const acme = await company(portal)
    const asked = await askCompany(portal, portal.browser(), acme)
    const answer = companyAnswer(acme, asked, { nameId: 'x' }, { status: 'Responder' })
    const { headers } = await deliver(portal, acme, answer, asked.relayState)
    expect(headers.location).toContain('error=samlDeclined')
  })
})
