import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import { messageCell } from '#server/platform/messages/outbox.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import type { Client } from '#test/client.ts'
import { type Person, testPassword } from '#test/people.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

// Test numbers of the tax agency, which belong to no real person.
const ssn = '191212121212'
let days = 0
/** From the official test series, with a date of birth that no other test uses. */
const newNumber = () => testPersonalNumber(`197303${++days + 9}`)
const bankidSsn = '201701102384'

const eventsOf = async (person: Person) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'changes'])
      .where('targetId', '=', person.accountId)
      .where('name', '<>', 'loginSuccess')
      .orderBy('id')
      .execute()
  ).map(({ name, changes }) => ({ name, changes }))

const mailsTo = async (person: Person) => {
  const rows = await portal.system.db
    .selectFrom('outboxMessages')
    .select(['id', 'template', 'recipient', 'language', 'sealed'])
    .where('accountId', '=', person.accountId)
    .execute()
  return Promise.all(
    rows.map(async ({ id, sealed, ...row }) => {
      if (!sealed) throw new Error('the mail has left already')
      const content = await unseal(portal.system.keys, messageCell(id), sealed)
      return { ...row, values: JSON.parse(content.toString()).values }
    }),
  )
}

async function newPerson(options: Parameters<TestApp['person']>[0] = {}): Promise<{ person: Person; browser: Client }> {
  const person = await portal.person(options)
  return { person, browser: await portal.signedIn(person) }
}

/** A session of a person with BankID or SAML. The sign-in itself has tests of its own. */
async function signedInElsewhere(loginMethod: 'bankid' | 'saml', options: Parameters<TestApp['person']>[0] = {}) {
  const { person, browser } = await newPerson(options)
  const samlConfigId = loginMethod === 'saml' ? await portal.samlConfig() : null
  await portal.system.db
    .updateTable('users')
    .set({ loginMethod, samlConfigId, passwordHash: null })
    .where('accountId', '=', person.accountId)
    .execute()
  const proof = loginMethod === 'saml' ? 'company' : 'bankid'
  await portal.system.db
    .updateTable('sessions')
    .set({ proofs: JSON.stringify({ [proof]: portal.now().getTime() }) })
    .where('accountId', '=', person.accountId)
    .execute()
  return { person, browser }
}

