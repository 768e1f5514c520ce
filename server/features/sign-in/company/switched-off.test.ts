import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

/** As a super user does it. */
async function turn({ configId: id }: Company, active: boolean) {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  expect((await root.put('/api/saml-configs', { id, active })).json()).toMatchObject({ active })
}
const authTypeOf = async (email: string) =>
  (await portal.browser().get(`/api/authType?${new URLSearchParams({ email })}`)).json().authType

test('nobody is sent to a configuration that is off, until it is on again', async () => {
  const acme = await company(portal)
  const person = await employee(portal, acme)
  await turn(acme, false)
  for (const email of [person.email, `nobody@${acme.mailDomain}`]) {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const { headers } = await browser.get(`${page}/saml?${new URLSearchParams({ email })}`)
    expect(headers.location).toContain('error=samlFailed')
  }
  expect((await portal.browser().get(`/saml/${acme.configId}/metadata`)).statusCode).toBe(200)
  await turn(acme, true)
  expect(await rightAttempt(portal, acme, person)).toEqual(signedIn(person))
})

test('its domain asks for no organisation sign-in while it is off; a super user there signs in as always', async () => {
  const acme = await company(portal)
  const unknown = `nobody@${acme.mailDomain}`
  const root = await portal.person({ superUser: true, email: `root@${acme.mailDomain}` })
  expect(await authTypeOf(unknown)).toBe('saml')
  await turn(acme, false)
  expect(await authTypeOf(unknown)).toBe('local')
  expect(await authTypeOf(root.email)).toBe('local')
  expect((await (await portal.signedIn(root)).get(`/api/saml-configs/${acme.configId}`)).statusCode).toBe(200)
})

test('a sign-in that was under way when it was switched off is refused, and the trace says why', async () => {
  const acme = await company(portal)
  const { email } = await employee(portal, acme)
  const [asked, answered] = [portal.browser(), portal.browser()]
  const one = await askCompany(portal, asked, acme)
  const other = await askCompany(portal, answered, acme)
  const ticket = await deliver(portal, acme, companyAnswer(acme, other, { nameId: email }), other.relayState)
  await turn(acme, false)
  const late = await deliver(portal, acme, companyAnswer(acme, one, { nameId: email }), one.relayState)
  expect(late.headers.location).toContain('error=samlRefused')
  await answered.follow(ticket)
  for (const browser of [asked, answered]) expect((await browser.get('/api/me')).statusCode).toBe(401)
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const rows = (await root.get(`/api/saml-configs/${acme.configId}/sign-ins?failed=true`)).json()
  expect(rows).toMatchObject([{ email, failure: 'switchedOff' }])
})
