import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { propertyLabel } from '#web/features/audit-events/property-labels.ts'
import { declaredRoutes } from './declared-routes.ts'
import { entities, otherEntities } from './entities.ts'
import type { Entity, EntityKind, Here } from './entity-kind.ts'
import { create, fieldsOf, fill, routeOf, savers, send, valuesOf } from './saved-forms.ts'
import { type TestApp, testApp } from './test-app.ts'
import type { TwoValues } from './two-values.ts'

// Every field of every form is stored, answered and told in the audit log. The fields and their values come from the contract:
// a new field is in this test before anybody thinks of it.

let here: Here
beforeAll(async () => {
  const portal: TestApp = await testApp({ LIMIT_API: '1000000/60' })
  here = { portal, root: await portal.signedIn(await portal.person({ superUser: true })) }
})
afterAll(() => here?.portal.close())

type Json = Record<string, unknown>
const kinds = { ...entities, ...otherEntities }

/** Calls that add or change something, without a form whose fields can be read back. */
const otherCalls: Record<string, string> = {
  'PATCH /scim/v2/Groups/{id}': 'as directories send it: scim-groups.test.ts',
  'POST /scim/v2/Groups': 'as directories send it: scim-groups.test.ts',
  'PUT /scim/v2/Groups/{id}': 'as directories send it: scim-groups.test.ts',
  'PUT /api/organizations/{id}/directory/groups/{scimGroupId}': 'each choice: scim-groups.test.ts',
  'PATCH /scim/v2/Users/{id}': 'as directories send it: scim-users.test.ts',
  'POST /scim/v2/Users': 'as directories send it: scim-users.test.ts',
  'PUT /scim/v2/Users/{id}': 'as directories send it: scim-users.test.ts',
  'POST /api/organizations/{id}/directory/tokens': 'its name and end stand in the list: scim-access.test.ts',
  'POST /api/email-templates/{type}/texts/publish': 'publishes what the draft says',
  'POST /api/groups/{id}/members': 'many people: groups.test.ts',
  'POST /api/groups/{id}/admins': 'a role for a group: group-admins.test.ts',
  'POST /api/groups/{id}/people': 'one person by address: group-admins.test.ts',
  'POST /api/groups/{id}/members/remove': 'many people: groups.test.ts',
  'POST /api/invites': 'the person who is invited reads it: invite.test.ts',
  'POST /api/organizations/{id}/access-review/at-once': 'rows of one person: access-reviews.test.ts',
  'POST /api/organizations/{id}/access-review/finish': 'how many services end: access-reviews.test.ts',
  'POST /api/organizations/{organizationId}/roles': 'has the fields of its PUT: organization-roles.test.ts',
  'POST /api/organizations/{id}/users/assign-role': 'one role for many people: service-roles.test.ts',
  'POST /api/organizations/{id}/users/assign-service': 'one service for many people: bulk-users.test.ts',
  'POST /api/organizations/{id}/users/extend': 'a last day for many people: periods.test.ts',
  'POST /api/organizations/{id}/users/mark-active': 'many people: bulk-users.test.ts',
  'POST /api/organizations/{id}/users/revoke-role': 'one role for many people: service-roles.test.ts',
  'POST /api/organizations/{id}/users/revoke-service': 'one service for many people: bulk-users.test.ts',
  'POST /api/profile/passkeys': 'what a browser sends of a key: passkeys.test.ts',
  'POST /api/profile/recovery-codes': 'has no field: factors.test.ts',
  'POST /api/saml-configs/{id}/domains': 'a domain is its name alone: saml-domains.test.ts',
  'POST /api/saml-configs/{id}/domains/check': 'a domain is its name alone: saml-domains.test.ts',
  'POST /api/saml-configs/{id}/domains/confirm': 'its reason is told with the domain: saml-domains.test.ts',
  'POST /api/saml-configs/{id}/domains/remove': 'a domain is its name alone: saml-domains.test.ts',
  'POST /api/saml-configs/{id}/metadata/confirm': 'chooses certificates that were read: fetch-metadata.test.ts',
  'POST /api/organizations/{id}/directory/setup-links': 'has no field: directory-setups.test.ts',
  'POST /api/saml-setup/directory/tokens': 'its name stands in the list: directory-setups.test.ts',
  'POST /api/saml-setups': 'what a link is for: saml-setups.test.ts, directory-setups.test.ts',
  'POST /api/saml-setups/{id}/approve': 'makes a configuration of a draft: saml-setups.test.ts',
  'POST /api/services/{id}/client/secrets': 'says how long the old secret works: service-clients.test.ts',
  'PUT /api/services/{id}/roles': 'all roles of a service at once: role-files.test.ts',
  'POST /api/services/{serviceId}/{organizationId}/owners': 'a role for a service: service-owners.test.ts',
  'POST /api/services/{serviceId}/{organizationId}/users': 'who has a service: set-services.test.ts',
  'POST /api/users/{userId}/organization/{organizationId}/roles': 'roles of one member: organization-roles.test.ts',
  'POST /api/users/{userId}/organization/{organizationId}/service': 'roles of one member: set-services.test.ts',
  'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles':
    'roles of one person in a service: service-roles.test.ts',
  'PUT /api/profile/passkeys/{id}': 'a name: passkeys.test.ts',
  'POST /saml/{id}/acs': 'a sign-in',
  'PUT /api/organizations/{id}/sign-in-rules': 'rules within bounds: sign-in-rules.test.ts',
}

