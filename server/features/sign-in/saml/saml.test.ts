import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerTo } from '#simulators/saml-idp/answer.ts'
import { signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Asked, askCompany, company, companyAnswer, deliver, employee, requestIn } from '#test/saml/company.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

/** The reasons in the failure events of an address. */
const failuresOf = async (email: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('name', '=', 'loginFailure')
      .where('target', '=', email)
      .orderBy('id')
      .execute()
  ).map(({ changes }) =>
    (changes as { property: string; newValue: string }[])
      .filter(({ property }) => property === 'reason')
      .map(({ newValue }) => newValue),
  )

/** Starts a sign-in and posts this response. @returns where the browser is redirected */
async function answered(of: Awaited<ReturnType<typeof company>>, nameId: string, browser = portal.browser()) {
  const asked = await askCompany(portal, browser, of)
  const response = await deliver(portal, of, companyAnswer(of, asked, { nameId }), asked.relayState)
  return { asked, browser, location: String(response.headers.location) }
}

describe('a person whose company has SAML sign-in', () => {
  test('signs in there, and reaches the requested page', async () => {
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

  test('is sent to their own configuration, with any address', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme, { email: 'consultant@elsewhere.example' })
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const sent = await browser.get(`${page}/saml?email=${email}`)
    expect(sent.headers.location).toMatch(`https://idp.${acme.mailDomain}/sso?SAMLRequest=`)
  })

  test('is sent to the company of the parent mail domain', async () => {
    const acme = await company(portal)
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const sent = await browser.get(`${page}/saml?email=nobody@sales.${acme.mailDomain}`)
    expect(sent.headers.location).toMatch(`https://idp.${acme.mailDomain}/sso?SAMLRequest=`)
  })

  test('must sign in there again when an earlier sign-in is not enough', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, acme, '/login?prompt=login')
    expect(asked.request).toContain('ForceAuthn="true"')
    const long = { authnInstant: new Date(asked.now.getTime() - 3600_000) }
    const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }, long), asked.relayState)
    expect(answer.headers.location).toContain('error=samlFailed')
  })

  test('has a fresh proof only after the company was told to ask: its own session may be of this morning', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const browser = portal.browser()
    const isFresh = async () => (await browser.get('/api/step-up')).json()
    const signIn = async (start: string) => {
      const asked = await askCompany(portal, browser, acme, start)
      const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }), asked.relayState)
      await browser.follow(answer)
    }
    await signIn('/login')
    expect(await isFresh()).toEqual({ fresh: false, steps: ['company'] })
    await signIn('/login?prompt=login')
    expect(await isFresh()).toEqual({ fresh: true, steps: [] })
  })

  test('must sign in there again after a sign-out in this browser, until they have', async () => {
    const acme = await company(portal)
    const person = await employee(portal, acme)
    const browser = portal.browser()
    const ask = async () => (await askCompany(portal, browser, acme)).request.includes('ForceAuthn="true"')
    const craft = (asked: Asked) => companyAnswer(acme, asked, { nameId: person.email })
    expect(await attempt(portal, { company: acme, craft, browser })).toEqual(signedIn(person))
    portal.advance(13 * 3600)
    expect(await ask()).toBe(false)
    expect(await attempt(portal, { company: acme, craft, browser })).toEqual(signedIn(person))
    await browser.submit('/logout', {})
    expect(await ask()).toBe(true)
    expect(await attempt(portal, { company: acme, craft, browser })).toEqual(signedIn(person))
    portal.advance(13 * 3600)
    expect(await ask()).toBe(false)
  })
})

