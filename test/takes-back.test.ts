import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { groups } from '#contract/groups/groups.ts'
import { notices } from '#contract/notices/notices.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import type { Route } from '#contract/route.ts'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { serviceRoles } from '#contract/service-roles/service-roles.ts'
import { services } from '#contract/services/services.ts'
import { users } from '#contract/users/users.ts'
import type { Client } from './client.ts'
import { declaredRoutes } from './declared-routes.ts'
import { entities } from './entities.ts'
import { type Here, member } from './entity-kind.ts'
import { fill, routeOf, savers } from './saved-forms.ts'
import { type TestApp, testApp } from './test-app.ts'

// The API takes back what it gave (product-rules 2.6).

let portal: TestApp
let root: Client
let here: Here
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
  here = { portal, root }
})
afterAll(() => portal?.close())

type Json = Record<string, unknown>

/** PUTs whose GET does not answer one thing with the fields of the form, with what stands in its place. */
const otherPuts: Record<string, string> = {
  'PUT /api/profile/password': 'passwords are never answered',
  'PUT /api/organizations/{id}/sign-in-rules':
    'its GET answers what the page needs beside the rules: who lacks a key, and the times of the portal',
  'PUT /api/profile/factors/usual': 'its GET answers every factor of the person',
  'PUT /api/profile/factors/mail': 'likewise',
  'PUT /api/service-preferences/{serviceId}': 'the launcher answers it with each service',
  'PUT /api/service-categories': 'an order of names, which is answered as a plain list',
  'PUT /api/email-templates/{type}/texts': 'its GET answers the draft beside the published and the inherited text',
  'PUT /api/services/{id}/roles': 'all roles of a service at once, taken back by role-files.test.ts',
  'PUT /api/profile/passkeys/{id}': 'a name alone; the list answers it with each key',
  'PUT /api/organizations/{id}/directory/groups/{scimGroupId}': 'a decision; the list answers what it led to',
  'PUT /scim/v2/Groups/{id}': "SCIM's own form, in which read-only and unknown attributes are left out",
  'PUT /scim/v2/Users/{id}': "SCIM's own form, in which read-only and unknown attributes are left out",
}

const events = async () =>
  Number((await portal.system.pool.query('select count(*) as count from audit_events')).rows[0].count)

test('every PUT takes back what its GET gave, or says why there is nothing to take back', () => {
  const puts = declaredRoutes(portal).filter(({ route }) => route.method === 'PUT')
  const taking = puts.filter(({ route }) => route.takesBack).map(({ name }) => name)
  expect(taking.sort()).toEqual(Object.keys(entities).sort())
  expect(puts.map(({ name }) => name).sort()).toEqual([...taking, ...Object.keys(otherPuts)].sort())
})

const cases = Object.entries(entities).flatMap(([call, kind]) =>
  Object.entries(savers(kind)).map(([person, prepare]) => ({ call, person, prepare })),
)

/** Something else of the same kind. */
const other = (value: unknown): unknown =>
  typeof value === 'boolean'
    ? !value
    : typeof value === 'number'
      ? value + 1
      : Array.isArray(value)
        ? [...value, 'more']
        : `${value} changed`

describe.each(cases)('$call by $person', ({ call, prepare }) => {
  test('with what the GET answered: nothing changes; with another read-only field: 422 that names it', async () => {
    const { by, values = {} } = await prepare(here)
    const { takesBack = '/api/', url, input } = routeOf(here, call)
    const read = async () => (await by.get(fill(takesBack, values))).json()
    const given = await read()
    const before = await events()
    const put = (body: Json) => by.put(fill(url, values), body)
    const same = await put(given)
    expect([same.statusCode, same.json().issues]).toEqual([200, undefined])
    expect(await read()).toEqual(given)
    expect(await events()).toBe(before)

    const { properties = {} } = z.toJSONSchema(input as z.ZodMiniType, { io: 'input', unrepresentable: 'any' })
    const readOnly = Object.keys(given).filter((name) => !(name in properties))
    for (const name of readOnly) {
      const refused = await put({ ...given, [name]: other(given[name]) })
      expect([refused.statusCode, refused.json().issues], name).toEqual([
        422,
        [{ path: name, message: 'readOnlyField' }],
      ])
    }
    const unknown = await put({ ...given, noSuchField: 1 })
    expect(unknown.json().issues).toEqual([{ path: 'noSuchField', message: 'unknownField' }])
    expect(await events()).toBe(before)
  })
})

