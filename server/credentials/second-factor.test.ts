import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashId } from '#server/oidc/hash-id.ts'
import { createElks } from '#server/platform/messages/sms-46elks.ts'
import { type SmsGateway, startSmsGateway } from '#simulators/sms-gateway.ts'
import { type Client, outcome } from '#test/client.ts'
import { hashesOf } from '#test/hashes-of.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { traceChanges } from '#test/traces.ts'

const phoneNumber = '+46701740605'
const wrong = 'Wrong-horse-7-battery'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let browser: Client
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
  outbox = outboxOf(portal)
})
afterAll(() => portal.close())
beforeEach(async () => {
  // Lets the limits that one test used up expire before the next.
  portal.advance(2 * 24 * 3600)
  browser = portal.browser()
  await portal.system.db.deleteFrom('outboxMessages').execute()
})

const person = (more: Parameters<TestApp['person']>[0] = {}) => portal.person({ loginMethod: 'local2FA', ...more })
const start = (email: string, more: object = {}, client = browser, ip?: string) =>
  client.post('/api/start-2fa-login', { email, password: testPassword, ...more }, ip ? { 'x-forwarded-for': ip } : {})
const verify = (email: string, code: string, more: object = {}, client = browser, ip?: string) =>
  client.post(
    '/api/verify-credentials-2fa',
    { email, password: testPassword, code, codeDeliveryType: 'email', ...more },
    ip ? { 'x-forwarded-for': ip } : {},
  )
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const isSignedIn = async (client = browser) => (await client.get('/api/me')).statusCode === 200

/** Sends a code to a new person, for this test's browser. */
async function started(more: Parameters<TestApp['person']>[0] = {}) {
  const { email, accountId } = await person(more)
  expect(outcome(await start(email))).toBe(204)
  return { email, accountId, code: await outbox.codeSentTo(email) }
}

describe('a code proves the address', () => {
  const proofOf = async (email: string) =>
    portal.system.db.selectFrom('users').select('emailProof').where('email', '=', email).executeTakeFirst()
  const lastChanges = async (email: string) =>
    (
      await portal.system.db
        .selectFrom('auditEvents')
        .select('changes')
        .where('target', '=', email)
        .where('name', '=', 'loginSuccess')
        .orderBy('id', 'desc')
        .executeTakeFirst()
    )?.changes
  /** Signs in with a code sent this way, with the ticket or with the form alone. */
  async function signedInBy(codeDeliveryType: 'email' | 'sms', how: 'ticket' | 'form') {
    const { email } = await person({ emailProof: null, phoneNumber })
    const { page } = await openSignIn(browser)
    await start(email, { codeDeliveryType })
    const [message] = await outbox.messagesTo(codeDeliveryType === 'sms' ? phoneNumber : email)
    const code = String(message?.values.code)
    if (how === 'ticket') expect(outcome(await verify(email, code))).toBe(204)
    const form = { email, login: 'local2FA', ...(how === 'form' ? { password: testPassword, code } : {}) }
    await browser.follow(await browser.submit(`${page}/login`, form))
    expect(await isSignedIn()).toBe(true)
    return email
  }

  test.each(['ticket', 'form'] as const)('when it came by mail and is redeemed by the %s', async (how) => {
    const email = await signedInBy('email', how)
    expect(await proofOf(email)).toEqual({ emailProof: 'mailedCode' })
    expect(await lastChanges(email)).toEqual([
      ...traceChanges('passwordAndEmailCode'),
      { property: 'emailProof', previousValue: null, newValue: 'mailedCode' },
    ])
  })

  test.each(['ticket', 'form'] as const)('and not when it came by SMS, redeemed by the %s', async (how) => {
    expect(await proofOf(await signedInBy('sms', how))).toEqual({ emailProof: null })
  })
})

