import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPasswords, type Passwords } from '#server/platform/secrets/passwords.ts'
import type { Client } from '#test/client.ts'
import { forged } from '#test/forged.ts'
import { hashesOf } from '#test/hashes-of.ts'
import { testPassword } from '#test/people.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let browser: Client
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => portal.close())
beforeEach(() => {
  // Lets the limits that one test used up expire before the next.
  portal.advance(2 * 24 * 3600)
  browser = portal.browser()
})

const wrong = 'Wrong-horse-7-battery'
const verify = (email: string, password = wrong, client = browser, ip?: string) =>
  client.post('/api/verify-credentials', { email, password }, ip ? { 'x-forwarded-for': ip } : {})

describe('every failure looks the same', () => {
  test('status, body, headers and work are the same for every reason', async () => {
    const samlConfigId = await portal.samlConfig()
    const people = {
      'a wrong password': [(await portal.person()).email, wrong],
      'an unknown address': ['nobody@unknown.example', testPassword],
      'a pending person': [(await portal.person({ pending: true })).email, testPassword],
      'a passive person': [(await portal.person({ passive: true })).email, testPassword],
      'a person without a password': [(await portal.person({ password: null })).email, testPassword],
      'a second factor is needed': [(await portal.person({ loginMethod: 'local2FA' })).email, testPassword],
      'BankID is needed': [(await portal.person({ loginMethod: 'bankid' })).email, testPassword],
      'the company signs in': [(await portal.person({ loginMethod: 'saml', samlConfigId })).email, testPassword],
    } as const
    const seen = new Map<string, string>()
    for (const [what, [email, password]] of Object.entries(people)) {
      const hashes = await hashesOf(portal, async () => {
        const { statusCode, headers, body } = await verify(email, password)
        const { 'x-request-id': _, date: __, ...rest } = headers
        seen.set(what, JSON.stringify([statusCode, rest, JSON.parse(body).message]))
      })
      expect([what, hashes]).toEqual([what, 1])
    }
    expect(new Set(seen.values()).size).toBe(1)
    expect([...seen.values()][0]).toContain('[401,')
    expect([...seen.values()][0]).toContain('invalidCredentials')
  })

  test('the form does not bypass this: only a local account signs in with just a password', async () => {
    const answers = { bankid: '&error=invalidCredentials', local2FA: '' } as const
    for (const loginMethod of ['local2FA', 'bankid'] as const) {
      const { email } = await portal.person({ loginMethod })
      const { page } = await openSignIn(browser)
      // With two factors the page is shown again, and asks for the code.
      expect((await submitPassword(browser, page, email)).headers.location).toBe(
        `${page}/login?email=${encodeURIComponent(email)}${answers[loginMethod]}`,
      )
    }
  })

  test('each records exactly one event', async () => {
    const { email, accountId } = await portal.person()
    const { organizationId } = await portal.organization()
    await portal.join(accountId, organizationId)
    await verify(email)
    await verify('nobody@unknown.example')
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'target', 'targetId', 'actor', 'organizationIds'])
      .where('createdAt', '=', portal.now())
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { name: 'loginFailure', target: email, targetId: accountId, actor: null, organizationIds: [organizationId] },
      { name: 'loginFailure', target: 'nobody@unknown.example', targetId: null, actor: null, organizationIds: [] },
    ])
  })
})

