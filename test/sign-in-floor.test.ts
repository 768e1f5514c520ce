import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { type DeclaredRoute, declaredRoutes, send } from './declared-routes.ts'
import { outboxOf } from './outbox.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld, type Target, type World } from './world.ts'

/** Members of an organisation whose floor their session does not meet. */
const members = ['user', 'serviceAdmin', 'organizationAdmin'] as const
type Member = (typeof members)[number]

let portal: TestApp
let owner: pg.Client
let world: World
let routes: DeclaredRoute[]
let marks: string[]
const clients = new Map<Member, Client>()

beforeAll(async () => {
  portal = await testApp({ LIMIT_AUTH_TYPE: '100000/60', LIMIT_CLIENT_ERRORS: '100000/60', LIMIT_API: '1000000/60' })
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  world = await buildWorld(portal)
  const { home } = world
  await owner.query(`update organizations set login_method = 'local2FA' where organization_id = $1`, [
    home.organizationId,
  ])
  await owner.query(`update memberships set entry = 'joined' where organization_id = $1 and account_id = any ($2)`, [
    home.organizationId,
    members.map((role) => world.people[role].accountId),
  ])
  routes = declaredRoutes(portal).filter(({ route }) => !route.url.startsWith('/dev/'))
  marks = [
    home.serviceId,
    home.colleague.accountId,
    home.colleague.email,
    home.invitationId,
    home.invitedEmail,
    home.requestId,
    'Nordvik-colleague',
    'Nordvik service',
  ]
  for (const role of members) clients.set(role, await portal.signedIn(world.people[role]))
})
afterAll(async () => {
  await owner?.end()
  await portal?.close()
})

const clientOf = (role: Member) => {
  const client = clients.get(role)
  if (!client) throw new Error(`${role} is not signed in`)
  return client
}

/** Every mixture of the own person and a colleague: both are of the organisation that is out of reach. */
const targetsOf = (role: Member): Target[] => [world.target(role, 'own'), world.target(role, 'same')]

/** Every row of the organisation that is out of reach. */
async function dumpOfHome(): Promise<Record<string, string[]>> {
  // A refused sign-in is an event, and anybody can cause it.
  const passing = ['limits', 'sessions', 'provider_artifacts', 'one_time_things', 'keys', 'repeated_failures']
  const { rows: tables } = await owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^(daily|audit)_' order by 1`,
  )
  const dump: Record<string, string[]> = {}
  for (const { name } of tables.filter((table) => !passing.includes(table.name))) {
    const { rows } = await owner.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${owner.escapeIdentifier(name)} t order by 1`,
    )
    dump[name] = rows.map(({ row }) => row).filter((row) => marks.some((mark) => row.includes(mark)))
  }
  return dump
}

test('the organisation is there, and a session that meets its floor reads it', async () => {
  const { home } = world
  const dump = JSON.stringify(await dumpOfHome())
  for (const mark of marks) expect(dump).toContain(mark)
  const person = await portal.person({ email: 'strong@nordvik.example' })
  await portal.join(person.accountId, home.organizationId, 'organizationAdmin', 'joined')
  const client = await portal.signedIn(person)
  const url = `/api/organizations/${home.organizationId}`
  const refused = await client.get(url)
  expect([refused.statusCode, refused.json().message]).toEqual([403, 'strongerSignInRequired'])
  await client.post('/api/step-up/code', {})
  const code = await outboxOf(portal).codeSentTo(person.email)
  expect((await client.post('/api/step-up/code/verify', { code })).statusCode).toBe(204)
  expect((await client.get(url)).json()).toMatchObject({ organizationId: home.organizationId })
})

test('everybody else of the organisation goes on as before', async () => {
  const client = await portal.signedIn(world.home.colleague)
  const { organizations, services } = (await client.get('/api/start')).json()
  expect(organizations[0]).toMatchObject({ needs: null })
  expect(services).toHaveLength(1)
})

describe.each(members)('a %s whose session is below the floor', (role) => {
  test('reads nothing of the organisation with any call', async () => {
    let calls = 0
    for (const declared of routes.filter(({ route }) => route.method === 'GET')) {
      for (const target of targetsOf(role)) {
        const { body, headers, statusCode } = await send(clientOf(role), declared, target)
        calls++
        const asked = JSON.stringify(declared.known?.sample(target) ?? {})
        const read = marks
          .filter((mark) => !asked.includes(mark) || statusCode < 300)
          .filter((mark) => (body + JSON.stringify(headers)).includes(mark))
        expect(read, `${declared.name} answered ${statusCode}: ${body.slice(0, 300)}`).toEqual([])
      }
    }
    expect(calls).toBeGreaterThan(80)
  })

  test('learns only the name of the organisation, the own role with its days, and what it asks for', async () => {
    const { home, people } = world
    const { organizations } = (await clientOf(role).get('/api/start')).json()
    expect(organizations).toEqual([
      {
        organizationId: home.organizationId,
        name: expect.stringContaining('Nordvik'),
        organizationNumber: null,
        userRole: role === 'organizationAdmin' ? 'organizationAdmin' : 'regular',
        ...{ validFrom: null, validUntil: null, roleFrom: null, roleUntil: null, brand: null },
        needs: 'local2FA',
      },
    ])
    const own = `/api/users/${people[role].accountId}`
    expect((await clientOf(role).get(`${own}/organization/-/service/-`)).json()).toMatchObject({
      organizations: [],
      services: [],
    })
  })

  test('changes nothing of the organisation with any call', async () => {
    const before = await dumpOfHome()
    let refused = 0
    for (const declared of routes.filter(({ route }) => route.method !== 'GET')) {
      // These end the session, or all of them; the own account is not the organisation's.
      if (/logout|\/api\/profile/.test(declared.route.url)) continue
      for (const target of targetsOf(role)) {
        const { statusCode, body } = await send(clientOf(role), declared, target)
        expect(statusCode, `${declared.name}: ${body.slice(0, 300)}`).toBeLessThan(500)
        if (body.includes('strongerSignInRequired')) refused++
      }
    }
    expect(await dumpOfHome()).toEqual(before)
    expect(refused).toBeGreaterThan(role === 'organizationAdmin' ? 10 : 0)
  })
})
