import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const chosen = 'Brown-otter-42-lamp'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
  outbox = outboxOf(portal)
})
afterAll(() => portal.close())
// What one test used up of a limit is long over for the next.
beforeEach(() => portal.advance(2 * 24 * 3600))

const find = (token: string, client: Client = portal.browser()) =>
  client.get(`/api/reset-password/${encodeURIComponent(token)}`)
const reset = (email: string, token: string, more: object = {}, client: Client = portal.browser()) =>
  client.post('/api/reset-password', { email, newPassword: chosen, confirmNewPassword: chosen, token, ...more })
const verify = async (email: string, password: string, client: Client = portal.browser(), ip?: string) =>
  (await client.post('/api/verify-credentials', { email, password }, ip ? { 'x-forwarded-for': ip } : {})).statusCode

async function tokenFor(email: string): Promise<string> {
  await portal.browser().post('/api/initiate-password-reset', { email })
  const [mail] = (await outbox.messagesTo(email)).filter(({ template }) => template === 'reset-password')
  return String(mail?.values.link).split('/reset-password/')[1] ?? ''
}
async function newPerson(more: Parameters<TestApp['person']>[0] = {}): Promise<Person & { token: string }> {
  const person = await portal.person(more)
  return { ...person, token: await tokenFor(person.email) }
}
const eventsOf = ({ accountId }: Person) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'actor', 'changes'])
    .where('targetId', '=', accountId)
    .where('name', 'in', ['resetPassword', 'requestPasswordReset'])
    .orderBy('id')
    .execute()

describe('a reset link', () => {
  test('says whom it is for, as often as it is opened, and then sets a password', async () => {
    const { email, token } = await newPerson()
    for (let opened = 1; opened <= 3; opened++) expect((await find(token)).json()).toEqual({ email })
    expect((await reset(email, token)).statusCode).toBe(204)
    expect(await verify(email, testPassword)).toBe(401)
    expect(await verify(email, chosen)).toBe(204)
  })

  test('works once, even with concurrent requests', async () => {
    const person = await newPerson()
    const { email, token } = person
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(email, token)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404, 404, 404, 404, 404])
    expect((await reset(email, token)).statusCode).toBe(404)
    expect((await eventsOf(person)).map(({ name }) => name)).toEqual(['requestPasswordReset', 'resetPassword'])
  })

  test('that is used, expired, replaced or made up gets the same answer', async () => {
    const used = await newPerson()
    await reset(used.email, used.token)
    const expired = await newPerson()
    portal.advance(3601)
    const replaced = await newPerson()
    await tokenFor(replaced.email)
    const answers = new Set<string>()
    for (const token of [used.token, expired.token, replaced.token, 'made-up', 'x'.repeat(43)]) {
      const found = await find(token)
      answers.add(JSON.stringify([found.statusCode, found.json().message]))
      const posted = await reset(used.email, token)
      answers.add(JSON.stringify([posted.statusCode, posted.json().message]))
    }
    expect([...answers]).toEqual(['[404,"resetLinkInvalid"]'])
  })

  test('lives for an hour and not longer', async () => {
    const { email, token } = await newPerson()
    portal.advance(3599)
    expect((await find(token)).statusCode).toBe(200)
    portal.advance(1)
    expect((await find(token)).statusCode).toBe(404)
    expect((await reset(email, token)).statusCode).toBe(404)
  })

  test('is for one address alone', async () => {
    const { email, token } = await newPerson()
    const other = await portal.person()
    expect((await reset(other.email, token)).statusCode).toBe(404)
    expect((await reset(email, token)).statusCode).toBe(204)
  })

  test('is useless once the account has no password any more', async () => {
    const person = await newPerson()
    await portal.system.db
      .updateTable('users')
      .set({ loginMethod: 'bankid', passwordHash: null })
      .where('accountId', '=', person.accountId)
      .execute()
    expect((await find(person.token)).statusCode).toBe(404)
    expect((await reset(person.email, person.token)).statusCode).toBe(404)
  })

  test('is stored only as a hash', async () => {
    const { accountId, token } = await newPerson()
    const { rows } = await portal.system.pool.query(
      `select to_jsonb(t)::text as row from one_time_things t where subject = $1`,
      [accountId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].row).not.toContain(token)
  })

  test('opens with query parameters that a mail program has added, and so does the page that requests one', async () => {
    for (const path of ['/reset-password/made-up', '/reset-password'])
      expect((await portal.browser().get(`${path}?utm_source=mail&x=1&x=2`)).statusCode).toBe(200)
  })

  test('is looked up twenty times in ten minutes from one address', async () => {
    const statuses = []
    for (let count = 1; count <= 21; count++) statuses.push((await find('made-up')).statusCode)
    expect(statuses).toEqual([...Array(20).fill(404), 429])
  })
})

