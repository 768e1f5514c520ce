import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { callback, servicesOf } from '#test/service.ts'
import { submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { endAllSessions } from '../end-sessions.ts'

// Sessions that are ended while a request of their holder makes them or gives them a new id.
let portal: TestApp
let services: ReturnType<typeof servicesOf>
let outbox: ReturnType<typeof outboxOf>
let owner: pg.Client
let clientId: string
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  outbox = outboxOf(portal)
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  await owner.query(`
    create function wait_for_the_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(1); return new; end $$`)
  clientId = await services.register()
})
afterAll(async () => {
  await owner.end()
  await portal.close()
})
beforeEach(() => portal.advance(2 * 24 * 3600))

const html = { accept: 'text/html' }
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const sessionsOf = async ({ accountId }: Person) =>
  (await portal.system.db.selectFrom('sessions').select('uid').where('accountId', '=', accountId).execute()).length

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
    portal.system.db,
  )
  return rows[0]?.count ?? 0
}

async function resetPassword({ email }: Person) {
  await portal.browser().post('/api/initiate-password-reset', { email })
  const [mail] = (await outbox.messagesTo(email)).filter(({ template }) => template === 'reset-password')
  const token = String(mail?.values.link).split('/reset-password/')[1] ?? ''
  const chosen = 'Brown-otter-42-lamp'
  const form = { email, newPassword: chosen, confirmNewPassword: chosen, token }
  expect((await portal.browser().post('/api/reset-password', form)).statusCode).toBe(204)
}

/** Signs in at a service with the password. @returns where the provider resumes that */
async function provePassword({ email }: Person) {
  const browser = portal.browser()
  const { page } = await services.openSignIn(browser, clientId)
  return { browser, resume: String((await submitPassword(browser, page, email)).headers.location) }
}

/** Asks for a new id of the session. @returns where the provider resumes that */
async function askForConsent(browser: Client) {
  const { headers } = await browser.get(services.requestFor(clientId, { prompt: 'consent' }), html)
  return String((await browser.get(String(headers.location), html)).headers.location)
}

/** Runs work while the next session that gets a new id is held; other requests for that session wait as well. */
async function duringRenewal(work: () => Promise<unknown>) {
  await owner.query(`
    create trigger slow before insert or update of id_hash on sessions for each row execute function wait_for_the_test();
    select pg_advisory_lock(1)`)
  await work()
  await owner.query('select pg_advisory_unlock(1); drop trigger slow on sessions')
}

test('a password reset leaves no session of an old password that is on its way', async () => {
  const person = await portal.person()
  const { browser, resume } = await provePassword(person)
  await owner.query('begin; lock table clients in access exclusive mode')
  // The provider has read the interaction, and waits for the client.
  const resumed = browser.get(resume, html)
  await expect.poll(waiting).toBe(1)
  await resetPassword(person)
  await owner.query('commit')
  expect((await resumed).headers.location).toBe('/login')
  expect([await isSignedIn(browser), await sessionsOf(person)]).toEqual([false, 0])
})

test('nor one of an old password that was posted before the reset was committed', async () => {
  const person = await portal.person()
  const browser = portal.browser()
  const { page } = await services.openSignIn(browser, clientId)
  const ending = await portal.system.db.startTransaction().execute()
  await endAllSessions(ending, person.accountId)
  const posted = submitPassword(browser, page, person.email)
  await expect.poll(waiting).toBe(1)
  await ending.commit().execute()
  expect((await posted).headers.location).toMatch(/^\/login\?/)
  await browser.get(page.replace('/interaction/', '/oidc/auth/'), html)
  expect([await isSignedIn(browser), await sessionsOf(person)]).toEqual([false, 0])
})

test('a session that gets a new id while its owner ends it elsewhere stays ended', async () => {
  const person = await portal.person()
  const thief = await portal.signedIn(person)
  portal.advance(1)
  const own = await portal.signedIn(person)
  const [, { id }] = (await own.get('/api/profile/sessions')).json()
  const resume = await askForConsent(thief)
  const started: ReturnType<Client['get']>[] = []
  await duringRenewal(async () => {
    started.push(thief.get(resume, html))
    await expect.poll(waiting).toBe(1)
    started.push(own.delete(`/api/profile/sessions/${id}`))
    await expect.poll(waiting).toBe(2)
  })
  const [renewed, ended] = await Promise.all(started)
  expect(ended?.statusCode).toBe(204)
  expect(renewed?.headers.location).toMatch(/^\/login\?returnTo=/)
  expect([await isSignedIn(thief), await isSignedIn(own), await sessionsOf(person)]).toEqual([false, true, 1])
})

test('two requests that have read one session, and each give it a new id, both come to their service', async () => {
  const browser = await portal.signedIn(await portal.person())
  const resumes = [await askForConsent(browser), await askForConsent(browser)]
  const answers: ReturnType<Client['get']>[] = []
  await duringRenewal(async () => {
    for (const resume of resumes) {
      answers.push(browser.get(resume, html))
      await expect.poll(waiting).toBe(answers.length)
    }
  })
  for (const { headers } of await Promise.all(answers)) {
    const end = String(headers.location)
    // The later one asks again, in the session that has a new id by now.
    const { url } = end.startsWith(callback) ? { url: end } : await browser.follow(await browser.get(end, html))
    expect(url).toMatch(/^https:\/\/journal\.example\/callback\?code=/)
  }
  expect(await isSignedIn(browser)).toBe(true)
})
