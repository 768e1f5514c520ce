import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let admin: Client
let home: { organizationId: string }
let other: { organizationId: string }
let journal: { serviceId: string }

const at = (name: string) => `${name}@filter.example`
const setLastActive = (email: string, day: string | null) =>
  portal.system.db
    .updateTable('users')
    .set({ lastActive: day && new Date(day), createdAt: new Date('2026-01-01T12:00:00Z') })
    .where('email', '=', email)
    .execute()

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', ITEMS_PER_PAGE: '3' })
  root = await portal.signedIn(await portal.person({ email: at('root'), superUser: true }))
  home = await portal.organization('Hemma')
  other = await portal.organization('Borta')
  journal = await portal.service('Journal')
  for (const { organizationId } of [home, other]) await portal.offer(organizationId, journal.serviceId)
  const boss = await portal.person({ email: at('boss') })
  await portal.join(boss.accountId, home.organizationId, 'organizationAdmin')
  const member = async (name: string, options: Parameters<typeof portal.person>[0], day: string | null) => {
    const person = await portal.person({ email: at(name), ...options })
    await portal.join(person.accountId, home.organizationId)
    await setLastActive(at(name), day)
    return person
  }
  const doctor = await member('doctor', { loginMethod: 'bankid', ssn: '198501011234' }, '2026-02-20T10:00:00Z')
  await portal.assign(doctor.accountId, home.organizationId, journal.serviceId, 'serviceAdmin')
  await member('away', { passive: true }, '2026-01-10T10:00:00Z')
  await member('accepted', { loginMethod: 'bankid', pending: true }, null)
  const shared = await member('shared', { loginMethod: 'bankid' }, '2026-01-05T10:00:00Z')
  await portal.join(shared.accountId, other.organizationId, 'organizationAdmin')
  await portal.assign(shared.accountId, other.organizationId, journal.serviceId)
  const invitationId = newId()
  const { db } = portal.system
  await db
    .insertInto('invitations')
    .values({
      invitationId,
      organizationId: home.organizationId,
      email: at('invited'),
      userRole: 'organizationAdmin',
      expiresAt: new Date('2026-04-01'),
    })
    .execute()
  await db
    .insertInto('invitationServices')
    .values({ invitationId, organizationId: home.organizationId, serviceId: journal.serviceId })
    .execute()
  admin = await portal.signedIn(boss)
})
afterAll(() => portal?.close())