describe('a person with two factors', () => {
  test('signs in with a password and the code from the mail', async () => {
    const { email, accountId } = await person({ preferredLanguage: 'fi' })
    const { page } = await openSignIn(browser)
    expect(outcome(await start(email))).toBe(204)
    const [mail] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({ kind: 'mail', template: 'login-code', language: 'fi', accountId })
    expect(mail?.uselessAfter).toEqual(new Date(portal.now().getTime() + 600_000))
    const code = String(mail?.values.code)
    expect(code).toMatch(/^[0-9]{6}$/)
    expect(outcome(await verify(email, code))).toBe(204)
    expect(await isSignedIn()).toBe(false)
    await browser.follow(await browser.submit(`${page}/login`, { email, login: email, password: '', code: '' }))
    expect((await browser.get('/api/me')).json()).toMatchObject({ email })
  })

  test('with a phone number signs in with a code by SMS', async () => {
    const { email } = await person({ phoneNumber })
    const { page } = await openSignIn(browser)
    expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toBe(204)
    expect(await outbox.messagesTo(email)).toEqual([])
    const [sms] = await outbox.messagesTo(phoneNumber)
    expect(sms).toMatchObject({ kind: 'sms', template: 'login-code', values: { minutes: 10 } })
    expect(outcome(await verify(email, String(sms?.values.code), { codeDeliveryType: 'sms' }))).toBe(204)
    await browser.follow(await browser.submit(`${page}/login`, { email, password: testPassword }))
    expect(await isSignedIn()).toBe(true)
  })

  test('without a phone number gets no SMS', async () => {
    const { email } = await person()
    const refused = await start(email, { codeDeliveryType: 'sms' })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().issues).toEqual([{ path: 'codeDeliveryType', message: 'invalidValue' }])
  })

  test('causes one password hash, no matter how the code is submitted', async () => {
    const { email } = await person()
    expect(await hashesOf(portal, () => start(email))).toBe(1)
    const code = await outbox.codeSentTo(email)
    expect(await hashesOf(portal, () => verify(email, otherThan(code)))).toBe(0)
    expect(await hashesOf(portal, () => verify(email, code))).toBe(0)
  })

  test('signs in without JavaScript: the form sends a code, then accepts it', async () => {
    const { email } = await person()
    const { page } = await openSignIn(browser)
    const submit = (code: string) =>
      browser.submit(`${page}/login`, { email, login: email, password: testPassword, code })
    expect((await submit('')).headers.location).toBe(`${page}/login?email=${encodeURIComponent(email)}`)
    const code = await outbox.codeSentTo(email)
    expect((await submit(otherThan(code))).headers.location).toContain('error=invalidCode')
    await browser.follow(await submit(`${code.slice(0, 3)} ${code.slice(3)}`))
    expect(await isSignedIn()).toBe(true)
  })

  test('proves two factors, and services receive that', async () => {
    const { email, code } = await started()
    const { page } = await openSignIn(browser)
    await verify(email, code)
    await browser.submit(`${page}/login`, { email, password: testPassword })
    const { payload } = await portal.system.db
      .selectFrom('sessions')
      .select('payload')
      .where('idHash', '=', hashId(browser.cookies().portal_session ?? ''))
      .executeTakeFirstOrThrow()
    expect(payload).toMatchObject({ amr: ['pwd', 'otp', 'email', 'mfa'] })
  })
})

