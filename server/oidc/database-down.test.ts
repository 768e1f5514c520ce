import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

/** Closes the database to the serving role, its open connections included, while something is tried. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  const name = new URL(portal.ownerUrl).pathname.slice(1)
  await owner.connect()
  try {
    await owner.query(`alter database ${name} connection limit 0`)
    await portal.system.pool
      .query('select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = $1', [
        name,
      ])
      .catch(() => {})
    await work()
  } finally {
    await owner.query(`alter database ${name} connection limit -1`)
    await owner.end()
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
    const { location } = (await arriving.get('/login?returnTo=/account')).headers
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