type Page = { totalCount: number; items: UserSummary[] }
const page = async (client: Client, url: string, query: Record<string, string>): Promise<Page> => {
  const response = await client.get(`${url}?${new URLSearchParams(query)}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Every row by turning the pages, each sorted; the total of each page must be the same. */
async function everyone(client: Client, url: string, query: Record<string, string>) {
  const names: string[] = []
  for (let number = 1; ; number++) {
    const { items, totalCount } = await page(client, url, { ...query, page: String(number) })
    names.push(...items.map(({ email }) => email.split('@')[0] ?? ''))
    if (items.length === 0) {
      expect(totalCount).toBe(names.length)
      return names
    }
  }
}
const ours = () => `/api/organizations/${home.organizationId}/users`
const inAnyOrder = (names: readonly string[]) => [...names].sort()

describe("an organisation's admin filters", () => {
  const cases: [string, () => Record<string, string>, string[]][] = [
    ['who is active', () => ({ status: 'active' }), ['boss', 'doctor', 'shared']],
    ['who is invited', () => ({ status: 'pending' }), ['invited']],
    ['who has accepted and not signed in', () => ({ status: 'awaitsSignIn' }), ['accepted']],
    ['who is passive', () => ({ status: 'passive' }), ['away']],
    ['by sign-in method', () => ({ loginMethod: 'bankid' }), ['accepted', 'doctor']],
    ['by a method that invitations offer', () => ({ loginMethod: 'local' }), ['away', 'boss', 'invited']],
    ['the admins', () => ({ role: 'organizationAdmin' }), ['boss', 'invited']],
    ['the service admins', () => ({ role: 'serviceAdmin' }), ['doctor']],
    ['by service, and only of this organisation', () => ({ serviceId: journal.serviceId }), ['doctor', 'invited']],
    ['who has not been active', () => ({ lastActiveBefore: '2026-02-01' }), ['accepted', 'away']],
    [
      'by several things',
      () => ({ status: 'passive', lastActiveBefore: '2026-02-01', loginMethod: 'local' }),
      ['away'],
    ],
    ['what no one can match', () => ({ status: 'pending', lastActiveBefore: '2026-02-01' }), []],
    ['within a search', () => ({ status: 'active', searchQuery: 'do' }), ['doctor']],
    ['a service that does not exist', () => ({ serviceId: newId() }), []],
  ]
  test.each(cases)('%s', async (_, query, expected) => {
    for (const sort of ['email', 'firstName', 'lastName'])
      expect(inAnyOrder(await everyone(admin, ours(), { ...query(), sort })), sort).toEqual(expected)
    const down = await everyone(admin, ours(), { ...query(), sortDirection: 'desc' })
    expect(down).toEqual([...(await everyone(admin, ours(), query()))].reverse())
  })

  test('a day begins at midnight in Sweden', async () => {
    await setLastActive(at('doctor'), '2026-02-19T23:30:00Z')
    expect(await everyone(admin, ours(), { lastActiveBefore: '2026-02-20' })).not.toContain('doctor')
    await setLastActive(at('doctor'), '2026-02-19T22:30:00Z')
    expect(await everyone(admin, ours(), { lastActiveBefore: '2026-02-20' })).toContain('doctor')
    await setLastActive(at('doctor'), '2026-02-20T10:00:00Z')
  })

  test('and does not find by what the list hides of a person who also belongs elsewhere', async () => {
    const { items } = await page(admin, ours(), { searchQuery: 'shared' })
    expect(items).toMatchObject([{ loginMethod: null, lastActive: null }])
    for (const query of [{ loginMethod: 'bankid' }, { lastActiveBefore: '2026-03-01' }])
      expect(await everyone(admin, ours(), query)).not.toContain('shared')
    // The role and the service that this person has elsewhere are not found either.
    for (const query of [{ role: 'organizationAdmin' }, { serviceId: journal.serviceId }])
      expect(await everyone(admin, ours(), query)).not.toContain('shared')
    expect(await everyone(root, ours(), { loginMethod: 'bankid' })).toContain('shared')
  })

  test.each([
    ['role', 'superUser'],
    ['organizationId', '01900000-0000-7000-8000-000000000000'],
    ['status', 'gone'],
    ['lastActiveBefore', '2026-02-30'],
    ['serviceId', 'x'],
  ])('but %s=%s is refused', async (name, value) => {
    expect((await admin.get(`${ours()}?${name}=${value}`)).statusCode).toBe(422)
  })
})

describe('a super user filters everyone', () => {
  const cases: [string, () => Record<string, string>, string[]][] = [
    ['by organisation', () => ({ organizationId: other.organizationId }), ['shared']],
    [
      'by organisation, with its invitations',
      () => ({ organizationId: home.organizationId }),
      ['accepted', 'away', 'boss', 'doctor', 'invited', 'shared'],
    ],
    ['the super users', () => ({ role: 'superUser' }), ['root']],
    ['the admins of any organisation', () => ({ role: 'organizationAdmin' }), ['boss', 'invited', 'shared']],
    ['the admins of one', () => ({ role: 'organizationAdmin', organizationId: other.organizationId }), ['shared']],
    ['by service in any organisation', () => ({ serviceId: journal.serviceId }), ['doctor', 'invited', 'shared']],
    ['by service in one', () => ({ serviceId: journal.serviceId, organizationId: other.organizationId }), ['shared']],
    ['by status and method', () => ({ status: 'active', loginMethod: 'bankid' }), ['doctor', 'shared']],
    [
      'by a method within a search',
      () => ({ loginMethod: 'local', searchQuery: 'hemma' }),
      ['away', 'boss', 'invited'],
    ],
    ['who has not been active', () => ({ lastActiveBefore: '2026-01-10' }), ['accepted', 'shared']],
    ['an organisation that does not exist', () => ({ organizationId: newId() }), []],
  ]
  test.each(cases)('%s', async (_, query, expected) => {
    expect(inAnyOrder(await everyone(root, '/api/users', query()))).toEqual(expected)
    const down = await everyone(root, '/api/users', { ...query(), sortDirection: 'desc' })
    expect(down).toEqual([...(await everyone(root, '/api/users', query()))].reverse())
  })

  test('and the counts follow every change', async () => {
    const count = async (query: Record<string, string>) => (await page(root, '/api/users', query)).totalCount
    const counts = async () => [
      await count({ status: 'active' }),
      await count({ status: 'passive' }),
      await count({ loginMethod: 'saml' }),
      await count({ role: 'superUser' }),
    ]
    const idle = async () => [
      await count({ lastActiveBefore: '2020-05-01' }),
      await count({ status: 'passive', lastActiveBefore: '2020-05-01' }),
    ]
    const [active = 0, passive = 0, saml = 0, superUsers = 0] = await counts()
    const samlConfigId = await portal.samlConfig()
    const { accountId } = await portal.person({ email: at('changing') })
    expect(await counts()).toEqual([active + 1, passive, saml, superUsers])
    const change = (values: object) =>
      portal.system.db.updateTable('users').set(values).where('accountId', '=', accountId).execute()
    expect(await idle()).toEqual([0, 0])
    await change({ lastActive: new Date('2020-04-30T10:00:00Z') })
    expect(await idle()).toEqual([1, 0])
    await change({ passiveAt: portal.now() })
    expect(await idle()).toEqual([1, 1])
    await change({ passiveAt: null, lastActive: new Date('2020-05-01T10:00:00Z') })
    expect(await idle()).toEqual([0, 0])
    await change({ passiveAt: portal.now() })
    expect(await counts()).toEqual([active, passive + 1, saml, superUsers])
    await change({ passiveAt: null, loginMethod: 'saml', samlConfigId, passwordHash: null })
    expect(await counts()).toEqual([active + 1, passive, saml + 1, superUsers])
    await change({ loginMethod: 'local', samlConfigId: null, superUser: true })
    expect(await counts()).toEqual([active + 1, passive, saml, superUsers + 1])
    expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
    expect(await counts()).toEqual([active, passive, saml, superUsers])
  })

  test('and a search among those found is as fresh as the list', async () => {
    const found = async (query: Record<string, string>) =>
      (await everyone(root, '/api/users', { searchQuery: 'fresh', ...query })).sort()
    const place = await portal.organization('Färskt')
    const { accountId } = await portal.person({ email: at('fresh') })
    await portal.system.db
      .insertInto('invitations')
      .values({
        invitationId: newId(),
        organizationId: place.organizationId,
        email: at('fresh.too'),
        expiresAt: portal.now(),
      })
      .execute()
    const change = (values: object) =>
      portal.system.db.updateTable('users').set(values).where('accountId', '=', accountId).execute()
    expect(await found({ status: 'active' })).toEqual(['fresh'])
    expect(await found({ status: 'active' })).toEqual(['fresh'])
    await change({ passiveAt: portal.now() })
    expect(await found({ status: 'active' })).toEqual([])
    expect(await found({ status: 'passive' })).toEqual(['fresh'])
    await change({ passiveAt: null })
    expect(await found({ loginMethod: 'local' })).toEqual(['fresh', 'fresh.too'])
    await change({ loginMethod: 'local2FA' })
    expect(await found({ loginMethod: 'local' })).toEqual(['fresh.too'])
    await portal.system.db
      .updateTable('organizations')
      .set({ loginMethod: 'local2FA' })
      .where('organizationId', '=', place.organizationId)
      .execute()
    expect(await found({ loginMethod: 'local' })).toEqual([])
    expect(await found({ loginMethod: 'local2FA' })).toEqual(['fresh', 'fresh.too'])
    expect(await found({ role: 'superUser' })).toEqual([])
    await change({ superUser: true, emailProof: 'operator', emailProvenAt: null })
    expect(await found({ role: 'superUser' })).toEqual(['fresh'])
    expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
    expect(await found({})).toEqual(['fresh.too'])
  })

  test("an organisation's list follows its members' accounts, also one that changes while its person joins", async () => {
    const { organizationId } = await portal.organization('Följsam')
    const { accountId } = await portal.person({ email: at('joins'), loginMethod: 'bankid', ssn: '198501011275' })
    const { db } = portal.system
    const become = (loginMethod: 'local' | 'local2FA') =>
      db.updateTable('users').set({ loginMethod }).where('accountId', '=', accountId).execute()
    const found = async (filters: Record<string, string>) => {
      const { items, totalCount } = await page(root, `/api/organizations/${organizationId}/users`, filters)
      expect(totalCount).toBe(items.length)
      return items.map(({ email }) => email.split('@')[0])
    }
    let changed: Promise<unknown> | undefined
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('memberships').values({ accountId, organizationId, userRole: 'regular' }).execute()
      changed = become('local')
      await new Promise((waited) => setTimeout(waited, 50))
    })
    await changed
    expect(await found({ loginMethod: 'bankid' })).toEqual([])
    expect(await found({ loginMethod: 'local' })).toEqual(['joins'])
    await become('local2FA')
    expect(await found({ loginMethod: 'local' })).toEqual([])
    expect(await found({ loginMethod: 'local2FA' })).toEqual(['joins'])
    await setLastActive(at('joins'), '2026-02-01T10:00:00Z')
    expect(await found({ lastActiveBefore: '2026-02-02' })).toEqual(['joins'])
    await setLastActive(at('joins'), '2026-02-02T10:00:00Z')
    expect(await found({ lastActiveBefore: '2026-02-02' })).toEqual([])
  })

  test('by a service that many have, page by page', async () => {
    const popular = await portal.service('Allas')
    const place = await portal.organization('Alla')
    await portal.offer(place.organizationId, popular.serviceId)
    const many = 310
    await sql`
      with people as (
        insert into users (account_id, email, first_name, last_name, login_method)
        select gen_random_uuid(), 'holder' || n || '@filter.example', 'Anna', 'Nr ' || n, 'bankid'
        from generate_series(1, ${many}::integer) as n returning account_id),
      joined as (
        insert into memberships (account_id, organization_id, entry)
        select account_id, ${place.organizationId}::uuid, 'opened' from people returning *)
      select count(*) from joined`.execute(portal.system.db)
    await sql`
      insert into service_assignments (account_id, organization_id, service_id)
      select account_id, organization_id, ${popular.serviceId}::uuid from memberships
      where organization_id = ${place.organizationId}`.execute(portal.system.db)
    const names = Array.from({ length: many }, (_, n) => `holder${n + 1}`).sort()
    const at = async (number: number, more: Record<string, string> = {}) => {
      const query = { serviceId: popular.serviceId, page: String(number), ...more }
      const { items, totalCount } = await page(root, '/api/users', query)
      expect(totalCount).toBe(many)
      return items.map(({ email }) => email.split('@')[0])
    }
    expect(await at(1)).toEqual(names.slice(0, 3))
    expect(await at(2)).toEqual(names.slice(3, 6))
    expect(await at(104)).toEqual(names.slice(309))
    expect(await at(105)).toEqual([])
    expect(await at(1, { sortDirection: 'desc' })).toEqual(names.slice(-3).reverse())
    expect(await at(1, { loginMethod: 'bankid', organizationId: place.organizationId })).toEqual(names.slice(0, 3))
  })
})