test('read-only fields of a nested list count too, and a change beside them is made', async () => {
  const { accountId, organizationId } = await member(here)
  const given = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
  const renamed = given.organizations.map((one: Json) => ({ ...one, name: 'Another name' }))
  const refused = await root.put('/api/users', { ...given, organizations: renamed })
  expect([refused.statusCode, refused.json().issues]).toEqual([
    422,
    [{ path: 'organizations.0.name', message: 'readOnlyField' }],
  ])
  const changed = await root.put('/api/users', { ...given, lastName: 'Borg' })
  expect(changed.json()).toMatchObject({
    lastName: 'Borg',
    organizations: [{ organizationId }],
    version: given.version + 1,
  })
  expect((await root.put('/api/users', given)).json().message).toBe('changedByOthers')
})

test('a body with the fields of a thing that is out of reach is answered like one of a missing thing', async () => {
  const [mine, theirs] = [await member(here), await member(here)]
  const given = (await root.get(`/api/users/${theirs.accountId}/organization/-/service/-`)).json()
  const answers = await Promise.all(
    [theirs.accountId, '01900000-0000-7000-8000-000000000000'].map((accountId) =>
      mine.admin.put('/api/users', { ...given, accountId }),
    ),
  )
  for (const answer of answers) expect([answer.statusCode, answer.json().message]).toEqual([404, 'notFound'])
})

describe('a list carries every field of its entity', () => {
  const fieldsOf = ({ answer }: Route, inside: 'items' | undefined) => {
    const schema = z.toJSONSchema(answer as z.ZodMiniType, { io: 'output', unrepresentable: 'any' })
    const rows = inside ? (schema.properties?.items as typeof schema) : schema
    return Object.keys(((rows.items as typeof schema | undefined) ?? rows).properties ?? {})
  }
  const row = (list: object, isPaged = false) => fieldsOf(list as Route, isPaged ? 'items' : undefined)

  test.each([
    // The version is the one that the reader may know, which the person alone tells.
    [
      'people',
      users.list,
      true,
      users.read,
      ['ssn', 'ssnConfirmed', 'portalRoleFrom', 'portalRoleUntil', 'openedFor', 'version'],
    ],
    [
      "an organisation's people",
      users.ofOrganization,
      true,
      users.read,
      ['ssn', 'ssnConfirmed', 'portalRoleFrom', 'portalRoleUntil', 'openedFor', 'version'],
    ],
    [
      "a service's people",
      users.ofService,
      true,
      users.read,
      ['ssn', 'ssnConfirmed', 'portalRoleFrom', 'portalRoleUntil', 'openedFor', 'version'],
    ],
    ['organisations', organizations.list, true, organizations.read, []],
    ['organisations to choose from', organizations.plainList, false, organizations.read, ['services']],
    ['services', services.list, false, services.read, []],
    // Both are made of the configuration: what its certificates say, and the addresses of this portal.
    ['SAML configurations', samlConfigs.list, false, samlConfigs.read, ['certificates', 'serviceProvider']],
    ['roles of a service', serviceRoles.list, false, serviceRoles.read, []],
    ['groups', groups.list, false, groups.read, []],
    ['notices', notices.list, false, notices.read, []],
  ] as const)('%s', (_, list, isPaged, read, without) => {
    const missing = row(read).filter((name) => !row(list, isPaged).includes(name))
    expect(missing).toEqual(without)
  })
})