describe('a code', () => {
  test('still works after a wrong attempt', async () => {
    const { email, code } = await started()
    expect(outcome(await verify(email, otherThan(code)))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(email, code))).toBe(204)
  })

  test('is revoked after the fifth wrong attempt', async () => {
    const { email, code } = await started()
    for (let attempt = 1; attempt <= 5; attempt++)
      expect(outcome(await verify(email, otherThan(code)))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(email, code))).toEqual([401, 'invalidCode'])
  })

  test('expires after ten minutes', async () => {
    const { email, code } = await started()
    portal.advance(601)
    expect(outcome(await verify(email, code))).toEqual([401, 'invalidCode'])
  })

  test('works once, also with concurrent requests', async () => {
    const { email, code } = await started()
    const answers = await Promise.all([verify(email, code), verify(email, code), verify(email, code)])
    expect(answers.filter(({ statusCode }) => statusCode === 204).length).toBe(1)
    expect(outcome(await verify(email, code))).toEqual([401, 'invalidCode'])
  })

  test('is replaced by a newer one, and removed from the queue if it was not sent', async () => {
    const { email, code } = await started()
    portal.advance(31)
    expect(outcome(await start(email))).toBe(204)
    const [newer, older] = await outbox.messagesTo(email)
    expect([newer?.state, older?.state]).toEqual(['queued', 'dropped'])
    if (code !== newer?.values.code) expect(outcome(await verify(email, code))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(email, String(newer?.values.code)))).toBe(204)
  })

  test('is useless in another browser, which causes a password hash', async () => {
    const { email, code } = await started()
    const stranger = portal.browser()
    expect(
      await hashesOf(portal, async () =>
        expect(outcome(await verify(email, code, {}, stranger))).toEqual([401, 'invalidCode']),
      ),
    ).toBe(1)
    const { page } = await openSignIn(stranger)
    const form = { email, login: email, password: testPassword, code }
    expect((await stranger.submit(`${page}/login`, form)).headers.location).toContain('error=invalidCode')
    expect(outcome(await verify(email, code))).toBe(204)
  })

  test('is useless for another account, even in the same browser', async () => {
    const { code } = await started()
    const { email } = await person()
    expect(outcome(await verify(email, code))).toEqual([401, 'invalidCode'])
  })

  test('is useless without the password', async () => {
    const { email, code } = await started()
    expect(outcome(await verify(email, code, { password: wrong }))).toEqual([401, 'invalidCredentials'])
    expect(outcome(await verify(email, code))).toBe(204)
  })

  test('is useless once the password has been changed', async () => {
    const { email, accountId, code } = await started()
    await portal.system.db
      .updateTable('users')
      .set((row) => ({ authEpoch: row('authEpoch', '+', 1) }))
      .where('accountId', '=', accountId)
      .execute()
    expect(outcome(await verify(email, code))).toEqual([401, 'invalidCode'])
  })

  test('gives a ticket that a password change revokes', async () => {
    const { email, accountId, code } = await started()
    const { page } = await openSignIn(browser)
    expect(outcome(await verify(email, code))).toBe(204)
    await portal.system.db
      .updateTable('users')
      .set((row) => ({ authEpoch: row('authEpoch', '+', 1) }))
      .where('accountId', '=', accountId)
      .execute()
    await browser.follow(await browser.submit(`${page}/login`, { email, password: '' }))
    expect(await isSignedIn()).toBe(false)
  })

  test('has six characters', async () => {
    const { email } = await started()
    for (const code of ['', '12345', '1234567']) expect((await verify(email, code)).statusCode).toBe(422)
  })
})

describe('every failure looks the same', () => {
  test('before a code is sent, status, body, headers and work are the same for every reason', async () => {
    const people = {
      'a wrong password': [(await person()).email, wrong],
      'an unknown address': ['nobody@unknown.example', testPassword],
      'a pending person': [(await person({ pending: true })).email, testPassword],
      'a passive person': [(await person({ passive: true })).email, testPassword],
      'a person without a password': [(await person({ password: null })).email, testPassword],
      'a password is enough': [(await person({ loginMethod: 'local' })).email, testPassword],
      'BankID is needed': [(await person({ loginMethod: 'bankid' })).email, testPassword],
    } as const
    for (const call of [start, (email: string, more: object) => verify(email, '123456', more)]) {
      const seen = new Set<string>()
      for (const [what, [email, password]] of Object.entries(people)) {
        const hashes = await hashesOf(portal, async () => {
          const { statusCode, headers, body } = await call(email, { password })
          const { 'x-request-id': _, date: __, ...rest } = headers
          seen.add(JSON.stringify([statusCode, rest, JSON.parse(body).message]))
        })
        expect([what, hashes]).toEqual([what, 1])
      }
      expect([...seen]).toHaveLength(1)
      expect([...seen][0]).toMatch(/^\[401,.*invalidCredentials/)
    }
    expect(
      await portal.system.db
        .selectFrom('oneTimeThings')
        .selectAll()
        .where('purpose', '=', 'loginCode')
        .where('createdAt', '=', portal.now())
        .execute(),
    ).toEqual([])
  })

  test('a passive person with the right password gets a mail that explains why, once a day', async () => {
    const { email, accountId } = await person({ passive: true })
    const { organizationId, name } = await portal.organization()
    await portal.join(accountId, organizationId)
    await start(email, { password: wrong })
    expect(await outbox.messagesTo(email)).toEqual([])
    await start(email)
    await start(email)
    const [mail, ...others] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({ template: 'refused-passive', values: { organizationNames: [name] } })
    expect(others).toEqual([])
  })

  test('each records exactly one event', async () => {
    const { email, code } = await started()
    await start(email, { password: wrong })
    await verify(email, otherThan(code))
    await verify(email, code)
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'target'])
      .where('createdAt', '=', portal.now())
      .execute()
    expect(events).toEqual(Array(2).fill({ name: 'loginFailure', target: email }))
  })
})