describe('sign-in is refused', () => {
  test('in a browser that did not start it, and afterwards also in the one that did', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const { browser, location } = await answered(acme, email)
    const other = portal.browser()
    // It begins again at the company.
    expect((await other.follow(await other.get(location))).url).toMatch(
      `https://idp.${acme.mailDomain}/sso?SAMLRequest=`,
    )
    expect((await other.get('/api/me')).statusCode).toBe(401)
    expect((await browser.get(location)).headers.location).toContain('error=signInOver')
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    expect(await failuresOf(email)).toEqual([['the sign-in was started in another browser']])
  })

  test('a minute after the response', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const { browser, location } = await answered(acme, email)
    portal.advance(61)
    expect((await browser.get(location)).headers.location).toContain('error=signInOver')
  })

  test('ten minutes after the request', async () => {
    const acme = await company(portal)
    const person = await employee(portal, acme)
    const craft: Parameters<typeof attempt>[1]['craft'] = (asked) => {
      portal.advance(601)
      return companyAnswer(acme, { ...asked, now: portal.now() }, { nameId: person.email })
    }
    expect(await attempt(portal, { company: acme, craft })).toEqual(refused())
  })

  test('for an unknown person, a passive account, or one that the company may not sign in: with the same message', async () => {
    const acme = await company(portal)
    const people = [
      { email: `nobody@${acme.mailDomain}` },
      await employee(portal, acme, { passive: true }),
      await employee(portal, acme, { email: 'elsewhere@nordvik.example', emailProof: null }),
    ]
    const said = []
    for (const { email } of people) {
      const { location, asked } = await answered(acme, email)
      said.push(location.replace(asked.uid, '').replace(/&reference=[0-9a-f-]{36}$/, ''))
    }
    expect(new Set(said)).toEqual(new Set([`/interaction/?email=somebody%40${acme.mailDomain}&error=samlRefused`]))
    expect(await failuresOf(people[0]?.email ?? '')).toEqual([['the configuration has no such person']])
    expect(await failuresOf(people[1]?.email ?? '')).toEqual([['the person is passive']])
    expect(await failuresOf(people[2]?.email ?? '')).toEqual([['the configuration may not sign this account in']])
  })

  test('once, then the company must authenticate again, so that another person can sign in', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const { browser, asked } = await answered(acme, `nobody@${acme.mailDomain}`)
    const sent = await browser.get(`/interaction/${asked.uid}/saml?email=${email}`)
    expect(asked.request).not.toContain('ForceAuthn')
    expect(requestIn(new URL(String(sent.headers.location)))).toContain('ForceAuthn="true"')
  })

  test('for a person with another login method, of another company, or a super user', async () => {
    const [acme, other] = [await company(portal), await company(portal)]
    const people = [
      await employee(portal, acme, { loginMethod: 'local' }),
      await employee(portal, other),
      await employee(portal, acme, { superUser: true, loginMethod: 'local', samlConfigId: null }),
    ]
    for (const person of people) expect(await rightAttempt(portal, acme, person)).toEqual(refused())
  })

  test('for a person whose sessions were revoked between the response and its completion', async () => {
    const acme = await company(portal)
    const { email, accountId } = await employee(portal, acme)
    const { browser, location } = await answered(acme, email)
    await portal.system.db.updateTable('users').set({ authEpoch: 7 }).where('accountId', '=', accountId).execute()
    await browser.follow(await browser.get(location))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('for an unsolicited response: a new sign-in starts at the company', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const asked = await askCompany(portal, portal.browser(), acme)
    for (const relayState of ['', 'made-up', 'https://evil.example/', 'x'.repeat(100)]) {
      const nobodys = { inResponseTo: null, confirmationInResponseTo: null }
      const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }, nobodys), relayState)
      expect([answer.statusCode, answer.headers.location]).toEqual([303, `/login/company/${acme.configId}?restarted=1`])
    }
  })

  test('when the company refused it', async () => {
    const acme = await company(portal)
    const asked = await askCompany(portal, portal.browser(), acme)
    const answer = companyAnswer(acme, asked, { nameId: 'x' }, { status: 'Responder' })
    const { headers } = await deliver(portal, acme, answer, asked.relayState)
    expect(headers.location).toContain('error=samlDeclined')
  })
})
