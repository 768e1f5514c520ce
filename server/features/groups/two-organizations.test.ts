import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import { groupsOf } from '#test/group-home.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let groups: ReturnType<typeof groupsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())

test('an admin who extends somebody extends no days in groups of another organisation that the person belongs to', async () => {
  const [home, other] = [await groups.newHome(), await groups.newHome({ people: 0 })]
  const { accountId } = home.person
  await portal.join(accountId, other.organizationId)
  const [mine, theirs] = [await home.create(), await other.create()]
  await home.put(mine, [home.person], { validUntil: '2031-01-31' })
  await other.put(theirs, [home.person], { validUntil: '2031-01-31' })
  await setAccessDay(portal, '2031-01-30')
  const answer = await home.browser.post(`/api/organizations/${home.organizationId}/users/extend`, {
    ...{ accountIds: [accountId], dryRun: false, validUntil: '2031-06-30' },
  })
  expect(answer.json().rows).toMatchObject([{ outcome: 'done' }])
  const lastDay = async (organizationId: string) =>
    (
      await portal.system.pool.query(
        'select valid_until::text as day from current_assignments where account_id = $1 and organization_id = $2',
        [accountId, organizationId],
      )
    ).rows[0].day
  expect([await lastDay(home.organizationId), await lastDay(other.organizationId)]).toEqual([
    ...['2031-06-30', '2031-01-31'],
  ])
  expect(await groups.changesOf('updateGroupMembers', other)).not.toContain('2031-06-30')
})