describe('limits', () => {
  test('one code in thirty seconds, five an hour; requests with a wrong password do not count', async () => {
    const { email } = await person()
    const stranger = portal.browser()
    for (let count = 1; count <= 5; count++) {
      expect(outcome(await start(email, { password: wrong }, stranger, '198.51.100.7'))).toEqual([
        401,
        'invalidCredentials',
      ])
      portal.advance(20)
      expect(outcome(await start(email))).toBe(204)
      const refused = await start(email)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, count < 5 ? '30' : '3460'])
      portal.advance(15)
    }
  })

  test('three concurrent requests send one code, and count once against the hourly limit', async () => {
    const { email } = await person()
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    // All three read the limits of this person before the first one is written.
    await owner.query(`
      create function wait_a_little() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.3); return new; end $$;
      create trigger slow before insert on limits for each row when (new.key like 'codeSend:%')
        execute function wait_a_little()`)
    const answers = await Promise.all([start(email), start(email), start(email)])
    await owner.query('drop trigger slow on limits')
    await owner.end()
    const told = answers.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])
    expect(told.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
      [204, undefined],
      [429, '30'],
      [429, '30'],
    ])
    expect(await outbox.messagesTo(email)).toHaveLength(1)
    for (let further = 1; further <= 4; further++) {
      portal.advance(30)
      expect(outcome(await start(email))).toBe(204)
    }
  })

  test('three SMS in a quarter of an hour, and e-mail still works', async () => {
    const { email } = await person({ phoneNumber })
    for (let count = 1; count <= 3; count++) {
      expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toBe(204)
      portal.advance(31)
    }
    const refused = await start(email, { codeDeliveryType: 'sms' })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(900 - 3 * 31)])
    expect(outcome(await start(email))).toBe(204)
  })

  test('ten SMS a day, and e-mail still works', async () => {
    const { email } = await person({ phoneNumber })
    const pause = 16 * 60
    for (let count = 1; count <= 10; count++) {
      expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toBe(204)
      portal.advance(pause)
    }
    const refused = await start(email, { codeDeliveryType: 'sms' })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(24 * 3600 - 10 * pause)])
    expect(outcome(await start(email))).toBe(204)
  })

  test('twenty wrong codes a day, then the owner gets a mail and all codes are refused', async () => {
    const { email } = await person()
    const began = portal.now()
    let tries = 0
    for (let round = 1; round <= 4; round++) {
      expect(outcome(await start(email))).toBe(204)
      const code = await outbox.codeSentTo(email)
      for (let attempt = 1; attempt <= 5; attempt++)
        expect(outcome(await verify(email, otherThan(code), {}, browser, `198.51.100.${++tries}`))).toEqual([
          401,
          'invalidCode',
        ])
      portal.advance(31)
    }
    const [mail] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({
      template: 'too-many-codes',
      values: { until: new Date(began.getTime() + 24 * 3600_000).toISOString() },
    })
    expect(outcome(await start(email))).toBe(204)
    const refused = await verify(email, await outbox.codeSentTo(email))
    expect([refused.statusCode, refused.json().message]).toEqual([429, 'tooManyRequests'])
    portal.advance(24 * 3600)
    expect(outcome(await start(email))).toBe(204)
    expect(outcome(await verify(email, await outbox.codeSentTo(email)))).toBe(204)
  })

  test('wrong codes count against the IP address, and a correct one does not', async () => {
    const address = '203.0.113.9'
    for (let count = 1; count <= 25; count++) {
      const { email, code } = await started()
      expect(outcome(await verify(email, code, {}, browser, address))).toBe(204)
    }
    const statuses = []
    for (let count = 1; count <= 21; count++) {
      const { email, code } = await started()
      statuses.push((await verify(email, otherThan(code), {}, browser, address)).statusCode)
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429])
  })
})

