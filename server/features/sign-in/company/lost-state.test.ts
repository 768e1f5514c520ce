import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import {
  type Asked,
  askCompany,
  type Company,
  company,
  companyAnswer,
  deliver,
  employee,
  requestIn,
} from '#test/saml/company.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const meOf = async (browser: Client) => {
  const me = await browser.get('/api/me')
  return me.statusCode === 200 ? me.json().email : undefined
}
const someone = async () => {
  const acme = await company(portal)
  return { acme, person: await employee(portal, acme) }
}
/** The company answers without being asked, or for a request that is not known. */
async function unasked(acme: Company, email: string, relayState = '/app/home', changed: object = {}) {
  const asked = await askCompany(portal, portal.browser(), acme)
  const nobodys = { inResponseTo: null, confirmationInResponseTo: null, ...changed }
  return deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }, nobodys), relayState)
}
/** Follows to the company. @returns the request there, with what an answer needs */
async function toCompany(browser: Client, acme: Company, answer: Awaited<ReturnType<Client['get']>>): Promise<Asked> {
  const { url } = await browser.follow(answer)
  expect(url.startsWith(`https://idp.${acme.mailDomain}/sso?`)).toBe(true)
  const sentTo = new URL(url)
  const request = requestIn(sentTo)
  const own = `http://portal.test/saml/${acme.configId}`
  return {
    uid: '',
    sentTo,
    request,
    relayState: sentTo.searchParams.get('RelayState') ?? '',
    requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
    acsUrl: `${own}/acs`,
    audience: `${own}/metadata`,
    issuer: acme.issuer,
    now: portal.now(),
  }
}

describe('an answer whose relay state was lost, or replaced by the company’s own,', () => {
  test.each(['', 'made-up', 'https://acme.example/start', 'x'.repeat(100)])(
    'is found by its request, in the same browser: %j',
    async (relayState) => {
      const { acme, person } = await someone()
      const craft = (asked: Asked) => companyAnswer(acme, asked, { nameId: person.email })
      expect(await attempt(portal, { company: acme, craft, relayState })).toEqual(signedIn(person))
    },
  )

  test('signs nobody in in another browser', async () => {
    const { acme, person } = await someone()
    const asked = await askCompany(portal, portal.browser(), acme)
    const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: person.email }), '')
    const other = portal.browser()
    await toCompany(other, acme, await other.get(String(answer.headers.location)))
    expect(await meOf(other)).toBeUndefined()
  })

  test('is checked like every other, and is good once', async () => {
    const { acme, person } = await someone()
    const forged = (asked: Asked) =>
      companyAnswer(acme, asked, { nameId: 'x@y.example' }).replaceAll('x@y.example', person.email)
    expect(await attempt(portal, { company: acme, craft: forged, relayState: '' })).toEqual(refused(/not signed by/))
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, acme)
    const xml = companyAnswer(acme, asked, { nameId: person.email })
    expect((await deliver(portal, acme, xml, '')).headers.location).toContain('ticket=')
    for (const relayState of ['', asked.relayState])
      expect((await deliver(portal, acme, xml, relayState)).headers.location).toContain('signInOver')
  })
})

