import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

const people = 5000
const atOnce = 1000

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal?.close())

test('5,000 people come into a group while another admin of the organisation goes on', {
  timeout: 120_000,
}, async () => {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const colleague = await portal.person()
  await portal.join(colleague.accountId, organizationId, 'organizationAdmin')
  const other = await portal.signedIn(colleague)
  const ids: string[] = []
  while (ids.length < people) ids.push(...(await addPeople(organizationId, ids.length)))
  const form = { organizationId, name: 'Alla', services: [{ serviceId }] }
  const { groupId } = (await browser.post('/api/groups', form)).json()

  let isOver = false
  let longest = 0
  let answered = 0
  const others = (async () => {
    while (!isOver) {
      const began = performance.now()
      for (const path of ['/api/me', `/api/organizations/${organizationId}/users`])
        expect((await other.get(path)).statusCode).toBe(200)
      longest = Math.max(longest, performance.now() - began)
      answered++
    }
  })()
  const began = performance.now()
  for (let from = 0; from < people; from += atOnce) {
    const accountIds = ids.slice(from, from + atOnce)
    expect((await browser.post(`/api/groups/${groupId}/members`, { accountIds })).statusCode).toBe(200)
  }
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await others
  const { rows: given } = await portal.system.pool.query(
    'select seats_used from organization_services where organization_id = $1',
    [organizationId],
  )
  expect(given).toEqual([{ seats_used: people }])
  expect(answered).toBeGreaterThan(5)

  const deleting = performance.now()
  expect((await browser.delete(`/api/groups/${groupId}`)).statusCode).toBe(204)
  const deleted = (performance.now() - deleting) / 1000
  // For bench/README.md: how long depends on the machine.
  console.log(`${people} people: ${seconds.toFixed(1)} s, others ${longest.toFixed(0)} ms, end ${deleted.toFixed(1)} s`)
})

async function addPeople(organizationId: string, after: number): Promise<string[]> {
  const { rows } = await portal.system.pool.query<{ id: string }>(
    `with people as (
      insert into users (account_id, email, login_method, email_proof, email_proven_at, last_active)
      select gen_random_uuid(), 'many' || ($1::integer + n) || '@many.example', 'local', 'mailedLink', now(), now()
      from generate_series(1, $2::integer) n
      returning account_id)
    select account_id as id from people`,
    [after, atOnce],
  )
  const ids = rows.map(({ id }) => id)
  await portal.system.pool.query(
    `insert into memberships (account_id, organization_id, entry) select id, $2, 'opened' from unnest($1::uuid[]) id`,
    [ids, organizationId],
  )
  return ids
}