describe('a person changes their own account', () => {
  test('names and language, and is shown what is true now', async () => {
    const { person, browser } = await newPerson({ firstName: 'Åsa', lastName: 'Öberg' })
    const response = await browser.put('/api/profile', {
      email: person.email.toUpperCase(),
      firstName: ' Ärla ',
      lastName: 'Öberg',
      ssn: '',
      phoneNumber: '',
      preferredLanguage: 'fi',
      loginMethod: 'local',
      version: 1,
    })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      expect.objectContaining({ firstName: 'Ärla', preferredLanguage: 'fi', ssn: null, phoneNumber: null, version: 2 }),
    ])
    expect((await browser.get('/api/me')).json()).toEqual(response.json())
    expect(await eventsOf(person)).toEqual([
      {
        name: 'updateUser',
        changes: [
          { property: 'firstName', previousValue: 'Åsa', newValue: 'Ärla' },
          { property: 'preferredLanguage', previousValue: null, newValue: 'fi' },
        ],
      },
    ])
    expect(await mailsTo(person)).toEqual([])
  })

  test('the language alone, and everything else stays', async () => {
    const { browser } = await newPerson({ phoneNumber: '+46701740605' })
    const before = (await browser.get('/api/me')).json()
    await browser.put('/api/profile', { preferredLanguage: 'fr' })
    expect((await browser.get('/api/me')).json()).toEqual({ ...before, preferredLanguage: 'fr', version: 2 })
  })

  test('nothing, which records no event and no new version', async () => {
    const { person, browser } = await newPerson({ firstName: 'Åsa' })
    const response = await browser.put('/api/profile', { firstName: 'Åsa', version: 1 })
    expect([response.statusCode, response.json().version]).toEqual([200, 1])
    expect(await eventsOf(person)).toEqual([])
  })

  test('to a placeholder for a number that is not known yet, which is case-insensitive', async () => {
    const { person, browser } = await newPerson()
    const send = (ssn: string) => browser.put('/api/profile', { ssn, currentPassword: testPassword })
    expect((await send('placeholder-ABC')).json()).toMatchObject({ ssn: 'placeholder-abc', version: 2 })
    expect((await send('placeholder-ABC')).json().version).toBe(2)
    expect(await eventsOf(person)).toHaveLength(1)
    expect(await mailsTo(person)).toHaveLength(1)
  })

  test('but a name has something to be seen', async () => {
    const { browser } = await newPerson({ firstName: 'Åsa' })
    for (const firstName of ['\u200b', '\u2060\u00ad', '\ufeff ', '\u202e', '\u00a0']) {
      const response = await browser.put('/api/profile', { firstName })
      expect([response.statusCode, response.json().issues]).toEqual([422, [{ path: 'firstName', message: 'required' }]])
    }
  })

  test('but neither the address nor the sign-in method', async () => {
    const { person, browser } = await newPerson()
    for (const [field, value, message] of [
      ['email', 'other@test.example', 'emailNotEditable'],
      ['loginMethod', 'bankid', 'loginMethodNotEditable'],
    ]) {
      const response = await browser.put('/api/profile', { firstName: 'Changed', [String(field)]: value })
      expect([response.statusCode, response.json().issues]).toEqual([422, [{ path: field, message }]])
    }
    expect(await eventsOf(person)).toEqual([])
  })

  test('and is refused what the form refuses, field by field', async () => {
    const { browser } = await newPerson()
    const response = await browser.put('/api/profile', {
      firstName: ' ',
      lastName: '',
      ssn: '191212121213',
      phoneNumber: '112',
      preferredLanguage: 'de',
    })
    expect([response.statusCode, response.json().issues]).toEqual([
      422,
      [
        { path: 'firstName', message: 'required' },
        { path: 'lastName', message: 'required' },
        { path: 'ssn', message: 'ssnInvalidDigits' },
        { path: 'phoneNumber', message: 'invalidPhoneNumber' },
        { path: 'preferredLanguage', message: 'invalidValue' },
      ],
    ])
    const { issues } = (await browser.put('/api/profile', { superUser: true })).json()
    expect(issues).toEqual([{ path: 'superUser', message: 'readOnlyField' }])
  })

  test('and does not overwrite a concurrent change by someone else', async () => {
    const { person, browser } = await newPerson({ lastName: 'Berg' })
    await browser.put('/api/profile', { firstName: 'One', version: 1 })
    const late = await browser.put('/api/profile', { firstName: 'Two', version: 1 })
    expect([late.statusCode, late.json().message]).toEqual([409, 'changedByOthers'])
    expect((await browser.get('/api/me')).json().firstName).toBe('One')
    expect(await eventsOf(person)).toHaveLength(1)
  })
})

