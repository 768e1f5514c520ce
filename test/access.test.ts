import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scoped } from '#contract/actor.ts'
import { type BuiltInRole, builtInRoles, isBuiltIn } from '#contract/organization-roles/role-permissions.ts'
import { type PortalRole, portalRole } from '#contract/portal-roles.ts'
import { screens } from '#contract/screens.ts'
import { toRoutePattern } from '#server/platform/http/route-pattern.ts'
import { accessTable } from './access-table.ts'
import type { Client } from './client.ts'
import { type DeclaredRoute, declaredRoutes, requestFor, send } from './declared-routes.ts'
import type { Person } from './people.ts'
import {
  askedOfRoles,
  askedOfScoped,
  builtIns,
  isAskedInPortal,
  isAskedOfRoles,
  isScoped,
  readInPortal,
  scopedRoles,
  signsOfBuiltIn,
  signsOfPortalRole,
  signsOfScoped,
} from './role-table.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld, type Distance, distances, type Role, roles, type World } from './world.ts'

let portal: TestApp
let routes: DeclaredRoute[]
let cells = 0

beforeAll(async () => {
  // Many people sign in from one IP address.
  portal = await testApp({
    LIMIT_AUTH_TYPE: '100000/60',
    LIMIT_CLIENT_ERRORS: '100000/60',
    LIMIT_API: '1000000/60',
    LIMIT_TOKEN_LOOKUP: '1000/60',
  })
  routes = declaredRoutes(portal)
})
afterAll(async () => {
  await portal?.close()
  console.log(`access: ${cells} cells, ${routes?.length} calls`)
})

test('every route is declared, or belongs to the platform, or is a screen', () => {
  const platform =
    /^\/(health\/(live|ready)|metrics|locales\/\w\w\/translation\.json|robots\.txt|\.well-known\/(security\.txt|change-password|oauth-authorization-server\/oidc)|favicon\.svg|assets\/\*|dev\/kit|oidc\/(\*|auth|session\/end(\/confirm)?)|docs\/services\.md)$/
  const screen = new Set<string>(screens.map(toRoutePattern))
  const undeclared = portal.app.routeList.filter(({ url, route }) => !route && !platform.test(url) && !screen.has(url))
  expect(undeclared.map(({ method, url }) => `${method} ${url}`)).toEqual([])
})

test('every declared call has a sample request in test/access-table.ts, and every sample its call', () => {
  expect(routes.filter(({ known }) => !known).map(({ name }) => name)).toEqual([])
  const names = routes.map(({ name }) => name)
  expect(Object.keys(accessTable).filter((name) => !names.includes(name))).toEqual([])
})

test('every call that asks for no session does so on purpose', () => {
  const open = routes
    .filter(({ route }) => ['public', 'machine', 'scim'].includes(route.access))
    .map(({ name }) => name)
  expect(open.sort()).toEqual(
    routes
      .filter(({ known }) => typeof known?.expect === 'number')
      .map(({ name }) => name)
      .sort(),
  )
})

const wanted: Record<string, number> = { '3': 403, '4': 404, '9': 409, '2': 422 }

/** Status for status; `y` is any success. */
function expectStatus(status: number, sign: string | undefined, cell: string): void {
  cells++
  if (sign === 'y') expect(status, cell).toBeLessThan(400)
  else expect(status, cell).toBe(wanted[sign ?? ''])
}

/** The newest event, but for failed sign-ins: a wrong password or code is an event of its own. */
const newestEvent = async (): Promise<string> =>
  (await portal.system.pool.query("select id from audit_events where name <> 'loginFailure' order by id desc limit 1"))
    .rows[0]?.id

/** Fails if there is a newer event, and says which. */
async function expectNoEventSince(event: string, what: string): Promise<void> {
  if ((await newestEvent()) === event) return
  const newest = await portal.system.pool.query(
    "select name, actor, target, request_id from audit_events where name <> 'loginFailure' order by id desc limit 3",
  )
  expect.fail(`${what}: an event was left, one of ${JSON.stringify(newest.rows)}`)
}

/** What may differ between two answers that must be the same. */
const comparable = ({ statusCode, headers, body }: Awaited<ReturnType<Client['get']>>) => {
  const { date: _, 'x-request-id': requestId, ...rest } = headers
  return { statusCode, headers: rest, body: body.replaceAll(String(requestId), 'requestId') }
}

interface InPortal {
  portalRole: PortalRole
}
type Held = BuiltInRole | Scoped['role']
type Walker = Role | Held | InPortal
const nameOf = (role: Walker) => (typeof role === 'string' ? role : `${role.portalRole} of the portal`)
const isHeld = (role: string): role is Held => isBuiltIn(role) || isScoped(role)
const isHolder = (role: Walker) => typeof role !== 'string' || isHeld(role)

