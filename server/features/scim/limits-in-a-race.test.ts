import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { addGroup, membersOf } from '#test/directory-groups.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// Who looks and then adds must not be overtaken: requests at the same moment, half of them to another node, keep each limit.

let portal: TestApp
let node: Awaited<ReturnType<TestApp['anotherNode']>>
beforeAll(async () => {
  portal = await testApp()
  node = await portal.anotherNode()
})
afterAll(async () => {
  await node?.close()
  await portal?.close()
})

type Here = Awaited<ReturnType<typeof directoryOf>>
const all = <Answer>(count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
/** To one node or the other. */
const send = ({ token }: Here, index: number, method: 'POST' | 'PATCH', path: string, body: object) =>
  (index % 2 ? node : portal).app.inject({
    ...{ method, url: `/scim/v2${path}`, payload: JSON.stringify(body) },
    headers: { host: 'portal.test', authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
  })
const statusesOf = (answers: readonly { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode).sort()

test('a directory has at most 1,000 groups', async () => {
  const here = await directoryOf(portal)
  await portal.system.pool.query(
    `insert into scim_groups (scim_group_id, organization_id, display_name, created_at, updated_at)
      select gen_random_uuid(), $1, 'g' || n, now(), now() from generate_series(1, 998) n`,
    [here.organizationId],
  )
  const answers = await all(24, (index) => send(here, index, 'POST', '/Groups', { displayName: `New ${index}` }))
  expect(statusesOf(answers).filter((one) => one !== 409)).toEqual([201, 201])
  expect((await here.call('GET', '/Groups?count=0')).json().totalResults).toBe(1000)
})

test('a group has at most 10,000 members', { timeout: 60_000 }, async () => {
  const here = await directoryOf(portal)
  const id = await addGroup(here)
  await portal.system.pool.query(
    `with people as (insert into scim_users (scim_user_id, organization_id, user_name, attributes, active, email, created_at, updated_at)
      select gen_random_uuid(), $1, 'p' || n, '{}', false, 'p' || n || '@x.example', now(), now() from generate_series(1, 9998) n
      returning scim_user_id)
    insert into scim_group_members select $2, scim_user_id from people`,
    [here.organizationId, id],
  )
  const people: string[] = []
  for (let index = 0; index < 6; index++) people.push((await here.created()).id)
  const answers = await all(6, (index) =>
    send(here, index, 'PATCH', `/Groups/${id}`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: people[index] }] }],
    }),
  )
  expect(statusesOf(answers)).toEqual([204, 204, 400, 400, 400, 400])
  expect(await membersOf(here, id)).toHaveLength(10_000)
})

test('an organisation has at most two tokens, and somebody one entry', async () => {
  const here = await directoryOf(portal)
  const made = await all(6, (index) => here.browser.post(`${here.url}/tokens`, { name: `New ${index}`, days: '90' }))
  expect(statusesOf(made)).toEqual([201, 409, 409, 409, 409, 409])
  const sent = here.user()
  const added = await all(6, (index) => send(here, index, 'POST', '/Users', sent))
  expect(statusesOf(added)).toEqual([201, 409, 409, 409, 409, 409])
})

test('filters that no index answers wait for each other, and a directory that asks by name waits for none of them', async () => {
  const [here, other] = [await directoryOf(portal), await directoryOf(portal)]
  await here.created({ title: 'Slow' })
  const { email } = await other.created()
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    // A row that is read only when this test says so.
    await owner.query(`select pg_advisory_lock(7);
      create policy slow on scim_users using (attributes ->> 'title' is distinct from 'Slow' or pg_advisory_xact_lock_shared(7)::text is not null);
      alter table scim_users enable row level security`)
    const ask = ({ token }: Here, index: number, filter: string) =>
      (index % 2 ? node : portal).app.inject({
        url: `/scim/v2/Users?filter=${encodeURIComponent(filter)}`,
        headers: { host: 'portal.test', authorization: `Bearer ${token}` },
      })
    const slow = all(12, (index) => ask(here, index, 'title co "x"'))
    const waiting = async () => {
      const { rows } = await owner.query(
        "select count(*)::integer as number from pg_locks where locktype = 'advisory' and not granted",
      )
      return rows[0].number
    }
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    for (let index = 0; index < 10; index++)
      expect((await ask(other, index, `userName eq "${email}"`)).json().totalResults).toBe(1)
    expect(await waiting()).toBe(1)
    await owner.query('select pg_advisory_unlock(7)')
    expect(new Set(statusesOf(await slow))).toEqual(new Set([200]))
  } finally {
    await owner.query(
      'select pg_advisory_unlock_all(); alter table scim_users disable row level security; drop policy slow on scim_users',
    )
    await owner.end()
  }
})
