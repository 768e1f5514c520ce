import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

type Directory = Awaited<ReturnType<typeof directoryOf>>

/** A member of the directory, with what an admin has given by hand. */
async function worker(here: Directory, role: 'regular' | 'organizationAdmin' = 'regular') {
  const { organizationId, browser } = here
  const person = await portal.person({ email: `worker-${organizationId}@${here.mailDomain}` })
  await portal.join(person.accountId, organizationId, role, 'guest')
  const sent = here.user({ userName: person.email, emails: [{ value: person.email }] })
  const { id } = (await here.call('POST', '/Users', sent)).json()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const services = [{ serviceId }]
  const { groupId } = (await browser.post('/api/groups', { organizationId, name: 'Surgery', services })).json()
  await portal.system.db
    .insertInto('groupMembers')
    .values({ groupId, organizationId, accountId: person.accountId, source: 'hand', validUntil: '2099-12-31' })
    .execute()
  const ownRole = async (name: string, permissions: string[]): Promise<string> =>
    (await browser.post(`/api/organizations/${organizationId}/roles`, { name, permissions })).json().roleId
  const grant = (values: object) =>
    portal.system.db
      .insertInto('roleGrants')
      .values({ accountId: person.accountId, organizationId, ...values })
      .execute()
  const has = async () => {
    const { rows } = await portal.system.pool.query(
      `select m.user_role as "userRole", (select user_role from service_assignments a where a.account_id = m.account_id) as service,
         array(select coalesce(name, role) || coalesce(' until ' || valid_until, '') from held_roles h
           where h.account_id = m.account_id and h.organization_id = m.organization_id order by 1) as roles,
         array(select g.name || ' until ' || x.valid_until from group_members x join groups g using (group_id)
           where x.account_id = m.account_id and x.source = 'hand' order by 1) as groups
       from memberships m where account_id = $1 and organization_id = $2`,
      [person.accountId, organizationId],
    )
    return rows[0]
  }
  const setActive = (active: boolean) => here.patch(id, { op: 'Replace', path: 'active', value: active })
  return { person, id, serviceId, groupId, ownRole, grant, has, setActive }
}

describe('who comes back by the directory', () => {
  test('has the roles of the organisation and the groups by hand again, with their days', async () => {
    const here = await directoryOf(portal)
    const { person, ownRole, grant, has, setActive } = await worker(here)
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
    const { groupId, ownRole, grant, has, setActive } = await worker(here)
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

describe('power over others', () => {
  /** An admin, also of a service, with a role that gives roles; the directory ends them. */
  async function ended(here: Directory) {
    const one = await worker(here, 'organizationAdmin')
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

  test('comes back to nobody by a token whose maker is no admin any more: a dismissed admin who has kept one gains nothing', async () => {
    const here = await directoryOf(portal)
    const { has, setActive } = await ended(here)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    await portal.system.db
      .updateTable('memberships')
      .set({ userRole: 'regular' })
      .where('accountId', '=', here.admin.accountId)
      .execute()
    await setActive(true)
    expect(await has()).toMatchObject({ userRole: 'regular', service: 'regular', roles: ['reader'] })
    const log = (await root.get(`${here.url}/log`)).json()
    expect(log.items[0].deeds).toEqual(['changed', 'restored', 'withoutPower'])
  })
})
