import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { authenticator } from '#test/authenticator.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { command } from './passkeys-move.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const url = '/api/profile/passkeys'

/** Somebody with passkeys of portal.test that have these names. */
async function holder(email: string, names: readonly string[]) {
  const device = authenticator()
  const person = await portal.person({ email })
  const { organizationId } = await portal.organization()
  await portal.join(person.accountId, organizationId)
  const browser = await portal.signedIn(person)
  await factorsOf(portal).proveCode(browser, person)
  for (const name of names) {
    const { key, credential } = device.create((await browser.post(`${url}/challenge`, { kind: 'passkey' })).json())
    expect((await browser.post(url, { name, credential })).statusCode).toBe(201)
    // It is the strongest factor now, which the next one needs.
    const proof = device.use(key, (await browser.post('/api/step-up/passkey', {})).json())
    expect((await browser.post('/api/step-up/passkey/verify', { credential: proof })).statusCode).toBe(204)
  }
  return { ...person, organizationId, browser }
}
const change = ({ accountId }: Person, values: object) =>
  portal.system.db.updateTable('users').set(values).where('accountId', '=', accountId).execute()

/** Runs the command with another domain than that of the passkeys. */
async function move(values: { end?: boolean } = {}) {
  const lines: string[] = []
  const env = {
    DATABASE_URL: portal.appUrl,
    DATABASE_OWNER_URL: portal.ownerUrl,
    MASTER_KEY: 'the master key of the tests, which is no secret',
    LOG_LEVEL: 'silent',
    BASE_URL: 'http://login.nordvik.example',
    PASSKEY_RP_ID: 'nordvik.example',
  }
  const code = await command.run({ config: readConfig(env), values, positionals: [], say: (line) => lines.push(line) })
  return { code, lines }
}
const passkeyMailsTo = async ({ email }: Person) =>
  (await outboxOf(portal).messagesTo(email))
    .filter(({ template }) => template === 'passkey-changed')
    .map(({ values: { what, name } }) => `${what} ${name}`)
    .sort()
const endedKeysOf = async ({ accountId }: Person) => {
  const rows = await portal.system.db
    .selectFrom('passkeys')
    .select('endedBecause')
    .where('accountId', '=', accountId)
    .execute()
  return rows.map(({ endedBecause }) => endedBecause)
}

test('an operator who moves passkeys to another domain sees who loses what, and ends them once', async () => {
  const anna = await holder('anna@nordvik.example', ['Phone', 'Laptop'])
  const bo = await holder('bo@nordvik.example', ['Tablet'])
  await change(bo, { loginMethod: 'bankid', passwordHash: null })
  await portal.person({ email: 'carin@nordvik.example' })
  const list = [
    'anna@nordvik.example: 2 of portal.test',
    'bo@nordvik.example: 1 of portal.test, and has no other way to sign in',
  ]

  const { code, lines } = await move()
  expect([code, lines.slice(0, -1)]).toEqual([0, list])
  expect(lines.at(-1)).toMatch(/^Nothing has changed\./)
  expect([await endedKeysOf(anna), await endedKeysOf(bo)]).toEqual([[null, null], [null]])

  expect(await move({ end: true })).toEqual({
    code: 0,
    lines: [...list, 'Ended. New passkeys are for nordvik.example.'],
  })
  expect([await endedKeysOf(anna), await endedKeysOf(bo)]).toEqual([['moved', 'moved'], ['moved']])
  expect(await passkeyMailsTo(anna)).toEqual(['added Laptop', 'added Phone', 'removed Laptop', 'removed Phone'])
  expect(await passkeyMailsTo(bo)).toEqual(['added Tablet', 'removed Tablet'])
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select(['target', 'actor', 'organizationIds', 'changes'])
    .where('name', '=', 'deletePasskey')
    .orderBy('target')
    .execute()
  const lost = ({ email, organizationId }: typeof anna, passkey: string) => ({
    target: email,
    actor: null,
    organizationIds: [organizationId],
    changes: [{ property: 'passkey', previousValue: passkey, newValue: null }],
  })
  expect(events).toHaveLength(3)
  expect(events).toEqual(expect.arrayContaining([lost(anna, 'Phone'), lost(anna, 'Laptop'), lost(bo, 'Tablet')]))

  expect(await move({ end: true })).toEqual({
    code: 0,
    lines: ['Nobody has passkeys of another domain than nordvik.example.'],
  })
  expect(await passkeyMailsTo(bo)).toHaveLength(2)
})

test('somebody who was asked for a passkey after the password is not let in by the password alone afterwards', async () => {
  const dag = await holder('dag@nordvik.example', ['Phone'])
  await move({ end: true })
  expect((await dag.browser.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
})
