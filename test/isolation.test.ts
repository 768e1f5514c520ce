import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { type DeclaredRoute, declaredRoutes, send } from './declared-routes.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld, distances, type Target, type World } from './world.ts'

const insiders = ['user', 'serviceAdmin', 'organizationAdmin'] as const
/** Calls for developers, whose data belongs to no organisation. */
const forThoseWhoBuild = /^\/dev\//

let portal: TestApp
let owner: pg.Client
let world: World
let routes: DeclaredRoute[]
const clients = new Map<(typeof insiders)[number], Client>()

beforeAll(async () => {
  portal = await testApp({ LIMIT_AUTH_TYPE: '100000/60', LIMIT_CLIENT_ERRORS: '100000/60', LIMIT_API: '1000000/60' })
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  world = await buildWorld(portal)
  routes = declaredRoutes(portal).filter(({ route }) => !forThoseWhoBuild.test(route.url))
  for (const role of insiders) clients.set(role, await portal.signedIn(world.people[role]))
})
afterAll(async () => {
  await owner?.end()
  await portal?.close()
})

const clientOf = (role: (typeof insiders)[number]): Client => {
  const client = clients.get(role)
  if (!client) throw new Error(`${role} is not signed in`)
  return client
}

/** Every combination of own and foreign ids in a request. */
function mixtures(role: (typeof insiders)[number]): Target[] {
  const [own, foreign] = [world.target(role, 'own'), world.target(role, 'foreign')]
  const names = Object.keys(own) as (keyof Target)[]
  return Array.from(
    { length: 2 ** names.length },
    (_, mask) =>
      Object.fromEntries(
        names.map((name, index) => [name, (mask & (1 << index) ? foreign : own)[name]]),
      ) as unknown as Target,
  )
}

/** The targets that result in different requests, so that no request is sent twice. */
const different = (targets: Target[], { known }: DeclaredRoute) => [
  ...new Map(targets.map((target) => [JSON.stringify(known?.sample(target)), target])).values(),
]

test('the markers of the other organisation are in the database, and visible to its own people', async () => {
  const dump = JSON.stringify(await dumpOfOthers())
  for (const mark of world.othersMarks) expect(dump).toContain(mark)
  const client = await portal.signedIn(world.people.otherUser)
  expect((await client.get(`/api/organizations/${world.other.organizationId}`)).body).toContain('Solberga')
})

describe.each(insiders)('a %s', (role) => {
  test('reads nothing of another organisation with any request', async () => {
    let answers = 0
    const shared: Target = { ...world.target(role, 'own'), ...world.shared }
    const targets = [...distances.map((distance) => world.target(role, distance)), ...mixtures(role), shared]
    for (const declared of routes.filter(({ route }) => route.method === 'GET')) {
      for (const target of different(targets, declared)) {
        const { body, headers, statusCode } = await send(clientOf(role), declared, target)
        answers++
        // The response may repeat values of the request, but nothing else.
        const asked = JSON.stringify(declared.known?.sample(target) ?? {})
        const told = world.othersMarks
          .filter((mark) => !asked.includes(mark) || statusCode < 300)
          .filter((mark) => (body + JSON.stringify(headers)).includes(mark))
        expect(told, `${declared.name} answered a ${role} ${statusCode}: ${body.slice(0, 300)}`).toEqual([])
      }
    }
    expect(answers).toBeGreaterThan(40)
  })

  test('changes nothing of another organisation with any combination of own and foreign ids', async () => {
    const before = await dumpOfOthers()
    for (const declared of routes.filter(({ route }) => route.method !== 'GET')) {
      // Requests with only own ids may succeed and are not tested here.
      const [, ...mixed] = mixtures(role)
      for (const target of different(mixed, declared)) {
        const { statusCode, body } = await send(clientOf(role), declared, target)
        expect(statusCode, `${declared.name} by a ${role}: ${body.slice(0, 300)}`).toBeLessThan(500)
      }
    }
    expect(await dumpOfOthers()).toEqual(before)
  })
})

/** Tables that change with every request and belong to no organisation. */
const passing = new Set([
  'limits',
  'sessions',
  'provider_artifacts',
  'one_time_things',
  'audit_chain',
  'audit_checkpoints',
  'audit_checks',
  'repeated_failures',
  'audit_events',
  'audit_head',
  'daily_figures',
  'daily_figures_until',
  'daily_people',
  'keys',
  'migrations',
])

/** Every row of every table that has anything of the other organisation in it. */
async function dumpOfOthers(): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const dump: Record<string, unknown[]> = {}
  for (const { name } of tables.filter((table) => !passing.has(table.name))) {
    const { rows } = await owner.query(
      `select to_jsonb(t)::text as row from ${owner.escapeIdentifier(name)} t order by 1`,
    )
    const others = rows
      .map(({ row }) => String(row))
      .filter((row) => world.othersMarks.some((mark) => row.includes(mark)))
    if (others.length > 0) dump[name] = others
  }
  return dump
}