const signsOf = ({ name, known }: DeclaredRoute, role: Walker) => {
  if (!known || typeof known.expect === 'number' || role === 'passiveUser') return undefined
  if (typeof role !== 'string') return signsOfPortalRole(name, known, role.portalRole)
  if (isScoped(role)) return signsOfScoped(name, known, role)
  return isBuiltIn(role) ? signsOfBuiltIn(name, known, role) : known.expect[role]
}

/** The distances at which a call means something else; most mean the same at each. */
const distancesOf = (declared: DeclaredRoute, world: World): readonly Distance[] => {
  const requests = distances.map((distance) => JSON.stringify(requestFor(declared, world.target('user', distance))))
  return new Set(requests).size === 1 ? ['own'] : distances
}

/** Orders the calls so that destructive ones come last. */
const order: readonly Distance[] = ['missing', 'foreign', 'same', 'own']

interface Stage {
  world: World
  /** A person in it. */
  client: Client
}

/** Calls with a target at each distance. @returns the world for the next calls, because a success may change it */
async function walk(declared: DeclaredRoute, role: Walker, stage: Stage, fresh: () => Promise<Stage>): Promise<Stage> {
  const apart = distancesOf(declared, stage.world)
  const answers = new Map<Distance, ReturnType<typeof comparable>>()
  let current = stage
  for (const distance of order.filter((one) => apart.includes(one))) {
    const event = await newestEvent()
    const response = await send(
      current.client,
      declared,
      current.world.target(isHolder(role) ? 'holder' : (role as Role), distance),
    )
    if (response.statusCode >= 400) await expectNoEventSince(event, `${declared.name} by ${nameOf(role)}, refused`)
    answers.set(distance, comparable(response))
    const cell = `${declared.name} by ${nameOf(role)}, ${distance}: ${response.body.slice(0, 200)}`
    expectStatus(response.statusCode, signsOf(declared, role)?.[apart.indexOf(distance)], cell)
    if (declared.route.method !== 'GET' && response.statusCode < 400) current = await fresh()
  }
  if (answers.get('foreign')?.statusCode === 404)
    expect(answers.get('foreign'), `${declared.name} by ${nameOf(role)}: foreign differs from missing`).toEqual(
      answers.get('missing'),
    )
  return current
}

describe.each(roles.filter((role) => role !== 'passiveUser'))('a %s', (role) => {
  test('gets the results of product-rules 5 from every call, and the same answer for foreign and missing targets', async ({
    signal,
  }) => {
    const fresh = async () => {
      const world = await buildWorld(portal)
      return { world, client: await portal.signedIn(world.people[role]) }
    }
    let stage = await fresh()
    for (const declared of routes.filter(({ known }) => known && typeof known.expect !== 'number')) {
      // A walk that has run out of time must not go on: its events would be counted in the next one.
      signal.throwIfAborted()
      stage = await walk(declared, role, stage, fresh)
    }
  }, 180_000)
})

test('every call that an admin may make and a member may not has a line in test/role-table.ts', () => {
  const asked = routes.flatMap(({ name, known }) => (known && isAskedOfRoles(known) ? [name] : []))
  expect(Object.keys(askedOfRoles).sort()).toEqual(asked.sort())
})

test('a reader and an auditor may make no call that changes something', () => {
  const changing = Object.entries(askedOfRoles).filter(([name]) => !name.startsWith('GET '))
  const asked = new Set(changing.flatMap(([, permissions]) => permissions))
  for (const role of ['reader', 'auditor'] as const)
    expect(builtInRoles[role].filter((permission) => asked.has(permission))).toEqual([])
})

test.each(scopedRoles)(
  'a member with the role %s for one part of an organisation gets nothing of another part',
  async (role) => {
    const byName = new Map(routes.map((declared) => [declared.name, declared]))
    expect(Object.keys(askedOfScoped[role]).filter((name) => !byName.has(name))).toEqual([])
    const world = await buildWorld(portal, role)
    const client = await portal.signedIn(world.holder as Person)
    const target = await world.otherPart()
    for (const [name, signs] of Object.entries(askedOfScoped[role])) {
      const response = await send(client, byName.get(name) as DeclaredRoute, target)
      expectStatus(
        response.statusCode,
        signs[2] ?? signs,
        `${name} by ${role}, another part: ${response.body.slice(0, 200)}`,
      )
    }
  },
)