describe('the personal number and the telephone number', () => {
  const both = { ssn, phoneNumber: '+46701740605' }

  test('change with the current password, and the owner is notified without the new values', async () => {
    const { person, browser } = await newPerson({ phoneNumber: '+46701740699', preferredLanguage: 'en' })
    const response = await browser.put('/api/profile', { ...both, currentPassword: testPassword })
    expect([response.statusCode, response.json().ssn]).toEqual([200, ssn])
    expect(await eventsOf(person)).toEqual([
      {
        name: 'updateUser',
        changes: [
          { property: 'ssn', previousValue: null, newValue: '19121212-****' },
          { property: 'phoneNumber', previousValue: '+46*****99', newValue: '+46*****05' },
        ],
      },
    ])
    expect(await mailsTo(person)).toEqual([
      {
        template: 'contact-changed',
        recipient: person.email,
        language: 'en',
        values: {
          firstName: 'Test',
          changed: ['ssn', 'phoneNumber'],
          byAdmin: false,
          at: portal.now().toISOString(),
          link: expect.stringMatching(/\/not-me\/.+/),
        },
      },
    ])
  })

  test.each(Object.entries(both))('%s does not change without the password', async (field, value) => {
    const { person, browser } = await newPerson()
    const response = await browser.put('/api/profile', { [field]: value, firstName: 'Changed' })
    expect([response.statusCode, response.json().message]).toEqual([403, 'reauthenticationRequired'])
    expect((await browser.get('/api/me')).json()).toMatchObject({ [field]: null, firstName: 'Test' })
    expect([await eventsOf(person), await mailsTo(person)]).toEqual([[], []])
  })

  test('do not change with a wrong password, which counts like any other', async () => {
    const { person, browser } = await newPerson()
    const attempt = () => browser.put('/api/profile', { ...both, currentPassword: 'Wrong-horse-7-battery' })
    for (let time = 1; time <= 5; time++) {
      const response = await attempt()
      expect([response.statusCode, response.json().message]).toEqual([401, 'invalidCredentials'])
    }
    // The fifth one has ended the session.
    expect((await attempt()).statusCode).toBe(401)
    expect((await eventsOf(person)).map(({ name }) => name)).toEqual(Array(5).fill('loginFailure'))
    portal.advance(1)
    expect((await (await portal.signedIn(person)).get('/api/me')).json().ssn).toBeNull()
  })

  test('of another person can be claimed, proven or not: nothing says that somebody has it', async () => {
    const answers = []
    for (const ssnProof of ['bankid', null, undefined] as const) {
      const ssn = newNumber()
      if (ssnProof !== undefined) await portal.person({ ssn, ssnProof })
      const { browser, person } = await newPerson()
      const { statusCode, body } = await browser.put('/api/profile', { ssn, currentPassword: testPassword })
      expect((await browser.get('/api/me')).json()).toMatchObject({ ssn, ssnConfirmed: false })
      const said = body
        .replace(ssn, '')
        .replace(person.email, '')
        .replace(person.accountId, '')
        .replace(/Person[0-9]+/, '')
      answers.push([statusCode, said, (await mailsTo(person)).length, (await eventsOf(person)).length])
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(200)
  })

  test('cannot be tried one after the other: ten attempts a day', async () => {
    const { browser, person } = await newPerson()
    const attempt = (client: Client) => client.put('/api/profile', { ssn: newNumber(), currentPassword: testPassword })
    for (let time = 1; time <= 10; time++) expect((await attempt(browser)).statusCode).toBe(200)
    const refused = await attempt(browser)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(24 * 3600)])
    // Everything else still works, also for another account.
    expect((await browser.put('/api/profile', { firstName: 'Ärla' })).statusCode).toBe(200)
    expect(
      (await browser.put('/api/profile', { phoneNumber: '+46701740605', currentPassword: testPassword })).statusCode,
    ).toBe(200)
    expect((await attempt((await newPerson()).browser)).statusCode).toBe(200)
    portal.advance(24 * 3600)
    expect((await attempt(await portal.signedIn(person))).statusCode).toBe(200)
  })

  test.each(['bankid', 'saml'] as const)(
    'change for 10 minutes after a sign-in with %s, and not later',
    async (loginMethod) => {
      const { person, browser } = await signedInElsewhere(loginMethod)
      portal.advance(10 * 60 - 1)
      expect((await browser.put('/api/profile', { phoneNumber: '+46701740605' })).statusCode).toBe(200)
      portal.advance(3)
      const late = await browser.put('/api/profile', { phoneNumber: '+46701740606' })
      expect([late.statusCode, late.json().message]).toEqual([403, 'freshProofRequired'])
      expect(await mailsTo(person)).toHaveLength(1)
    },
  )

  test('a person who signs in with BankID cannot go without a number', async () => {
    const { browser } = await signedInElsewhere('bankid', { ssn: bankidSsn })
    const response = await browser.put('/api/profile', { ssn: '' })
    expect([response.statusCode, response.json().issues]).toEqual([
      422,
      [{ path: 'ssn', message: 'requiredWithBankId' }],
    ])
  })
})

test('a person who signs in again in the same session counts as recently signed in', async () => {
  const { person, browser } = await newPerson()
  const authenticatedAt = async () =>
    (
      await portal.system.db
        .selectFrom('sessions')
        .select('authenticatedAt')
        .where('accountId', '=', person.accountId)
        .executeTakeFirstOrThrow()
    ).authenticatedAt?.getTime() ?? 0
  const first = await authenticatedAt()
  portal.advance(1800)
  const { page } = await openSignIn(browser, '/login?returnTo=/account&prompt=login')
  expect(await finishSignIn(browser, page, person.email)).toBe('/account')
  expect((await authenticatedAt()) - first).toBeGreaterThan(1_700_000)
  expect((await browser.get('/api/profile/sessions')).json()).toHaveLength(1)
})
