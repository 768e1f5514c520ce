import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCookieSigner } from '#server/oidc/cookies.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { askCompany, type Company, company } from '#test/saml/company.ts'
import { secret, servicesOf } from '#test/service.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { unlimited } from '#test/unlimited.ts'

// docs/public-holes.md: one store for all ids that live for a while, where one of them opened what another is for.

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let clientId: string
let person: Person
let root: Client
let admin: Awaited<ReturnType<ReturnType<typeof invitationsOf>['organizationWithAdmin']>>
let theirs: Company

beforeAll(async () => {
  portal = await testApp(unlimited)
  services = servicesOf(portal)
  clientId = await services.register()
  person = await portal.person()
  root = await portal.signedIn(await portal.person({ superUser: true }))
  admin = await invitationsOf(portal).organizationWithAdmin()
  theirs = await company(portal)
})
afterAll(() => portal.close())

const tokens = async () => (await services.signInTo(clientId, person)).tokens

/** Each kind of id, and how to get a new one. */
const ids: Record<string, () => Promise<string>> = {
  'of an invitation': async () => {
    const email = newEmail()
    await invite(admin.browser, admin.organizationId, email)
    return invitationsOf(portal).mailedToken(email)
  },
  'of a reset': async () => {
    const { email } = await portal.person()
    await portal.browser().post('/api/initiate-password-reset', { email })
    const [mail] = await outboxOf(portal).messagesTo(email)
    return new URL(String(mail?.values.link)).pathname.split('/')[2] ?? ''
  },
  "of a link for a customer's IT": async () => {
    const { organizationId } = await portal.organization()
    const { url } = (await root.post('/api/saml-setups', { organizationId })).json()
    return new URL(url).pathname.split('/')[2] ?? ''
  },
  'of a session': async () => (await portal.signedIn(person)).cookies().portal_session ?? '',
  'that is a code': async () => {
    const browser = await portal.signedIn(person)
    const { headers } = await browser.get(services.requestFor(clientId))
    return new URL(String(headers.location)).searchParams.get('code') ?? ''
  },
  'that renews tokens': async () => (await tokens()).refresh_token,
  'that reads userinfo': async () => (await tokens()).access_token,
  'of a sign-in that was begun': async () => (await openSignIn(portal.browser())).uid,
  'of a request to a company': async () => (await askCompany(portal, portal.browser(), theirs)).relayState,
  'that a checked password gives': async () => {
    const browser = portal.browser()
    await browser.post('/api/verify-credentials', { email: person.email, password: testPassword })
    return browser.cookies('/interaction/x/login').ticket ?? ''
  },
  'of a pushed request': async () => {
    const fields = { ...services.parametersFor(clientId), client_secret: secret }
    const pushed = await portal.browser().submit('/oidc/request', fields, { accept: 'application/json' })
    return pushed.json().request_uri.split(':').at(-1)
  },
}

const succeeds = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode < 300
const gives = async (answer: Promise<{ access_token?: string }>) => (await answer).access_token !== undefined

/** Whether a value opens something, by the kind that may. */
const doors: Record<string, (value: string) => Promise<boolean>> = {
  'of an invitation': (value) =>
    succeeds(portal.browser().get(`/api/invites?${new URLSearchParams({ token: value })}`)),
  'of a reset': (value) => succeeds(portal.browser().get(`/api/reset-password/${encodeURIComponent(value)}`)),
  "of a link for a customer's IT": (value) => succeeds(portal.browser().post('/api/saml-setup', { token: value })),
  // Even if somebody could sign it.
  'of a session': (value) => {
    const browser = portal.browser()
    browser.setCookie('portal_session', value)
    browser.setCookie('portal_session.sig', createCookieSigner(portal.system.keys).sign(`portal_session=${value}`))
    return succeeds(browser.get('/api/me'))
  },
  'that is a code': (value) =>
    gives(services.tokensAt(clientId, `https://x.example/?${new URLSearchParams({ code: value })}`)),
  'that renews tokens': (value) => gives(services.renew(clientId, value)),
  'that reads userinfo': (value) => succeeds(services.userInfo(value)),
}

test.each(Object.keys(ids))('an id %s opens nothing else', async (kind) => {
  const value = (await ids[kind]?.()) ?? ''
  expect(value.length).toBeGreaterThan(20)
  const opened = []
  for (const [door, opens] of Object.entries(doors)) if (await opens(value)) opened.push(door)
  expect(opened).toEqual(kind in doors ? [kind] : [])
})
