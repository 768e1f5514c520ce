import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { notices } from '#contract/notices.ts'
import { organizations } from '#contract/organizations.ts'
import type { Route } from '#contract/route.ts'
import { samlConfigs } from '#contract/saml-configs.ts'
import { services } from '#contract/services.ts'
import { users } from '#contract/users.ts'
import type { Client } from './client.ts'
import { declaredRoutes } from './declared-routes.ts'
import { managedNouns } from './managed-nouns.ts'
import { testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'

// The API takes back what it gave (product-rules 2.6).

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

type Json = Record<string, unknown>
interface Entity {
  by: Client
  /** The names in the address of the GET and the PUT. */
  values?: Json
}

async function member(loginMethod: 'local' | 'bankid' = 'local') {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 5)
  const person = await portal.person({ firstName: 'Ada', phoneNumber: '+46701234567', loginMethod })
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  return { person, accountId: person.accountId, organizationId, serviceId, admin: await portal.signedIn(admin) }
}

/** One of each thing that a PUT changes, and who changes it. */
const entities: Record<string, Record<string, () => Promise<Entity>>> = {
  'PUT /api/users': {
    'a super user': async () => ({ by: root, values: { accountId: (await member()).accountId } }),
    'an organisation admin': async () => {
      const { admin, accountId } = await member()
      return { by: admin, values: { accountId } }
    },
  },
  'PUT /api/profile': {
    'a person': async () => ({ by: await portal.signedIn((await member()).person, testPassword) }),
  },
  'PUT /api/organizations': {
    'a super user': async () => ({ by: root, values: { organizationId: (await member()).organizationId } }),
  },
  'PUT /api/services': {
    'a super user': async () => ({ by: root, values: { serviceId: (await portal.service()).serviceId } }),
  },
  'PUT /api/services/{id}/client': {
    'a super user': async () => {
      const { serviceId: id } = await portal.service()
      const form = { kind: 'web', redirectUris: ['https://service.example/callback'], scopes: ['openid', 'email'] }
      await root.put(`/api/services/${id}/client`, form)
      return { by: root, values: { id } }
    },
  },
  'PUT /api/saml-configs': {
    'a super user': async () => {
      const { url, form } = managedNouns.SamlConfig
      return { by: root, values: { id: (await root.post(url, form)).json().id } }
    },
  },
  'PUT /api/oidc-configs': {
    'a super user': async () => {
      const form = {
        name: 'Berget',
        url: 'https://sso.berget.example',
        domain: 'https://berget.example',
        clientId: 'a',
      }
      return {
        by: root,
        values: { id: (await root.post('/api/oidc-configs', { ...form, clientSecret: 's' })).json().id },
      }
    },
  },
  'PUT /api/saml-configs/{id}/metadata': {
    'a super user': async () => {
      const id = await portal.samlConfig()
      await root.put(`/api/saml-configs/${id}/metadata`, { address: 'https://idp.example.com/metadata' })
      return { by: root, values: { id } }
    },
  },
  'PUT /api/notices': {
    'a super user': async () => {
      const { url, form } = managedNouns.Notice
      return { by: root, values: { noticeId: (await root.post(url, form)).json().noticeId } }
    },
  },
}

/** PUTs whose GET does not answer one thing with the fields of the form, with what stands in its place. */
const otherPuts: Record<string, string> = {
  'PUT /api/profile/password': 'passwords are never answered',
  'PUT /api/profile/draft': 'a draft is read once',
  'PUT /api/service-preferences/{serviceId}': 'the launcher answers it with each service',
  'PUT /api/service-categories': 'an order of names, which is answered as a plain list',
  'PUT /api/email-templates/{type}/texts': 'its GET answers the draft beside the published and the inherited text',
}

const routeOf = (name: string): Route => {
  const found = declaredRoutes(portal).find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found.route
}
const fill = (template: string, values: Json) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
const events = async () =>
  Number((await portal.system.pool.query('select count(*) as count from audit_events')).rows[0].count)

test('every PUT takes back what its GET gave, or says why there is nothing to take back', () => {
  const puts = declaredRoutes(portal).filter(({ route }) => route.method === 'PUT')
  const taking = puts.filter(({ route }) => route.takesBack).map(({ name }) => name)
  expect(taking.sort()).toEqual(Object.keys(entities).sort())
  expect(puts.map(({ name }) => name).sort()).toEqual([...taking, ...Object.keys(otherPuts)].sort())
})

const cases = Object.entries(entities).flatMap(([call, byPerson]) =>
  Object.entries(byPerson).map(([person, create]) => ({ call, person, create })),
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

describe.each(cases)('$call by $person', ({ call, create }) => {
  test('with what the GET answered: nothing changes; with another read-only field: 422 that names it', async () => {
    const { by, values = {} } = await create()
    const { takesBack = '/api/', url, input } = routeOf(call)
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
  const { accountId, organizationId } = await member()
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
  const [mine, theirs] = [await member(), await member()]
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
    ['people', users.list, true, users.read, ['ssn', 'version']],
    ["an organisation's people", users.ofOrganization, true, users.read, ['ssn', 'version']],
    ["a service's people", users.ofService, true, users.read, ['ssn', 'version']],
    ['organisations', organizations.list, true, organizations.read, []],
    ['organisations to choose from', organizations.plainList, false, organizations.read, ['services']],
    ['services', services.list, false, services.read, []],
    // Both are made of the configuration: what its certificates say, and the addresses of this portal.
    ['SAML configurations', samlConfigs.list, false, samlConfigs.read, ['certificates', 'serviceProvider']],
    ['notices', notices.list, false, notices.read, []],
  ] as const)('%s', (_, list, isPaged, read, without) => {
    const missing = row(read).filter((name) => !row(list, isPaged).includes(name))
    expect(missing).toEqual(without)
  })
})