describe('a new password', () => {
  test.each([
    ['too short', { newPassword: 'Short-1', confirmNewPassword: 'Short-1' }, 'newPassword', 'passwordTooShort'],
    [
      'too simple',
      { newPassword: 'only lowercase', confirmNewPassword: 'only lowercase' },
      'newPassword',
      'passwordInvalidPattern',
    ],
    [
      'common',
      { newPassword: 'Password-1234', confirmNewPassword: 'Password-1234' },
      'newPassword',
      'passwordTooCommon',
    ],
    [
      'the own name',
      { newPassword: 'Ravensburg-2026!', confirmNewPassword: 'Ravensburg-2026!' },
      'newPassword',
      'passwordTooCommon',
    ],
    ['not the same twice', { confirmNewPassword: `${chosen}!` }, 'confirmNewPassword', 'passwordsDoNotMatch'],
  ])('that is %s is refused, and the link still works', async (_, form, path, message) => {
    const { email, token } = await newPerson({ lastName: 'Ravensburg' })
    const refused = await reset(email, token, form)
    expect([refused.statusCode, refused.json().issues]).toEqual([422, [{ path, message }]])
    expect((await reset(email, token)).statusCode).toBe(204)
  })

  test('ends every session of the account immediately, in this browser too', async () => {
    const { email, accountId } = await portal.person()
    const browsers = [await portal.signedIn({ email, accountId }), await portal.signedIn({ email, accountId })]
    const bystander = await portal.signedIn(await portal.person())
    const token = await tokenFor(email)
    expect((await reset(email, token, {}, browsers[0])).statusCode).toBe(204)
    for (const browser of browsers) expect((await browser.get('/api/me')).statusCode).toBe(401)
    expect((await bystander.get('/api/me')).statusCode).toBe(200)
  })

  test('ends them on every process that serves the portal', async () => {
    const node = await portal.anotherNode()
    const { email, accountId } = await portal.person()
    const there = node.browser()
    for (const [name, value] of Object.entries((await portal.signedIn({ email, accountId })).cookies()))
      there.setCookie(name, value)
    expect((await there.get('/api/me')).statusCode).toBe(200)
    await reset(email, await tokenFor(email))
    expect((await there.get('/api/me')).statusCode).toBe(401)
    await node.close()
  })

  test('ends a sign-in in progress with the old password', async () => {
    const { email, token } = await newPerson()
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    expect(await verify(email, testPassword, browser)).toBe(204)
    await reset(email, token)
    await browser.follow(await browser.submit(`${page}/login`, { email, password: testPassword }))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('need not be changed again, and the owner is notified', async () => {
    const person = await portal.person({ preferredLanguage: 'en', firstName: 'Nina' })
    await portal.system.db
      .updateTable('users')
      .set({ passwordMustChange: true })
      .where('accountId', '=', person.accountId)
      .execute()
    await reset(person.email, await tokenFor(person.email))
    const browser = await portal.signedIn(person, chosen)
    expect((await browser.get('/api/me')).json()).toMatchObject({ passwordMustChange: false })
    expect((await outbox.messagesTo(person.email))[0]).toMatchObject({
      template: 'password-changed',
      language: 'en',
      values: { firstName: 'Nina', at: portal.now().toISOString() },
    })
    expect((await eventsOf(person)).at(-1)).toEqual({ name: 'resetPassword', actor: person.email, changes: [] })
  })

  test('allows a sign-in immediately, even after many wrong passwords', async () => {
    const { email, token } = await newPerson()
    const browser = portal.browser()
    for (let count = 1; count <= 5; count++) await verify(email, 'wrong', browser, '203.0.113.1')
    for (let count = 1; count <= 5; count++) await verify(email, 'wrong', portal.browser(), `198.51.100.${count}`)
    expect(await verify(email, testPassword, browser, '203.0.113.1')).toBe(429)
    expect(await verify(email, testPassword, portal.browser(), '198.51.100.9')).toBe(429)
    const form = { email, token, newPassword: chosen, confirmNewPassword: chosen }
    expect((await browser.post('/api/reset-password', form, { 'x-forwarded-for': '203.0.113.1' })).statusCode).toBe(204)
    expect(await verify(email, chosen, browser, '203.0.113.1')).toBe(204)
    expect(await verify(email, chosen, portal.browser(), '198.51.100.9')).toBe(204)
  })

  test('frees its owner from the wrong codes of the old one; someone who reads the mail does not begin anew by another reset', async () => {
    const { email, token } = await newPerson({ loginMethod: 'local2FA', phoneNumber: '+46701740671' })
    const codeSent = async () => String((await outbox.messagesTo('+46701740671'))[0]?.values.code)
    const guesser = portal.browser()
    let failures = 0
    const start = (password: string, client = guesser) =>
      client.post('/api/start-2fa-login', { email, password, codeDeliveryType: 'sms' })
    const guess = (code: string, password: string, client = guesser) =>
      client.post(
        '/api/verify-credentials-2fa',
        { email, password, code },
        { 'x-forwarded-for': `192.0.2.${++failures}` },
      )
    const useUp = async (password: string) => {
      for (let sent = 1; sent <= 4; sent++) {
        expect((await start(password)).statusCode).toBe(204)
        const other = String((Number(await codeSent()) + 1) % 1_000_000).padStart(6, '0')
        for (let count = 1; count <= 5; count++)
          expect((await guess(other, password)).json().message).toBe('invalidCode')
        portal.advance(601)
      }
      await start(password)
      expect((await guess(await codeSent(), password)).statusCode).toBe(429)
    }
    await useUp(testPassword)
    const fresh = await tokenFor(email)
    expect((await reset(email, fresh)).statusCode).toBe(204)
    expect(token).not.toBe(fresh)
    await useUp(chosen)
    portal.advance(3600)
    expect((await reset(email, await tokenFor(email))).statusCode).toBe(204)
    const again = portal.browser()
    expect((await start(chosen, again)).statusCode).toBe(204)
    expect((await guess(await codeSent(), chosen, again)).statusCode).toBe(429)
    portal.advance(24 * 3600)
    expect((await start(chosen, again)).statusCode).toBe(204)
    expect((await guess(await codeSent(), chosen, again)).statusCode).toBe(204)
  })

  test('is set atomically: if the last step fails, the link and the old password still work', async () => {
    const person = await newPerson()
    const { email, token } = person
    const browser = await portal.signedIn(person)
    await verify(email, 'wrong')
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by the test' using errcode = '57014'; end $$;
      create trigger refused before update on limits for each row when (new.window_ends_at = '-infinity')
      execute function refuse()`)
    const refused = await reset(email, token)
    await owner.query('drop trigger refused on limits; drop function refuse()')
    await owner.end()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    expect(await verify(email, testPassword)).toBe(204)
    expect((await reset(email, token)).statusCode).toBe(204)
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('and a concurrent request for another link do not deadlock: the newer link works', async () => {
    const { email, accountId, token } = await newPerson()
    const owner = () => new pg.Client({ connectionString: portal.ownerUrl })
    const [requests, watcher] = [owner(), owner()]
    await Promise.all([requests.connect(), watcher.connect()])
    const someoneWaits = async () => {
      const waiting = `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`
      return (await watcher.query(waiting)).rows.length > 0
    }
    try {
      // As a request does: the person first, then the links; sooner than the database would choose between two that wait.
      await requests.query(`set lock_timeout = '400ms'`)
      await requests.query('begin')
      await requests.query('select from users where account_id = $1 for update', [accountId])
      const answer = reset(email, token)
      await vi.waitUntil(someoneWaits, { timeout: 30_000, interval: 20 })
      await requests.query(
        `update one_time_things set consumed_at = now() where purpose = 'passwordReset' and subject = $1::text`,
        [accountId],
      )
      await requests.query('commit')
      expect((await answer).statusCode).toBe(404)
    } finally {
      await Promise.all([requests.end(), watcher.end()])
    }
    expect(await verify(email, testPassword)).toBe(204)
  })

  test('does not bypass the second factor', async () => {
    const { email, token } = await newPerson({ loginMethod: 'local2FA' })
    expect((await reset(email, token)).statusCode).toBe(204)
    expect(await verify(email, chosen)).toBe(401)
    const browser = portal.browser()
    expect((await browser.post('/api/start-2fa-login', { email, password: chosen })).statusCode).toBe(204)
    const code = await outbox.codeSentTo(email)
    const form = { email, password: chosen, code, codeDeliveryType: 'email' }
    expect((await browser.post('/api/verify-credentials-2fa', form)).statusCode).toBe(204)
  })

  test('does not sign in a passive person', async () => {
    const { email, accountId, token } = await newPerson()
    await portal.system.db
      .updateTable('users')
      .set({ passiveAt: portal.now() })
      .where('accountId', '=', accountId)
      .execute()
    expect((await reset(email, token)).statusCode).toBe(204)
    expect(await verify(email, chosen)).toBe(401)
  })
})