describe('an answer that nobody asked for', () => {
  test('signs nobody in, and begins a sign-in at that company, which succeeds', async () => {
    const { acme, person } = await someone()
    const browser = portal.browser()
    const asked = await toCompany(browser, acme, await unasked(acme, person.email))
    expect(await meOf(browser)).toBeUndefined()
    const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: person.email }), asked.relayState)
    await browser.follow(answer)
    expect(await meOf(browser)).toBe(person.email)
  })

  test('also when it claims to be for a request that never was', async () => {
    const { acme, person } = await someone()
    const made = { inResponseTo: `_${'A'.repeat(43)}`, confirmationInResponseTo: `_${'A'.repeat(43)}` }
    const browser = portal.browser()
    await toCompany(browser, acme, await unasked(acme, person.email, '', made))
    expect(await meOf(browser)).toBeUndefined()
  })

  test('leads to the company once: one that never answers what it is asked does not lead in circles', async () => {
    const { acme, person } = await someone()
    const browser = portal.browser()
    await toCompany(browser, acme, await unasked(acme, person.email))
    for (let turn = 0; turn < 3; turn++) {
      const { url } = await browser.follow(await unasked(acme, person.email))
      expect(url).toMatch(/^\/interaction\/[\w-]+\?error=samlFailed$/)
    }
    expect(await meOf(browser)).toBeUndefined()
    browser.forgetCookies()
    await toCompany(browser, acme, await unasked(acme, person.email))
  })

  test('changes nothing for who is signed in', async () => {
    const { acme, person } = await someone()
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const local = await portal.person({})
    await finishSignIn(browser, page, local.email)
    expect((await browser.follow(await unasked(acme, person.email))).url).toBe('/')
    expect(await meOf(browser)).toBe(local.email)
  })

  test('leads to no company that is switched off or unknown', async () => {
    const { acme } = await someone()
    await portal.system.db.updateTable('samlConfigs').set({ active: false }).where('id', '=', acme.configId).execute()
    for (const id of [acme.configId, 2_000_000_000]) {
      const { headers } = await portal.browser().submit(`/saml/${id}/acs`, { SAMLResponse: 'x' })
      expect(headers.location).toBe('/login?error=signInOver')
    }
  })
})

describe('the address of a company', () => {
  test('begins a sign-in there, which ends at the wanted place', async () => {
    const { acme, person } = await someone()
    const browser = portal.browser()
    const start = await browser.get(`/login/company/${acme.configId}?returnTo=/account`)
    const asked = await toCompany(browser, acme, start)
    const answer = await deliver(portal, acme, companyAnswer(acme, asked, { nameId: person.email }), asked.relayState)
    expect((await browser.follow(answer)).url).toBe('/account')
    expect((await browser.follow(await browser.get(`/login/company/${acme.configId}?returnTo=/account`))).url).toBe(
      '/account',
    )
    expect(await meOf(browser)).toBe(person.email)
  })

  test('leads to no other site, and says so where there is no such company', async () => {
    const { acme, person } = await someone()
    for (const target of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const browser = portal.browser()
      const query = new URLSearchParams({ returnTo: target, target_link_uri: target })
      const asked = await toCompany(browser, acme, await browser.get(`/login/company/${acme.configId}?${query}`))
      const answer = companyAnswer(acme, asked, { nameId: person.email })
      expect((await browser.follow(await deliver(portal, acme, answer, asked.relayState))).url).toBe('/')
    }
    const { url } = await portal.browser().follow(await portal.browser().get('/login/company/2000000000'))
    expect(url).toContain('error=samlFailed')
  })

  test('begins again, with the wanted place, in a browser that did not begin', async () => {
    const { acme, person } = await someone()
    const first = portal.browser()
    const asked = await toCompany(first, acme, await first.get(`/login/company/${acme.configId}?returnTo=/account`))
    const { headers } = await deliver(
      portal,
      acme,
      companyAnswer(acme, asked, { nameId: person.email }),
      asked.relayState,
    )
    const other = portal.browser()
    const again = await toCompany(other, acme, await other.get(String(headers.location)))
    expect(await meOf(other)).toBeUndefined()
    const answer = await deliver(portal, acme, companyAnswer(acme, again, { nameId: person.email }), again.relayState)
    expect((await other.follow(answer)).url).toBe('/account')
  })

  test('is shown with the configuration', async () => {
    const { acme } = await someone()
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const { serviceProvider } = (await root.get(`/api/saml-configs/${acme.configId}`)).json()
    expect(serviceProvider.startUrl).toBe(`http://portal.test/login/company/${acme.configId}`)
  })
})