describe.each([...builtIns, ...scopedRoles])('a member with the role %s', (role) => {
  test('gets the results of its permissions from every call, and those of a regular member otherwise', async ({
    signal,
  }) => {
    const fresh = async () => {
      const world = await buildWorld(portal, role)
      return { world, client: await portal.signedIn(world.holder as Person) }
    }
    let stage = await fresh()
    for (const declared of routes.filter(({ known }) => known && typeof known.expect !== 'number')) {
      signal.throwIfAborted()
      stage = await walk(declared, role, stage, fresh)
    }
  }, 180_000)
})

test('every call that reads, and that super users may make and members may not, has a line for the portal roles', () => {
  const asked = routes.flatMap(({ name, known }) => (known && isAskedInPortal(name, known) ? [name] : []))
  expect(Object.keys(readInPortal).sort()).toEqual(asked.sort())
})

const held = [
  ...['users', 'organizations', 'services', 'memberships', 'all_grants', 'organization_roles'],
  ...['invitations', 'access_requests'],
]
/** What all organisations and their people have, as a number for each table; without what a mere request touches. */
const heldByAll = () =>
  Promise.all(
    held.map(async (table) => {
      const { rows } = await portal.system.pool.query(`
        select count(*), sum(hashtextextended((to_jsonb(t) - 'last_active' - 'idle_since')::text, 0)) from ${table} t`)
      return [table, rows[0]]
    }),
  )

describe.each(portalRole.options)('a member who is the %s of the portal', (name) => {
  const role = { portalRole: name }
  test('reads of all organisations what its permissions open, and changes nothing of others anywhere', async ({
    signal,
  }) => {
    const fresh = async () => {
      const world = await buildWorld(portal, role)
      return { world, client: await portal.signedIn(world.holder as Person) }
    }
    let stage = await fresh()
    const apart = routes.filter(({ known }) => known && typeof known.expect !== 'number')
    const ofOneself = ({ route }: DeclaredRoute) => route.access === 'signedIn' || route.method === 'GET'
    const walkAll = async (some: DeclaredRoute[]) => {
      for (const declared of some) {
        signal.throwIfAborted()
        stage = await walk(declared, role, stage, fresh)
      }
    }
    const before = await heldByAll()
    await walkAll(apart.filter((one) => !ofOneself(one)))
    expect(await heldByAll()).toEqual(before)
    await walkAll(apart.filter(ofOneself))
  }, 180_000)
})

test('a person who is not signed in gets 401 from every call that is not public', async () => {
  const world = await buildWorld(portal)
  const event = await newestEvent()
  for (const declared of routes.filter(({ known }) => typeof known?.expect !== 'number')) {
    const answers = []
    for (const distance of distancesOf(declared, world)) {
      const response = await send(portal.browser(), declared, world.target('user', distance))
      cells++
      expect(response.statusCode, `${declared.name} without a session, ${distance}`).toBe(401)
      answers.push(comparable(response))
    }
    for (const answer of answers) expect(answer, declared.name).toEqual(answers[0])
  }
  expect(await newestEvent()).toBe(event)
})

test('a person who became passive gets 401 from every call with an existing session', async () => {
  const world = await buildWorld(portal)
  const { passiveUser } = world.people
  const client = await portal.signedIn(passiveUser)
  await portal.system.db
    .updateTable('users')
    .set({ passiveAt: portal.now() })
    .where('accountId', '=', passiveUser.accountId)
    .execute()
  const event = await newestEvent()
  for (const declared of routes.filter(({ known }) => typeof known?.expect !== 'number')) {
    for (const distance of distancesOf(declared, world)) {
      const response = await send(client, declared, world.target('passiveUser', distance))
      cells++
      expect(response.statusCode, `${declared.name} by a passive person, ${distance}`).toBe(401)
    }
  }
  expect(await newestEvent()).toBe(event)
})

test('a public call gives everyone the same answer', async () => {
  const world = await buildWorld(portal)
  for (const declared of routes.filter(({ known }) => typeof known?.expect === 'number')) {
    const distance = distancesOf(declared, world)
    for (const one of distance) {
      const response = await send(portal.browser(), declared, world.target('user', one))
      cells++
      expect(response.statusCode, `${declared.name} without a session, ${one}: ${response.body.slice(0, 200)}`).toBe(
        declared.known?.expect,
      )
    }
  }
})

test('a removed role has no effect from the next request on, in the same session', async () => {
  const world = await buildWorld(portal)
  const { accountId } = world.people.organizationAdmin
  const client = await portal.signedIn(world.people.organizationAdmin)
  const url = `/api/users/${world.home.colleague.accountId}/${world.home.organizationId}/services`
  expect((await client.get(url)).statusCode).toBe(200)
  await portal.system.db
    .updateTable('memberships')
    .set({ userRole: 'regular' })
    .where('accountId', '=', accountId)
    .execute()
  expect((await client.get(url)).statusCode).toBe(404)
})
