import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Directory, directoryOf } from '#test/directory.ts'
import { inWard, worker } from '#test/directory-worker.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

describe('who comes back by the directory', () => {
  test('has the roles of the organisation and the groups by hand again, with their days', async () => {
    const here = await directoryOf(portal)
    const { person, ownRole, grant, has, setActive } = await worker(portal, here)
    await grant({ roleKey: 'reader', validUntil: '2099-06-30' })
    await grant({ roleId: await ownRole('Planner', ['readPeople']) })
    const before = await has()
    expect(before).toEqual({
      ...{ userRole: 'regular', service: 'regular' },
      ...{ roles: ['Planner', 'reader until 2099-06-30'], groups: ['Surgery until 2099-12-31'] },
    })
    await setActive(false)
    expect(await has()).toBeUndefined()
    await setActive(true)
    expect(await has()).toEqual(before)
    const { rows } = await portal.system.pool.query(
      "select changes from audit_events where name = 'restoreUser' and target_id = $1",
      [person.accountId],
    )
    for (const name of ['Planner', 'reader', 'Surgery']) expect(JSON.stringify(rows)).toContain(name)
  })

  test('has no role that allows more by now, or is gone, and no group that is gone', async () => {
    const here = await directoryOf(portal)
    const { groupId, ownRole, grant, has, setActive } = await worker(portal, here)
    const [widened, gone] = [await ownRole('Planner', ['readPeople']), await ownRole('Gone', ['readPeople'])]
    for (const roleId of [widened, gone]) await grant({ roleId })
    await setActive(false)
    const url = `/api/organizations/${here.organizationId}/roles`
    await here.browser.put(`${url}/${widened}`, { permissions: ['readPeople', 'invitePeople'] })
    await here.browser.delete(`${url}/${gone}`)
    await here.browser.delete(`/api/groups/${groupId}`)
    await setActive(true)
    expect(await has()).toMatchObject({ userRole: 'regular', roles: [], groups: [] })
  })
})

describe('a service both by hand and by a group of the directory', () => {
  test.each([
    ['with free seats', null],
    ['with its last seat', 1],
  ] as const)('%s is by hand again, with role and days', async (_, seats) => {
    const here = await directoryOf(portal)
    const { holds, setActive } = await inWard(portal, here, seats)
    const before = await holds()
    expect(before).toEqual([
      {
        ...{ source: 'hand', user_role: 'serviceAdmin', valid_until: '2099-01-31' },
        ...{ by_hand: true, role_until: '2099-01-31' },
      },
    ])
    await setActive(false)
    expect(await holds()).toEqual([])
    expect((await setActive(true)).statusCode).toBe(200)
    expect(await holds()).toEqual(before)
    expect((await here.logged()).deeds).toEqual(['changed', 'restored'])
  })
})

describe('power over others', () => {
  /** An admin, also of a service, with a role that gives roles; the directory ends them. */
  async function ended(here: Directory) {
    const one = await worker(portal, here, 'organizationAdmin')
    await portal.assign(one.person.accountId, here.organizationId, one.serviceId, 'serviceAdmin').catch(() => undefined)
    await one.grant({ roleId: await one.ownRole('Deputy', ['readPeople', 'giveRoles']) })
    await one.grant({ roleKey: 'reader' })
    await one.setActive(false)
    return one
  }

  test('comes back while who made the token may give it', async () => {
    const here = await directoryOf(portal)
    const { has, setActive } = await ended(here)
    await setActive(true)
    expect(await has()).toMatchObject({ userRole: 'organizationAdmin', roles: ['Deputy', 'reader'] })
  })

  const makerIs = (here: Directory, now: object) =>
    portal.system.db.updateTable('memberships').set(now).where('accountId', '=', here.admin.accountId).execute()

  test('does not come back by a token whose maker is no admin any more, nor does anybody: a dismissed admin who has kept one gains nothing', async () => {
    const here = await directoryOf(portal)
    const { has, setActive } = await ended(here)
    await makerIs(here, { userRole: 'regular' })
    await setActive(true)
    expect(await has()).toBeUndefined()
  })

  test('does not come back by a token of an admin who is one until a day', async () => {
    const here = await directoryOf(portal)
    const { has, setActive } = await ended(here)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    await makerIs(here, { roleUntil: '2099-12-31' })
    await setActive(true)
    expect(await has()).toMatchObject({ userRole: 'regular', service: 'regular', roles: ['reader'] })
    const log = (await root.get(`${here.url}/log`)).json()
    expect(log.items[0].deeds).toEqual(['changed', 'restored', 'withoutPower'])
  })
})
