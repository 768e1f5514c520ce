import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createRecoveriesJob } from '#server/features/recoveries/recover-account.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { command } from './factors-reset.ts'

let portal: TestApp
let factors: ReturnType<typeof factorsOf>
beforeAll(async () => {
  portal = await testApp()
  factors = factorsOf(portal)
})
afterAll(() => portal.close())

async function reset({ email }: Person) {
  const lines: string[] = []
  const env = {
    DATABASE_URL: portal.appUrl,
    DATABASE_OWNER_URL: portal.ownerUrl,
    MASTER_KEY: 'the master key of the tests, which is no secret',
    LOG_LEVEL: 'silent',
  }
  const values = { email, reason: 'lost the phone, known by voice' }
  const code = await command.run({ config: readConfig(env), values, positionals: [], say: (line) => lines.push(line) })
  return { code, lines }
}
const eventsOf = ({ accountId }: Person) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes'])
    .where('targetId', '=', accountId)
    .where('actorId', 'is', null)
    .execute()
const changesOfMailsTo = async ({ email }: Person) =>
  (await outboxOf(portal).messagesTo(email)).map(({ values }) => values.change).filter(Boolean)
const usesApp = async (person: Person) => {
  const rows = await portal.system.db.selectFrom('authenticatorApps').select('accountId').execute()
  return rows.some(({ accountId }) => accountId === person.accountId)
}

test('recovery codes alone end with an event, its reason and a mail, and the person chooses a factor before anything else', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await factors.proveCode(browser, person)
  await browser.post('/api/profile/recovery-codes', {})
  expect(await reset(person)).toEqual({
    code: 0,
    lines: [`Removed: recovery codes. Every session of ${person.email} has ended.`],
  })
  expect((await browser.get('/api/me')).statusCode).toBe(401)
  const why = { property: 'reason', previousValue: null, newValue: 'lost the phone, known by voice' }
  expect(await eventsOf(person)).toEqual([{ name: 'removeRecoveryCodes', changes: [why] }])
  expect(await changesOfMailsTo(person)).toEqual(['recoveryCodesRemoved', 'recoveryCodesMade'])
  portal.advance(60)
  const later = await factors.signedInByMail(person)
  expect((await later.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
})

test('somebody who has nothing to lose stays signed in, and the operator is told', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  expect(await reset(person)).toEqual({
    code: 1,
    lines: [`${person.email} has no app, passkey or recovery codes. Nothing has changed.`],
  })
  expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: false })
  expect(await eventsOf(person)).toEqual([])
})

test('what an admin has asked for is done with it: the factor that the person sets up next stays', async () => {
  const { organizationId } = await portal.organization()
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  await factors.giveApp(person)
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  const helper = await portal.signedIn(admin)
  const asked = await helper.post(`/api/users/${person.accountId}/recovery`, { reason: 'Lost the phone' })
  expect(asked.statusCode).toBe(204)
  expect((await reset(person)).lines).toEqual([
    `Removed: authenticator app. Every session of ${person.email} has ended.`,
  ])
  portal.advance(60)
  await factors.addApp(await factors.signedInByMail(person))
  portal.advance(24 * 3600)
  await createRecoveriesJob(portal.system).run()
  expect(await usesApp(person)).toBe(true)
})