interface Event {
  id: string
  name: string
  changes: { property: string; previousValue: string | null; newValue: string | null }[]
}
async function eventsOf(act: () => Promise<unknown>): Promise<Event[]> {
  const all = async (): Promise<Event[]> =>
    (await here.portal.system.pool.query('select id, name, changes from audit_events order by id')).rows
  const before = new Set((await all()).map(({ id }) => id))
  await act()
  return (await all()).filter(({ id }) => !before.has(id))
}

const hidden = ['ssn', 'phoneNumber', 'clientSecret']

/** What is missing of a field in the event of its change. */
function untold(
  field: string,
  value: unknown,
  events: Event[],
  { told = {}, eachPlace = [], apart = [] }: EntityKind,
): string[] {
  const isApart = ({ changes }: Event) => changes.some(({ property }) => apart.includes(property))
  const [event, ...more] = events.filter((one) => isApart(one) === apart.includes(field))
  if (!event || (more.length > 0 && !eachPlace.includes(field)))
    return [`${field}: ${event ? more.length + 1 : 'no'} events`]
  const property = told[field] ?? field
  const change = event.changes.find((one) => one.property === property)
  if (!change) return [`${field}: not in the event ${event.name}`]
  const isPlain = property === field && ['string', 'number', 'boolean'].includes(typeof value)
  const isHidden = hidden.includes(field)
  return [
    ...(propertyLabel(property, event.name) ? [] : [`${field}: the log has no label for ${property}`]),
    ...(isHidden && JSON.stringify(event).includes(String(value).slice(-4))
      ? [`${field}: not masked in the event`]
      : []),
    ...(isPlain && !isHidden && field !== 'certificate' && change.newValue !== String(value)
      ? [`${field}: the event says ${change.newValue} of ${value}`]
      : []),
  ]
}

/** What is wrong with a field in the answer. */
function unread(field: string, value: unknown, answer: Json | undefined, { answered = {} }: EntityKind): string[] {
  const how = answered[field]
  if (how === null) return []
  try {
    expect({ [field]: answer?.[field] }).toMatchObject({ [field]: how ? how(String(value)) : value })
    return []
  } catch {
    return [`${field}: sent as ${JSON.stringify(value)}, answered as ${JSON.stringify(answer?.[field])}`]
  }
}

describe.each(Object.entries(kinds))('%s', (call, kind) => {
  const read = async ({ by, values = {} }: Entity): Promise<Json> => {
    const answer = (await by.get(fill(kind.read ?? routeOf(here, call).takesBack ?? '', values))).json()
    return kind.inAnswer ? kind.inAnswer(answer, values) : answer
  }

  if (kind.create)
    test('a new one has every field, and the audit event tells each', async () => {
      let made: Awaited<ReturnType<typeof create>> | undefined
      const events = await eventsOf(async () => {
        made = await create(here, kind)
      })
      const { body, ...entity } = made as NonNullable<typeof made>
      const answer = await read(entity)
      const schemas = fieldsOf(routeOf(here, kind.create?.[0] as string))
      const wrong = Object.entries(body).flatMap(([name, sent]) => {
        const value = z.parse(schemas[name] as z.ZodMiniType, sent)
        return [...unread(name, value, answer, kind), ...untold(name, value, events, kind)]
      })
      expect(wrong).toEqual([])
    })

  if (!call.startsWith('POST'))
    test('a change of one field is stored and told once, and the same again is no change', async () => {
      const route = routeOf(here, call)
      const fields = await valuesOf(here, kind, route)
      const [existing] = Object.values(savers(kind))
      const entity = await (kind.create ? create(here, kind) : (existing as NonNullable<typeof existing>)(here))
      const { by, values = {} } = entity
      const identity = Object.fromEntries(Object.entries(values).filter(([name]) => name in fieldsOf(route)))
      const { last = [] } = kind
      const wrong: string[] = []
      for (const name of [...Object.keys(fields).filter((field) => !last.includes(field)), ...last]) {
        const schema = fieldsOf(route)[name] as z.ZodMiniType
        const [first, second] = (fields[name] as TwoValues).map((value) => ({
          sent: value,
          stored: z.parse(schema, value),
        }))
        // One that nobody made here may have the second value already.
        const before = await read(entity)
        const isSecond = JSON.stringify(before?.[name]) === JSON.stringify(second?.stored)
        const { sent, stored } = (isSecond ? first : second) as { sent: unknown; stored: unknown }
        const body = { ...kind.beside, ...kind.alongside?.[name], ...identity, [name]: sent }
        here.portal.advance(1)
        const events = await eventsOf(() => send(here, call, values, body, by))
        const after = await read(entity)
        const raised = before?.version === undefined ? undefined : Number(before.version) + 1
        if (after.version !== raised) wrong.push(`${name}: version ${after.version} instead of ${raised}`)
        wrong.push(...unread(name, stored, after, kind), ...untold(name, stored, events, kind))
        const again = await eventsOf(() => send(here, call, values, body, by))
        if (again.length > 0) wrong.push(`${name}: the same again leaves an event`)
      }
      expect(wrong).toEqual([])
    })
})

test('each call that adds or changes something has its form here, or a reason', () => {
  const known = [...Object.keys(kinds), ...Object.values(kinds).flatMap(({ create }) => create?.[0] ?? [])]
  const calls = declaredRoutes(here.portal).filter(({ route: { input, status, audit = 'none' } }) => {
    return input && (status === 201 || /"(create|update)/.test(JSON.stringify(audit)))
  })
  const missing = calls.map(({ name }) => name).filter((name) => !known.includes(name))
  expect(missing.sort()).toEqual(Object.keys(otherCalls).sort())
})