describe('wrong passwords are limited', () => {
  test('for an account and an address: five are free, then the pause doubles', async () => {
    const { email } = await portal.person()
    for (let count = 1; count <= 5; count++) expect((await verify(email)).statusCode).toBe(401)
    for (const pause of [1, 2, 4]) {
      const refused = await verify(email, testPassword)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(pause)])
      expect(refused.json().message).toBe('tooManyRequests')
      portal.advance(pause)
      expect((await verify(email)).statusCode).toBe(401)
    }
  })

  test('for an unknown address in the same way', async () => {
    const statuses = []
    for (let count = 1; count <= 6; count++) statuses.push((await verify('nobody@unknown.example')).statusCode)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('and a success resets the count of that pair', async () => {
    const { email } = await portal.person()
    for (let round = 1; round <= 3; round++) {
      for (let count = 1; count <= 3; count++) expect((await verify(email)).statusCode).toBe(401)
      expect((await verify(email, testPassword)).statusCode).toBe(204)
    }
  })

  test('a refused attempt is not checked and not counted', async () => {
    const { email } = await portal.person()
    for (let count = 1; count <= 5; count++) await verify(email)
    expect(await hashesOf(portal, () => verify(email, testPassword))).toBe(0)
  })

  test('for an IP address over all accounts: twenty in five minutes', async () => {
    const statuses = []
    for (let count = 1; count <= 21; count++) statuses.push((await verify(`guess${count}@unknown.example`)).statusCode)
    expect(statuses.filter((status) => status === 401).length).toBe(20)
    expect(statuses.at(-1)).toBe(429)
  })

  test('for an IP address over all accounts: a hundred an hour, even when slow', async () => {
    for (let count = 1; count <= 100; count++) {
      expect((await verify(`guess${count}@unknown.example`)).statusCode).toBe(401)
      if (count % 20 === 0) portal.advance(300)
    }
    const refused = await verify('guess101@unknown.example')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(3600 - 5 * 300)])
  })

  test('also with concurrent requests', async () => {
    const { email } = await portal.person()
    const answers = await Promise.all(Array.from({ length: 30 }, () => verify(email)))
    expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBe(5)
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBe(25)
  })

  test('but many people can sign in concurrently from one IP address', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => portal.person()))
    const answers = await Promise.all(people.map(({ email }) => verify(email, testPassword, portal.browser())))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(204))
  })

  test('a person can sign in many times concurrently', async () => {
    const { email } = await portal.person()
    const answers = await Promise.all(Array.from({ length: 12 }, () => verify(email, testPassword, portal.browser())))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(204))
  })

  test('an attempt that is refused because the portal is too busy is not counted', async () => {
    const { email } = await portal.person()
    const { passwords } = portal.system
    const spacious = { ...passwords }
    const { hash: hashHere } = Object.assign(passwords, createPasswords({ concurrency: 1, queue: 1 }))
    let crowded = true
    const takePlace = async () => {
      while (crowded) await hashHere(wrong)
    }
    const crowd = [takePlace(), takePlace()]
    const busy = await Promise.all(Array.from({ length: 8 }, () => verify(email)))
    crowded = false
    await Promise.all(crowd)
    Object.assign(passwords, spacious)
    expect(busy.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual(
      Array(8).fill([503, '2']),
    )
    for (let count = 1; count <= 5; count++) expect((await verify(email)).statusCode).toBe(401)
    expect((await verify(email)).statusCode).toBe(429)
  })

  test('an attempt that fails because of the database is not counted', async () => {
    const { email } = await portal.person()
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query('alter table users rename to users_elsewhere')
    const broken = []
    for (let count = 1; count <= 8; count++) broken.push((await verify(email)).statusCode)
    await owner.query('alter table users_elsewhere rename to users')
    await owner.end()
    expect(broken).toEqual(Array(8).fill(500))
    for (let count = 1; count <= 5; count++) expect((await verify(email)).statusCode).toBe(401)
    expect((await verify(email)).statusCode).toBe(429)
  })

  test('the page shows the limit like any other error', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    for (let count = 1; count <= 5; count++) await submitPassword(browser, page, email, wrong)
    expect((await submitPassword(browser, page, email)).headers.location).toBe(
      `${page}/login?email=${encodeURIComponent(email)}&error=tooManyRequests`,
    )
  })
})

describe('a browser that signed in before', () => {
  test('can still sign in while the account is attacked from many addresses', async () => {
    const person = await portal.person()
    const own = await portal.signedIn(person)
    const attacker = portal.browser()
    for (let count = 1; count <= 10; count++)
      expect((await verify(person.email, wrong, attacker, `198.51.100.${count}`)).statusCode).toBe(401)
    const stranger = await verify(person.email, testPassword, attacker, '198.51.100.77')
    expect([stranger.statusCode, stranger.headers['retry-after']]).toEqual([429, '60'])
    expect((await verify(person.email, testPassword, own, '203.0.113.5')).statusCode).toBe(204)
    const [name = '', value = ''] = Object.entries(own.cookies()).find(([cookie]) => cookie.startsWith('known-')) ?? []
    attacker.setCookie(name, forged(value))
    expect((await verify(person.email, testPassword, attacker, '198.51.100.78')).statusCode).toBe(429)
    portal.advance(60)
    expect((await verify(person.email, testPassword, attacker, '198.51.100.79')).statusCode).toBe(204)
  })

  test('has its own limit, which can be used up too', async () => {
    const person = await portal.person()
    const own = await portal.signedIn(person)
    const statuses = []
    for (let count = 1; count <= 11; count++)
      statuses.push((await verify(person.email, wrong, own, `203.0.113.${count}`)).statusCode)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await verify(person.email, testPassword, portal.browser(), '203.0.113.99')).statusCode).toBe(204)
  })
})

describe('the stored hash', () => {
  let cheap: Passwords
  // As the server has them.
  beforeAll(() => {
    cheap = { ...portal.system.passwords }
    Object.assign(portal.system.passwords, createPasswords())
  })
  afterAll(() => void Object.assign(portal.system.passwords, cheap))

  test('is replaced at sign-in when it is weaker than the current settings', async () => {
    const { accountId, email } = await portal.person()
    const { db } = portal.system
    const weak = await hash(testPassword, { memoryCost: 8192, timeCost: 2, parallelism: 1 })
    await db.updateTable('users').set({ passwordHash: weak }).where('accountId', '=', accountId).execute()
    await portal.signedIn({ accountId, email })
    const stored = await db
      .selectFrom('users')
      .select('passwordHash')
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
    expect(stored.passwordHash).toContain('m=19456,t=2,p=1')
    await portal.signedIn({ accountId, email })
  })

  test('that cannot be replaced does not prevent the sign-in: the next one tries again', async () => {
    const { accountId, email } = await portal.person()
    const weak = await hash(testPassword, { memoryCost: 8192, timeCost: 2, parallelism: 1 })
    await portal.system.db.updateTable('users').set({ passwordHash: weak }).where('accountId', '=', accountId).execute()
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by the test' using errcode = '57014'; end $$`)
    await owner.query('create trigger refused before update of password_hash on users execute function refuse()')
    const { page } = await openSignIn(browser)
    const answer = await submitPassword(browser, page, email)
    await owner.query('drop trigger refused on users')
    await owner.end()
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    expect(portal.logged.map(({ msg }) => msg)).toContain('a stronger hash of a password could not be stored')
  })
})
