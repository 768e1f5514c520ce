import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsFolder } from '#server/platform/database/migrate.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let owner: pg.Client
beforeAll(async () => {
  portal = await testApp()
  owner = new pg.Client(portal.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await portal?.close()
})

test('a person cannot get a second account with another spelling of the same address', async () => {
  await portal.person({ email: 'filip@ffi.example' })
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const second = await root.post('/api/users', {
    email: 'ﬁlip@\ufb03。example',
    firstName: 'Filip',
    lastName: 'Again',
    loginMethod: 'local',
    password: testPassword,
    confirmNewPassword: testPassword,
  })
  expect([second.statusCode, second.json().message]).toEqual([409, 'emailTaken'])
})

test('a person signs in however the address is written', async () => {
  const { email } = await portal.person({ email: 'kristin@nordvik.example' })
  const browser = await portal.signedIn({ accountId: '', email: '\u212aRISTIN＠nordvik。example' })
  expect((await browser.get('/api/me')).json().email).toBe(email)
})

test('old accounts are migrated with an event where possible; two of one mailbox stay, and the operator is warned', async () => {
  const alone = await portal.person({ email: 'ﬁa@nordvik.example' })
  const [first, twin] = [
    await portal.person({ email: 'tove@nordvik.example' }),
    await portal.person({ email: 'tove@nordvik。example' }),
  ]
  const warnings: (string | undefined)[] = []
  owner.on('notice', ({ severity, message }) => severity === 'WARNING' && warnings.push(message))
  await owner.query(readFileSync(join(migrationsFolder, '0018-one-mailbox-one-account.sql'), 'utf8'))
  const emailOf = async ({ accountId }: { accountId: string }) =>
    (await owner.query('select email from users where account_id = $1', [accountId])).rows[0].email
  expect(await emailOf(alone)).toBe('fia@nordvik.example')
  expect([await emailOf(first), await emailOf(twin)]).toEqual(['tove@nordvik.example', 'tove@nordvik。example'])
  expect(warnings).toEqual([
    'tove@nordvik。example and tove@nordvik.example are one mailbox with two accounts. Nobody can sign in as tove@nordvik。example any more: delete one of the two.',
  ])
  const events = await owner.query('select name, changes from audit_events where target_id = $1', [alone.accountId])
  expect(events.rows).toEqual([
    {
      name: 'updateUser',
      changes: [{ property: 'email', previousValue: 'ﬁa@nordvik.example', newValue: 'fia@nordvik.example' }],
    },
  ])
})
