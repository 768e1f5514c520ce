import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { newId } from '#server/platform/ids.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { command as add } from './clients-add.ts'
import { command as list } from './clients-list.ts'
import { command as remove } from './clients-remove.ts'
import { command as rotate } from './clients-rotate-secret.ts'
import { command as show } from './clients-show.ts'
import { type Command, UsageError } from './command.ts'

const MASTER_KEY = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
const serviceId = newId()
let database: ConnectedDatabase
beforeAll(async () => {
  database = await connectTestDatabase()
  await database.db
    .insertInto('services')
    .values({ serviceId, name: 'Journal', url: 'https://journal.example' })
    .execute()
})
afterAll(() => database.close())

/** Runs a command like `npm run admin`. @returns its output lines */
async function call({ run }: Command, values: Record<string, string | boolean> = {}, positionals: string[] = []) {
  const lines: string[] = []
  const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, MASTER_KEY, LOG_LEVEL: 'silent' }
  await run({ config: readConfig(env), values, positionals, say: (line) => lines.push(line) })
  return lines
}

const journal = {
  id: 'journal',
  service: 'Journal',
  'redirect-uri': 'https://journal.example/callback https://test.journal.example/callback',
  'logout-uri': 'https://journal.example/logout',
}

test('an operator registers a client, sees it in the list, and removes it; the log tells both', async () => {
  const lines = await call(add, journal)
  expect(lines).toContain('Issuer:        http://localhost:3000/oidc')
  const secret = lines.find((line) => line.startsWith('Client secret: '))?.slice('Client secret: '.length) ?? ''
  expect(secret).toHaveLength(43)
  expect(await call(list)).toEqual([
    `journal  Journal  ${journal['redirect-uri']}  signs out at https://journal.example/logout`,
  ])
  await expect(call(add, journal)).rejects.toThrow('The service has a client already')
  expect(await call(remove, {}, ['journal'])).toEqual(['journal is removed.'])
  expect(await call(list)).toEqual(['Nothing to show.'])
  await expect(call(remove, {}, ['journal'])).rejects.toThrow(UsageError)

  const events = await database.db
    .selectFrom('auditEvents')
    .select(['name', 'targetId', 'target', 'changes'])
    .orderBy('id')
    .execute()
  expect(events).toMatchObject([
    { name: 'createClient', targetId: serviceId, target: 'Journal' },
    { name: 'deleteClient', targetId: serviceId, target: 'Journal' },
  ])
  expect(events[0]?.changes).toContainEqual({ property: 'client', previousValue: null, newValue: 'journal' })
  expect(events[1]?.changes).toContainEqual({ property: 'client', previousValue: 'journal', newValue: null })
  expect(JSON.stringify(events)).not.toContain(secret)
})

test('an operator sets every field that the form in the portal has', async () => {
  const others = newId()
  await database.db
    .insertInto('services')
    .values({ serviceId: others, name: 'Orders', url: 'https://orders.example' })
    .execute()
  const api = {
    service: 'Orders',
    id: 'orders',
    kind: 'machine',
    'api-uri': 'urn:example:orders',
    'api-token': 'opaque',
  }
  await call(add, { ...api, 'directory-access': true })
  await call(add, {
    ...journal,
    auth: 'client_secret_post',
    'no-pkce': true,
    scopes: 'profile organization',
    'access-minutes': '5',
    'id-minutes': '30',
    'refresh-hours': '8',
    pairwise: true,
    'initiate-login-uri': 'https://journal.example/start',
    'personal-number-reason': 'Patientdatalagen',
    'no-id-token-claims': true,
    'id-token-algorithm': 'ES256',
    apis: 'urn:example:orders',
    'post-logout-uri': 'https://journal.example/bye',
  })
  for (const line of ['apiUri: urn:example:orders', 'apiToken: opaque', 'directoryAccess: true'])
    expect(await call(show, {}, ['orders'])).toContain(line)
  expect(await call(show, {}, ['journal'])).toEqual(
    expect.arrayContaining([
      'authentication: client_secret_post',
      'postLogoutRedirectUris: https://journal.example/bye',
      'pkceRequired: false',
      'scopes: openid profile organization',
      'accessMinutes: 5',
      'idMinutes: 30',
      'refreshHours: 8',
      'pairwise: true',
      'initiateLoginUri: https://journal.example/start',
      'personalNumberReason: Patientdatalagen',
      'idTokenClaims: false',
      'idTokenAlgorithm: ES256',
      'apis: urn:example:orders',
    ]),
  )
  for (const id of ['journal', 'orders']) await call(remove, {}, [id])
})

test('an operator makes a new secret and sees when the old one ends', async () => {
  await call(add, journal)
  const lines = await call(rotate, { 'keep-hours': '1' }, ['journal'])
  expect(lines[0]).toMatch(/^Client secret: .{43}$/)
  const shown = await call(show, {}, ['journal'])
  expect(shown).toContain('authentication: client_secret_basic')
  expect(shown.find((line) => line.startsWith('previousSecretEnds: '))).toMatch(/\d{4}-/)
  expect(shown.join()).not.toContain(lines[0]?.slice('Client secret: '.length))
  await expect(call(rotate, { 'keep-hours': '-1' }, ['journal'])).rejects.toThrow('from 0 to 2160')
  await call(remove, {}, ['journal'])
  await expect(call(rotate, {}, ['journal'])).rejects.toThrow('there is no client journal')
})

test.each([
  ['an unknown service', { service: 'Elsewhere' }, 'there is no service Elsewhere'],
  ["the portal's own id", { id: 'portal' }, 'clientId: '],
  ['a fragment', { 'redirect-uri': 'https://journal.example/#here' }, 'must not contain #'],
  ['a kind that is not known', { kind: 'toaster' }, '--kind: not a possible value'],
  ['a lifetime that is no number', { 'refresh-hours': '' }, '--refresh-hours: not a possible value'],
  ['a key set that is none', { auth: 'private_key_jwt', jwks: '{}' }, 'jwks: '],
  ['an API that nobody is', { apis: 'urn:example:gone' }, 'apis: '],
  ['a scheme that runs script', { 'redirect-uri': 'javascript:alert(1)' }, 'Enter a full address'],
])('%s is refused in one line', async (_, wrong, message) => {
  await expect(call(add, { ...journal, ...wrong })).rejects.toThrow(message)
  expect(await call(list)).toEqual(['Nothing to show.'])
})
