import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let owner: pg.Client
let browser: Client
beforeAll(async () => {
  portal = await testApp()
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  await owner.query(`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if tg_argv[1] is null or nextval('refusals') <= tg_argv[1]::int then
        raise exception 'refused by the test' using errcode = tg_argv[0];
      end if;
      return new;
    end $$;
    create sequence refusals; grant usage on sequence refusals to public`)
})
afterAll(async () => {
  await owner.end()
  await portal.close()
})
beforeEach(() => {
  // Lets the limits that one test used up expire before the next.
  portal.advance(2 * 24 * 3600)
  browser = portal.browser()
})

const deadlock = '40P01'
const cutOff = '57014'

/** Makes the database refuse new rows of a table while a function runs: all, or the first few. */
async function refusing<Result>(
  table: 'audit_events' | 'limits' | 'sessions',
  code: string,
  work: () => Promise<Result>,
  first?: number,
) {
  const given = [code, ...(first === undefined ? [] : [first])].map((each) => `'${each}'`)
  await owner.query(`alter sequence refusals restart;
    create trigger refused before insert on ${table} for each row execute function refuse(${given})`)
  try {
    return await work()
  } finally {
    await owner.query(`drop trigger refused on ${table}`)
  }
}

/** Runs a function during the next sign-in, after the attempt was counted and before its result is written. */
function whileHashed(happens: () => Promise<unknown>): void {
  const { passwords } = portal.system
  const { verify } = passwords
  passwords.verify = async (...given) => {
    passwords.verify = verify
    const found = await verify(...given)
    await happens()
    return found
  }
}

const isSignedIn = async (client: Client) => (await client.get('/api/me')).statusCode === 200

/** The number of sessions and of success events of a person. */
async function left({ accountId }: { accountId: string }) {
  const { rows } = await owner.query(
    `select (select count(*)::int from sessions where account_id = $1::uuid) as sessions,
      (select count(*)::int from audit_events where target_id = $1::text and name = 'loginSuccess') as events`,
    [accountId],
  )
  return rows[0]
}

/** A person with the maximum number of sessions, and the browser of the oldest. */
async function withTenSessions() {
  const person = await portal.person()
  const oldest = await portal.signedIn(person)
  for (let count = 2; count <= 10; count++) {
    portal.advance(1)
    await portal.signedIn(person)
  }
  portal.advance(1)
  return { person, oldest }
}

describe('a person who signs in while the database refuses writes', () => {
  test('gets no session without its event, and keeps the oldest session', async () => {
    const { person, oldest } = await withTenSessions()
    const { page } = await openSignIn(browser)
    const answer = await refusing('audit_events', deadlock, () => submitPassword(browser, page, person.email))
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['set-cookie']]).toEqual([
      503,
      '5',
      undefined,
    ])
    expect(await left(person)).toEqual({ sessions: 10, events: 10 })
    expect(await isSignedIn(oldest)).toBe(true)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test.each([
    ['the event', 'audit_events'],
    ['the session', 'sessions'],
  ] as const)('is asked to retry after %s, and can sign in on the same page', async (_, table) => {
    const person = await portal.person()
    const { page } = await openSignIn(browser, '/login?returnTo=/account')
    const answer = await refusing(table, cutOff, () => submitPassword(browser, page, person.email))
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(await left(person)).toEqual({ sessions: 0, events: 0 })
    expect((await submitPassword(browser, page, person.email)).headers.location).toBe('/account')
    expect(await left(person)).toEqual({ sessions: 1, events: 1 })
  })

  test('is asked to retry also with an existing session, which stays', async () => {
    const person = await portal.person()
    const client = await portal.signedIn(person)
    const answer = await refusing('sessions', cutOff, () => client.get('/login?returnTo=/account'))
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect((await client.get('/login?returnTo=/account')).headers.location).toBe('/account')
    expect(await left(person)).toEqual({ sessions: 1, events: 1 })
  })

  test('does not use up attempts', async () => {
    const person = await portal.person()
    const { page } = await openSignIn(browser)
    await refusing('audit_events', cutOff, async () => {
      for (let count = 1; count <= 8; count++)
        expect((await submitPassword(browser, page, person.email)).statusCode).toBe(503)
    })
    const { rows } = await owner.query(`select key from limits where key like 'wrongPassword%' and count > 0`)
    expect(rows).toEqual([])
    expect((await submitPassword(browser, page, person.email)).headers.location).toBe('/')
  })
})

describe('a person who signs in during a deadlock or serialization failure', () => {
  test.each([
    ['a deadlock', deadlock],
    ['a lost serialisation', '40001'],
  ])('does not notice %s, which an automatic retry resolves', async (_, code) => {
    for (const table of ['limits', 'sessions', 'audit_events'] as const) {
      const person = await portal.person()
      const client = portal.browser()
      const { page } = await openSignIn(client)
      const answer = await refusing(table, code, () => submitPassword(client, page, person.email), 2)
      expect([table, answer.statusCode, answer.headers.location]).toEqual([table, 303, '/'])
      expect(await left(person)).toEqual({ sessions: 1, events: 1 })
    }
  })

  test('is asked to retry when the failure persists', async () => {
    const person = await portal.person()
    const { page } = await openSignIn(browser)
    const answer = await refusing('sessions', deadlock, () => submitPassword(browser, page, person.email), 3)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(await left(person)).toEqual({ sessions: 0, events: 0 })
  })

  test('causes no automatic retry for other errors, such as a cancelled statement', async () => {
    const person = await portal.person()
    const { page } = await openSignIn(browser)
    const answer = await refusing('sessions', cutOff, () => submitPassword(browser, page, person.email), 1)
    expect(answer.statusCode).toBe(503)
    expect(await left(person)).toEqual({ sessions: 0, events: 0 })
  })
})

describe('a person who signs in too late', () => {
  test('loses no session: when nothing is written, the oldest stays', async () => {
    const { person, oldest } = await withTenSessions()
    const { page } = await openSignIn(browser)
    whileHashed(() =>
      owner.query(`update provider_artifacts set expires_at = $1 where model = 'Interaction'`, [portal.now()]),
    )
    expect((await submitPassword(browser, page, person.email)).headers.location).toMatch(/^\/login\?email=/)
    expect(await left(person)).toEqual({ sessions: 10, events: 10 })
    expect(await isSignedIn(oldest)).toBe(true)
  })

  test.each([
    ['passive', 'passive_at = now()'],
    ['pending', 'pending = true'],
  ])('because an admin made them %s meanwhile, starts again and writes nothing', async (_, change) => {
    const person = await portal.person()
    const { page } = await openSignIn(browser)
    whileHashed(() => owner.query(`update users set ${change} where account_id = $1`, [person.accountId]))
    expect((await submitPassword(browser, page, person.email)).headers.location).toMatch(/^\/login\?email=/)
    expect(await left(person)).toEqual({ sessions: 0, events: 0 })
  })
})

test('of two people who post the same page one signs in, also when the first post ends last', async () => {
  const [one, other] = [await portal.person(), await portal.person()]
  const { page } = await openSignIn(browser)
  whileHashed(async () => {
    portal.advance(0.005)
    expect((await submitPassword(browser, page, other.email)).headers.location).toBe('/')
  })
  const late = await submitPassword(browser, page, one.email)
  expect(late.headers.location).toBe(`/login?email=${encodeURIComponent(one.email)}&error=signInOver`)
  expect(await left(other)).toEqual({ sessions: 1, events: 1 })
  expect(await left(one)).toEqual({ sessions: 0, events: 0 })
})
