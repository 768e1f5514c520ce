import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import { groupsOf } from '#test/group-home.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createAccessEndsJob } from './access-ends.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
  await setAccessDay(portal, '2026-12-20')
})
afterAll(() => portal?.close())

/** What somebody is told who has a service by a group until 31 December, and by hand from a day on. */
async function toldOf(validFrom: string): Promise<string[]> {
  const home = await groupsOf(portal).newHome()
  const { person, organizationId, serviceId, service } = home
  await home.put(await home.create(), [person], { validUntil: '2026-12-31' })
  await portal.system.pool.query(
    `insert into service_assignments (account_id, organization_id, service_id, valid_from) values ($1, $2, $3, $4)
      on conflict (account_id, organization_id, service_id) do update set source = 'hand', valid_from = excluded.valid_from`,
    [person.accountId, organizationId, serviceId, validFrom],
  )
  await createAccessEndsJob(portal.system).run()
  return (await outboxOf(portal).messagesTo(person.email)).flatMap(({ values }) =>
    (values as { services: string[] }).services.map((name) => (name === service ? 'ends' : name)),
  )
}

test('a service by a group that goes on by hand the next day does not end; with a day between, the person is told', async () => {
  expect(await toldOf('2027-01-01')).toEqual([])
  expect(await toldOf('2027-01-02')).toEqual(['ends'])
})