describe('when the SMS gateway is down', () => {
  let gateway: SmsGateway
  beforeAll(async () => {
    gateway = await startSmsGateway({ username: 'user', password: 'pass' })
  })
  afterAll(() => gateway.close())
  const elks = () => createElks({ url: gateway.url, username: 'user', password: 'pass', from: 'Vestibule' })
  const delivery = async (client = browser) => (await client.get('/api/2fa-delivery')).json().delivery
  const waitingSms = async () => (await outbox.messagesTo(phoneNumber))[0]?.id ?? ''

  test('only the browser that requested it sees the delivery state of its SMS', async () => {
    const { email } = await person({ phoneNumber })
    await start(email, { codeDeliveryType: 'sms' })
    expect(await delivery()).toBe('queued')
    expect(await outbox.deliver(await waitingSms(), elks())).toBe(true)
    expect(await delivery()).toBe('sent')
    expect(gateway.taken.at(-1)?.to).toBe(phoneNumber)
    expect((await portal.browser().get('/api/2fa-delivery')).statusCode).toBe(404)
  })

  test.each([
    ['broken', { status: 503 }],
    ['gone', 'hang up'],
    ['refusing for good', { status: 403 }],
  ] as const)('%s: e-mail goes at once, and the SMS counts for nothing', async (_, fault) => {
    const { email } = await person({ phoneNumber })
    // More often than the limits allow.
    for (let count = 1; count <= 6; count++) {
      expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toBe(204)
      const id = await waitingSms()
      gateway.failNext(fault)
      await outbox.deliver(id, elks())
      expect(await delivery()).toBe('failed')
    }
    const before = gateway.taken.length
    const stuck = await waitingSms()
    expect(outcome(await start(email))).toBe(204)
    expect(await outbox.deliver(stuck, elks())).toBe(true)
    expect(gateway.taken.length).toBe(before)
    expect(outcome(await verify(email, await outbox.codeSentTo(email)))).toBe(204)
  })

  test('silent: another can be requested after two seconds, and those that may still arrive count', async () => {
    const { email } = await person({ phoneNumber })
    for (let count = 1; count <= 3; count++) {
      expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toBe(204)
      expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toEqual([429, 'tooManyRequests'])
      portal.advance(2)
    }
    expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toEqual([429, 'tooManyRequests'])
    expect(outcome(await start(email))).toBe(204)
  })

  test('a sent SMS is not refunded', async () => {
    const { email } = await person({ phoneNumber })
    await start(email, { codeDeliveryType: 'sms' })
    await outbox.deliver(await waitingSms(), elks())
    portal.advance(5)
    expect(outcome(await start(email, { codeDeliveryType: 'sms' }))).toEqual([429, 'tooManyRequests'])
  })
})

test('an SMS need not wait for the mail before it, nor the mail for an SMS', async () => {
  const { email } = await person({ phoneNumber })
  for (const by of ['email', 'sms'] as const) expect(outcome(await start(email, { codeDeliveryType: by }))).toBe(204)
  for (const by of ['email', 'sms'] as const)
    expect(outcome(await start(email, { codeDeliveryType: by }))).toEqual([429, 'tooManyRequests'])
})
