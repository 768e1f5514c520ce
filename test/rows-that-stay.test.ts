import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import type { Client } from './client.ts'
import { declaredRoutes } from './declared-routes.ts'
import { type Here, member } from './entity-kind.ts'
import { routeOf } from './saved-forms.ts'
import { type TestApp, testApp } from './test-app.ts'

// What a row of a list leaves out stays (product-rules 2.6). The calls, their lists and the fields come from the contract.

let here: Here
beforeAll(async () => {
  const portal: TestApp = await testApp({ LIMIT_API: '1000000/60' })
  here = { portal, root: await portal.signedIn(await portal.person({ superUser: true })) }
})
afterAll(() => here?.portal.close())

type Json = Record<string, unknown>
interface Rows {
  /** With every field that a row may leave out, and with none of them. */
  full: Json
  bare: Json
  send: (row: Json) => ReturnType<Client['put']>
  read: () => Promise<Json | undefined>
}

const person = async () => {
  const { portal, root } = here
  const { accountId, organizationId, serviceId } = await member(here)
  const other = await portal.person()
  await portal.join(other.accountId, organizationId, 'organizationAdmin')
  const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Läkare' })).json()
  const list = async (name: string): Promise<Json[]> =>
    (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()[name]
  const of = (rows: Json[], key: string, id: string) => rows.find((one) => one[key] === id)
  return {
    ...{ accountId, organizationId, serviceId, roleId, list, of },
    at: `/api/users/${accountId}/organization/${organizationId}`,
  }
}
const days = { validFrom: '2026-01-02', validUntil: '2031-02-03' }
const roleDays = { roleFrom: '2026-01-03', roleUntil: '2031-02-02' }

/** By call and list. */
const lists: Record<string, () => Promise<Rows>> = {
  'PUT /api/organizations services': async () => {
    const { organizationId } = await here.portal.organization()
    const bare = { serviceId: (await here.portal.service()).serviceId }
    return {
      bare,
      full: { ...bare, maxNumberOfUsers: 7, atFirstSignIn: true },
      send: (row) => here.root.put('/api/organizations', { organizationId, services: [row] }),
      read: async () => (await here.root.get(`/api/organizations/${organizationId}`)).json().services[0],
    }
  },
  'PUT /api/groups services': async () => {
    const { organizationId, serviceId, roleId } = await person()
    const { groupId } = (await here.root.post('/api/groups', { organizationId, name: 'Ekonomi' })).json()
    return {
      bare: { serviceId },
      full: { serviceId, roleIds: [roleId], ...days },
      send: (row) => here.root.put('/api/groups', { groupId, services: [row] }),
      read: async () => (await here.root.get(`/api/groups/${groupId}`)).json().services[0],
    }
  },
  'PUT /api/services/{id}/roles roles': async () => {
    const { serviceId } = await here.portal.service()
    const at = `/api/services/${serviceId}/roles`
    const bare = { key: 'doctor', nameSv: 'Läkare' }
    const names = { nameEn: 'Doctor', nameFi: 'Lääkäri', nameFr: 'Médecin' }
    const texts = { descriptionSv: 'Läser', descriptionEn: 'Reads', descriptionFi: 'Lukee', descriptionFr: 'Lit' }
    const nurse = { key: 'nurse', nameSv: 'Sköterska' }
    return {
      bare,
      full: { ...bare, ...names, ...texts, needsTwoFactors: true, maxPeople: 3, excludes: ['nurse'] },
      send: (row) => here.root.put(at, { roles: [nurse, row] }),
      read: async () => (await here.root.get(at)).json().roles.find(({ key }: Json) => key === 'doctor'),
    }
  },
  'PUT /api/users organizations': async () => {
    const { accountId, organizationId, list, of } = await person()
    const bare = { organizationId, userRole: 'organizationAdmin' }
    return {
      bare,
      full: { ...bare, ...days, ...roleDays },
      send: (row) => here.root.put('/api/users', { accountId, organizations: [row] }),
      read: async () => of(await list('organizations'), 'organizationId', organizationId),
    }
  },
  'PUT /api/users services': async () => {
    const { accountId, organizationId, serviceId, list, of } = await person()
    const bare = { organizationId, serviceId, userRole: 'serviceAdmin' }
    return {
      bare,
      full: { ...bare, ...days },
      send: (row) => here.root.put('/api/users', { accountId, services: [row] }),
      read: async () => of(await list('services'), 'serviceId', serviceId),
    }
  },
  'POST /api/users/{userId}/organization/{organizationId}/service services': async () => {
    const { serviceId, list, of, at } = await person()
    const bare = { serviceId, userRole: 'serviceAdmin' }
    return {
      bare,
      full: { ...bare, ...days },
      send: (row) => here.root.post(`${at}/service`, { services: [row] }),
      read: async () => of(await list('services'), 'serviceId', serviceId),
    }
  },
  'POST /api/users/{userId}/organization/{organizationId}/roles roles': async () => {
    const { at } = await person()
    return {
      bare: { role: 'reader' },
      full: { role: 'reader', ...days },
      send: (row) => here.root.post(`${at}/roles`, { roles: [row] }),
      read: async () => (await here.root.get(`${at}/roles`)).json()[0],
    }
  },
  'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles periods': async () => {
    const { at, serviceId, roleId } = await person()
    return {
      bare: { roleId },
      full: { roleId, ...days },
      send: (row) => here.root.post(`${at}/service/${serviceId}/roles`, { roleIds: [roleId], periods: [row] }),
      read: async () => (await here.root.get(`${at}/service-roles`)).json()[0],
    }
  },
}

/** Lists whose rows are all new. */
const newRows: Record<string, string> = {
  'PUT /api/organizations/{id}/directory/groups/{scimGroupId} services': 'are those of a group that the call makes',
}
/** Fields that end where a row leaves them out, as the specification says. */
const ends: Record<string, string[]> = { 'PUT /api/organizations services': ['maxNumberOfUsers'] }

type Schema = z.core.$ZodType
/** The schema within defaults, checks and what else is around it. */
const within = (schema: Schema): Schema => {
  const def = schema._zod.def as { innerType?: Schema; in?: Schema }
  const inner = def.innerType ?? def.in
  return inner ? within(inner) : schema
}
/** The shape of the rows of a list, or of an object that is a value. */
function shapeOf(schema: Schema): Record<string, Schema> | undefined {
  const inner = within(schema)
  const def = inner._zod.def as { type: string; element?: Schema; shape?: Record<string, Schema> }
  return def.type === 'array' ? shapeOf(def.element as Schema) : def.shape
}
const listsOf = ({ input }: Route) =>
  Object.entries(
    (input && (within(input as Schema)._zod.def as { shape?: Record<string, Schema> }).shape) ?? {},
  ).filter(([, schema]) => shapeOf(schema))
const mayBeLeftOut = (schema: Schema) => z.safeParse(schema, undefined).success

/** A `PUT`, or a `POST` that sets a list. SCIM's PUT replaces (RFC 7644, 3.5.1). */
const setsLists = ({ method, url, audit }: Route) =>
  !url.startsWith('/scim/') &&
  (method === 'PUT' ||
    (method === 'POST' &&
      typeof audit === 'object' &&
      'atMost' in audit &&
      audit.atMost.some((name) => name.startsWith('update'))))

test('every list of rows that a call sets is in this table', () => {
  const calls = declaredRoutes(here.portal).filter(({ route }) => setsLists(route))
  const found = calls.flatMap(({ name, route }) => listsOf(route).map(([list]) => `${name} ${list}`))
  expect(found.sort()).toEqual([...Object.keys(lists), ...Object.keys(newRows)].sort())
})

describe.each(Object.keys(lists))('%s', (list) => {
  test('a row that is sent with its key alone stays as it was', async () => {
    const [call, name] = [list.slice(0, list.lastIndexOf(' ')), list.slice(list.lastIndexOf(' ') + 1)]
    const [, schema] = listsOf(routeOf(here, call)).find(([one]) => one === name) ?? []
    const { full, bare, send, read } = await (lists[list] as () => Promise<Rows>)()
    const optional = Object.entries(shapeOf(schema as Schema) ?? {}).filter(([, field]) => mayBeLeftOut(field))
    const names = optional.map(([field]) => field)
    expect(
      Object.keys(full)
        .filter((field) => !(field in bare))
        .sort(),
    ).toEqual([...names].sort())
    const put = async (row: Json) => {
      const answer = await send(row)
      expect([answer.statusCode < 300, answer.body.includes('issues')], answer.body).toEqual([true, false])
      return (await read()) ?? {}
    }
    const first = await put(bare)
    for (const field of names) expect(first[field], `${field} of a new row`).not.toEqual(full[field])
    const set = await put(full)
    expect(set).toMatchObject(full)
    const gone = Object.fromEntries((ends[list] ?? []).map((field) => [field, undefined]))
    expect(await put(bare)).toEqual({ ...set, ...gone })
  })
})

const withDays = Object.keys(lists).filter(
  (list) => !/^PUT .*(organizations services|\/roles roles)$|periods$/.test(list),
)
test.each(withDays)('%s: a last day that is sent is compared with the first one that stays', async (list) => {
  const { full, bare, send, read } = await (lists[list] as () => Promise<Rows>)()
  await send(full)
  const set = await read()
  const refused = await send({ ...bare, validUntil: '2025-12-31' })
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'endsBeforeStart'])
  expect(await read()).toEqual(set)
})
