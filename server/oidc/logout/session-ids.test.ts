import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { listenForLogouts, logoutsOf } from '#test/logouts.ts'
import { servicesOf } from '#test/service.ts'
import { finishSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// OpenID Connect Back-Channel Logout 1.0, 2.1 and 2.4: `sid` in the ID token and in the logout token.
let portal: TestApp
let services: ReturnType<typeof servicesOf>
let logouts: ReturnType<typeof logoutsOf>
let receiver: Awaited<ReturnType<typeof listenForLogouts>>
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  logouts = logoutsOf(portal)
  receiver = await listenForLogouts()
})
afterAll(async () => {
  await receiver.close()
  await portal.close()
})
beforeEach(() => {
  receiver.tokens.length = 0
})

const register = (serviceId?: string) =>
  services.register({ backchannelLogoutUri: receiver.url, ...(serviceId && { serviceId }) })
const sidOf = (tokens: { id_token: string }) => decodeJwt(tokens.id_token).sid
const told = () => receiver.tokens.map((token) => decodeJwt(token)).map(({ aud, sid }) => `${aud} ${sid}`)

/** Signs in to the service in a browser that has a session, and redeems the code. */
async function enter(browser: Client, clientId: string) {
  const { headers } = await browser.get(services.requestFor(clientId), { accept: 'text/html' })
  return services.tokensAt(clientId, String(headers.location))
}

test('discovery says that ID tokens and logout tokens have a sid', async () => {
  const discovery = (await portal.browser().get('/oidc/.well-known/openid-configuration')).json()
  expect(discovery).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true })
})

test('one sid for each service and session: the same at every sign-in and renewal, another in every other session', async () => {
  const [journal, archive] = [await register(), await register()]
  const person = await portal.person()
  const { browser, tokens } = await services.signInTo(journal, person)
  expect(sidOf(tokens)).toMatch(/^[\w-]{16,}$/)
  expect(sidOf(await enter(browser, journal))).toBe(sidOf(tokens))
  expect(sidOf(await services.renew(journal, tokens.refresh_token))).toBe(sidOf(tokens))
  // With prompt=login the person proves again who they are, in the same session.
  const asked = await browser.follow(await browser.get(services.requestFor(journal, { prompt: 'login' })))
  const end = await finishSignIn(browser, asked.url.split('?')[0] ?? '', person.email)
  expect(sidOf(await services.tokensAt(journal, end))).toBe(sidOf(tokens))
  // Two services cannot tell by it that they have the same session.
  const elsewhere = await enter(browser, archive)
  const otherBrowser = await services.signInTo(journal, person)
  const otherPerson = await services.signInTo(journal, await portal.person())
  const all = [tokens, elsewhere, otherBrowser.tokens, otherPerson.tokens].map(sidOf)
  expect(new Set(all).size).toBe(4)
  await browser.submit('/logout', {})
  await logouts.deliver()
  expect(told().toSorted()).toEqual([`${journal} ${all[0]}`, `${archive} ${all[1]}`].toSorted())
})

test('a service that was taken back and given again gets a new sid: a late logout token ends nothing new', async () => {
  const { serviceId } = await portal.service()
  const { organizationId } = await portal.organization()
  const clientId = await register(serviceId)
  const person = await portal.person()
  await portal.offer(organizationId, serviceId)
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  const { browser, tokens } = await services.signInTo(clientId, person)
  const admin = await portal.signedIn(await portal.person({ superUser: true }))
  await admin.delete(`/api/services/${serviceId}/${organizationId}/users/${person.accountId}`)
  await portal.assign(person.accountId, organizationId, serviceId)
  const again = await enter(browser, clientId)
  expect(sidOf(again)).not.toBe(sidOf(tokens))
  await logouts.deliver()
  expect(told()).toEqual([`${clientId} ${sidOf(tokens)}`])
})

test('services that sign in at the same time in one browser are all told, each by the sid of its ID token', async () => {
  for (let round = 0; round < 5; round++) {
    receiver.tokens.length = 0
    const [journal, archive] = [await register(), await register()]
    const browser = await portal.signedIn(await portal.person())
    const entered = await Promise.all(
      [journal, archive, journal, archive].map(async (clientId) => ({
        clientId,
        tokens: await enter(browser, clientId),
      })),
    )
    await browser.submit('/logout', {})
    await logouts.deliver()
    for (const { tokens } of entered) expect(tokens).toMatchObject({ id_token: expect.any(String) })
    const expected = entered.map(({ clientId, tokens }) => `${clientId} ${sidOf(tokens)}`)
    expect(told().toSorted()).toEqual([...new Set(expected)].toSorted())
    expect(told()).toHaveLength(2)
    // Their tokens end with the session.
    for (const { clientId, tokens } of entered)
      expect((await services.renew(clientId, tokens.refresh_token)).error).toBe('invalid_grant')
  }
})

test('a session that ends while a service signs in with it stays ended', async () => {
  const clientId = await register()
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const ending = await portal.system.db.startTransaction().execute()
  await ending.deleteFrom('sessions').where('accountId', '=', person.accountId).execute()
  // It still sees the session, and waits for it when it writes.
  const entering = browser.get(services.requestFor(clientId), { accept: 'text/html' })
  await expect.poll(() => waiting()).toBe(true)
  await ending.commit().execute()
  expect((await entering).headers.location ?? '').not.toContain('code=')
  expect((await browser.get('/api/me')).statusCode).toBe(401)
  const left = (table: 'sessions' | 'providerArtifacts') =>
    portal.system.db.selectFrom(table).select('createdAt').where('accountId', '=', person.accountId).execute()
  expect(await left('sessions')).toEqual([])
})

/** Whether a statement waits for a lock. */
async function waiting(): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as waits`.execute(
    portal.system.db,
  )
  return rows[0]?.waits ?? false
}
