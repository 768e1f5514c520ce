import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

/** Closes the database to the serving role, including open connections. @returns a function that opens it again */
async function takeDatabaseAway(): Promise<() => Promise<void>> {
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  const name = new URL(portal.ownerUrl).pathname.slice(1)
  await owner.connect()
  await owner.query(`alter database ${name} connection limit 0`)
  // Ends its own connection last, so that it can end all others first.
  const last = await portal.system.pool.connect()
  await last.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where usename = current_user and datname = $1 and pid <> pg_backend_pid()`,
    [name],
  )
  await last.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
  last.release(true)
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

test('while the database is down every call returns an error and nothing breaks; afterwards everything works', async () => {
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

/** Takes the database down when the next password is hashed: the attempt is counted by then, but not decided. */
function databaseGoesWhileHashing(): { giveBack: () => Promise<void> } {
  const { passwords } = portal.system
  const { verify } = passwords
  let giveBack: (() => Promise<void>) | undefined
  passwords.verify = async (...given) => {
    passwords.verify = verify
    giveBack = await takeDatabaseAway()
    return verify(...given)
  }
  return { giveBack: async () => giveBack?.() }
}

/** The audit events of a user. */
const eventsOf = ({ accountId }: Person) =>
  portal.system.db.selectFrom('auditEvents').select('name').where('targetId', '=', accountId).execute()

const comeBack = [503, 'Service Unavailable', '5']
const outcome = ({ statusCode, statusMessage, headers }: LightMyRequestResponse) => [
  statusCode,
  statusMessage,
  headers['retry-after'],
]

test('a user who signs in while the database is down is asked to retry and can sign in on the same page', async () => {
  const person = await portal.person()
  const browser = portal.browser()
  const { page } = await openSignIn(browser, '/login?returnTo=/account')
  const { giveBack } = databaseGoesWhileHashing()
  const answer = await submitPassword(browser, page, person.email).finally(giveBack)
  expect(outcome(answer)).toEqual(comeBack)
  expect(answer.headers['set-cookie']).toBeUndefined()
  const { db } = portal.system
  const sessions = db.selectFrom('sessions').select('uid').where('accountId', '=', person.accountId)
  expect([await sessions.execute(), await eventsOf(person)]).toEqual([[], []])
  expect((await submitPassword(browser, page, person.email)).headers.location).toBe('/account')
  expect(await eventsOf(person)).toEqual([{ name: 'loginSuccess' }])
})

test('so is a user with a wrong password, and the answer does not mention the password', async () => {
  const person = await portal.person()
  const browser = portal.browser()
  const { page } = await openSignIn(browser)
  const { giveBack } = databaseGoesWhileHashing()
  const answer = await submitPassword(browser, page, person.email, 'Wrong-horse-7-battery').finally(giveBack)
  expect(outcome(answer)).toEqual(comeBack)
  // The page leads back to the form, with the address.
  expect(answer.body).toContain(`href="${page}/login?email=${encodeURIComponent(person.email)}"`)
  expect(await eventsOf(person)).toEqual([])
  expect((await submitPassword(browser, page, person.email)).headers.location).toBe('/')
})

test('so is a user who is about to get a code, and a retry sends it', async () => {
  const person = await portal.person({ loginMethod: 'local2FA' })
  const browser = portal.browser()
  const { page } = await openSignIn(browser)
  const { giveBack } = databaseGoesWhileHashing()
  const answer = await submitPassword(browser, page, person.email).finally(giveBack)
  expect(outcome(answer)).toEqual(comeBack)
  expect((await submitPassword(browser, page, person.email)).headers.location).toBe(
    `${page}/login?email=${encodeURIComponent(person.email)}`,
  )
  expect(await outboxOf(portal).codeSentTo(person.email)).toMatch(/^[0-9]{6}$/)
})

test('a verified code stays valid when the database goes down: a retry on the same page signs in', async () => {
  const person = await portal.person({ loginMethod: 'local2FA' })
  const { email } = person
  const browser = portal.browser()
  const { page } = await openSignIn(browser)
  const password = testPassword
  await browser.post('/api/start-2fa-login', { email, password })
  const code = await outboxOf(portal).codeSentTo(email)
  expect((await browser.post('/api/verify-credentials-2fa', { email, password, code })).statusCode).toBe(204)
  const answer = await refusingWrites('audit_events', 'true', () =>
    browser.submit(`${page}/login`, { email, login: email, password, code }),
  )
  expect(outcome(answer)).toEqual(comeBack)
  const again = await browser.submit(`${page}/login`, { email, login: email, password, code })
  expect(again.headers.location).toBe('/')
  expect((await browser.get('/api/me')).statusCode).toBe(200)
})

/** Terminates every statement that writes such a row, like a database that shuts down. */
async function refusingWrites<Result>(table: string, condition: string, work: () => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  await owner.query(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'cut off by the test' using errcode = '57P01'; end $$;
    create trigger refused before insert on ${table} for each row when (${condition}) execute function refuse()`)
  try {
    return await work()
  } finally {
    await owner.query(`drop trigger refused on ${table}; drop function refuse()`)
    await owner.end()
  }
}

test('a service sign-in whose code cannot be written leaves nothing behind, and a retry works', async () => {
  const clientId = 'cut-off'
  const redirectUri = 'https://cut-off.example/back'
  await portal.system.db
    .insertInto('clients')
    .values({ clientId, name: 'Cut off', redirectUris: [redirectUri], tokenEndpointAuthMethod: 'none' })
    .execute()
  const browser = await portal.signedIn(await portal.person())
  const request = `/oidc/auth?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })}`
  const stored = () => portal.system.db.selectFrom('providerArtifacts').select('model').orderBy('model').execute()
  const before = await stored()
  const answer = await refusingWrites('provider_artifacts', "new.model = 'AuthorizationCode'", () =>
    browser.get(request, { accept: 'text/html' }),
  )
  expect(outcome(answer)).toEqual(comeBack)
  expect([answer.headers.location, answer.headers['set-cookie']]).toEqual([undefined, undefined])
  expect(answer.headers['content-type']).toContain('text/html')
  expect(await stored()).toEqual(before)
  expect((await browser.get(request)).headers.location).toContain('https://cut-off.example/back?code=')
})

test('an outage is one line in the log, however much fails, and one line when it is over', async () => {
  portal.noteOutages()
  const browser = await portal.signedIn(await portal.person())
  const before = portal.logged.length
  const loud = () =>
    portal.logged.slice(before).flatMap(({ level, msg }) => (level === 'error' || level === 'warn' ? [msg] : []))
  await withoutDatabase(async () => {
    for (let count = 0; count < 20; count++) expect((await browser.get('/api/me')).statusCode).toBe(503)
    expect(loud()).toEqual(['the database cannot be reached; this line stands for all until it is back'])
  })
  await expect.poll(loud, { timeout: 10_000 }).toEqual([expect.any(String), 'the database is back'])
})
