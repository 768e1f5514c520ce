import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { connectionTo } from '#server/platform/database/connect.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { sessionOptions, sessionSettings } from '#server/platform/database/session-settings.ts'
import { createTestDatabase } from './database.ts'
import { declaredRoutes, send } from './declared-routes.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld } from './world.ts'

/** Defaults that a database, a role or a cluster may have, each of which breaks a session that does not set its own. */
const odd: Record<string, string> = {
  datestyle: 'German, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'Pacific/Chatham',
  search_path: 'pg_catalog',
  standard_conforming_strings: 'off',
  bytea_output: 'escape',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  lock_timeout: '1',
  idle_session_timeout: '100',
  random_page_cost: '100',
  statement_timeout: '1',
  idle_in_transaction_session_timeout: '1',
}

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' }, { defaults: odd })
})
afterAll(() => portal?.close())

test('the odd defaults cover every setting of our sessions, and a session of ours has none of them', async () => {
  expect(Object.keys(odd)).toEqual(expect.arrayContaining(Object.keys(sessionSettings)))
  const { rows } = await portal.system.pool.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any($1)',
    [Object.keys(odd)],
  )
  expect(rows).toHaveLength(Object.keys(odd).length)
  const same = (one: string, other = '') => one.replaceAll(' ', '') === other.replaceAll(' ', '')
  expect(rows.filter(({ name, setting }) => same(setting, odd[name]))).toEqual([])
})

test('on a database with odd defaults a super user signs in and reads every page', async () => {
  const world = await buildWorld(portal)
  const client = await portal.signedIn(world.people.superUser)
  const reads = declaredRoutes(portal).filter(({ route }) => route.method === 'GET')
  const failed: string[] = []
  for (const declared of reads) {
    const { statusCode } = await send(client, declared, world.target('superUser', 'own'))
    if (statusCode >= 500) failed.push(`${declared.name}: ${statusCode}`)
  }
  expect(failed).toEqual([])
  const me = await client.get('/api/me')
  expect(Date.parse(me.json().lastLogin ?? portal.now().toISOString())).toBe(portal.now().getTime())
})

test('on a database with odd defaults the audit log verifies, and a new database is migrated', async () => {
  await portal.seal()
  const owner = new pg.Client({ ...connectionTo(portal.ownerUrl), options: sessionOptions() })
  await owner.connect()
  try {
    expect(await verifyAuditChain(owner)).toMatchObject({ intact: true })
  } finally {
    await owner.end()
  }
  const bare = await createTestDatabase({ bare: true, defaults: odd })
  try {
    const appRole = new URL(bare.appUrl).username
    await expect(migrate({ ownerUrl: bare.ownerUrl, appRole, say: () => {} })).resolves.toEqual({ appRole })
  } finally {
    await bare.drop()
  }
})
