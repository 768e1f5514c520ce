import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsOf } from './contract-fields.ts'
import { declaredRoutes, requestFor } from './declared-routes.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld } from './world.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp(unlimited)
})
afterAll(() => portal?.close())

/** They search one group, one review or what is in memory; a file has begun when its rows are read. */
const apart = [
  'GET /api/groups/{id}/members',
  'GET /api/organizations/{id}/access-review',
  'GET /api/organizations/{id}/users/export',
  'GET /api/saml-configs/{id}/sign-ins',
  'GET /api/users/export',
]

test('a search that takes too long says what to change; a list that does says to try again', async () => {
  const world = await buildWorld(portal)
  const target = world.target('superUser', 'same')
  // Belongs to no organisation, so their session is read without any.
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    // A row takes longer than a statement may. A locked table would keep the session from being read.
    for (const table of ['directory', 'organizations'])
      await owner.query(
        `create policy slow on ${table} using (pg_sleep(6) is not null); alter table ${table} enable row level security`,
      )
  } finally {
    await owner.end()
  }
  const searched = declaredRoutes(portal).filter((declared) =>
    fieldsOf(declared).some((field) => field.in === 'query' && field.path[0] === 'searchQuery'),
  )
  const lists = searched.filter(({ name }) => !apart.includes(name))
  expect(searched).toHaveLength(lists.length + apart.length)
  const ask = async (url: string) => {
    const answer = await root.get(url)
    return [answer.statusCode, answer.json().message]
  }
  await Promise.all([
    ...lists.map(async (declared) => {
      const { url } = requestFor(declared, target)
      expect([declared.name, ...(await ask(`${url}?searchQuery=david`))]).toEqual([declared.name, 422, 'searchTooSlow'])
    }),
    ...['/api/users', '/api/organizations'].map(async (url) =>
      expect(await ask(url)).toEqual([503, 'temporarilyUnavailable']),
    ),
  ])
})
