import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

/** Closes the database to the serving role, its open connections included; what it gives opens it again. */
async function takeDatabaseAway(): Promise<() => Promise<void>> {
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  const name = new URL(portal.ownerUrl).pathname.slice(1)
  await owner.connect()
  await owner.query(`alter database ${name} connection limit 0`)
  await portal.system.pool
    .query('select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = $1', [
      name,
    ])
    .catch(() => {})
  return async () => {
    await owner.query(`alter database ${name} connection limit -1`)
    await owner.end()
  }
}

/** The same while something is tried. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const giveBack = await takeDatabaseAway()
  try {
    await work()
  } finally {
    await giveBack()
  }
}

test('while the database is away everything says so and nothing breaks; afterwards it goes on', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const arriving = portal.browser()
  const { page } = await openSignIn(arriving, '/login?returnTo=/account')
  const html = { accept: 'text/html' }
  await withoutDatabase(async () => {
    for (const answer of [
      await browser.get('/api/me'),
      await browser.get('/api/session-expire'),
      await browser.get('/oidc/auth'),
      await browser.get('/login'),
      await browser.submit('/logout', {}),
      await portal.browser().get('/api/authType?email=nobody@unknown.example'),
      await portal
        .browser()
        .post('/api/verify-credentials', { email: person.email, password: 'Wrong-horse-7-battery' }),
      await portal
        .browser()
        .submit(
          '/oidc/token',
          { grant_type: 'authorization_code', client_id: 'x', code: 'x' },
          { accept: 'application/json' },
        ),
    ]) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
      expect(answer.body).not.toMatch(/postgres|connect|sql|\.ts/i)
    }
    const { statusCode, statusMessage, headers } = await arriving.get('/login?returnTo=/account')
    expect([statusCode, statusMessage]).toEqual([303, 'See Other'])
    const { location } = headers
    for (const answer of [
      await arriving.get(String(location), html),
      await arriving.get(page, html),
      await submitPassword(arriving, page, person.email),
    ]) {
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['content-type']).toContain('text/html')
    }
  })
  expect((await browser.get('/api/me')).statusCode).toBe(200)
  const { url } = await arriving.follow(await submitPassword(arriving, page, person.email))
  expect(url).toBe('/account')
})

test('whoever signs in while the database goes away is told to come back, and comes in on the same page', async () => {
  const person = await portal.person()
  const browser = portal.browser()
  const { page } = await openSignIn(browser, '/login?returnTo=/account')
  const { passwords } = portal.system
  const { verify } = passwords
  // The attempt is counted by then, and what it leaves is not written.
  let giveBack: (() => Promise<void>) | undefined
  passwords.verify = async (...given) => {
    passwords.verify = verify
    giveBack = await takeDatabaseAway()
    return verify(...given)
  }
  const answer = await submitPassword(browser, page, person.email).finally(() => giveBack?.())
  expect([answer.statusCode, answer.statusMessage, answer.headers['retry-after']]).toEqual([
    503,
    'Service Unavailable',
    '5',
  ])
  expect(answer.headers['set-cookie']).toBeUndefined()
  const { db } = portal.system
  const sessions = db.selectFrom('sessions').select('uid').where('accountId', '=', person.accountId)
  const events = db.selectFrom('auditEvents').select('name').where('targetId', '=', person.accountId)
  expect([await sessions.execute(), await events.execute()]).toEqual([[], []])
  expect((await submitPassword(browser, page, person.email)).headers.location).toBe('/account')
  expect(await events.execute()).toEqual([{ name: 'loginSuccess' }])
})
