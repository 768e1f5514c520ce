import { randomUUID } from 'node:crypto'
import { putInGroup } from '#server/accounts/groups.repository.ts'
import type { Directory } from './directory.ts'
import type { TestApp } from './test-app.ts'

/** A member whom a directory has, too, with what an admin has given by hand. */
export async function worker(portal: TestApp, here: Directory, role: 'regular' | 'organizationAdmin' = 'regular') {
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
    .transaction()
    .execute((trx) =>
      putInGroup(trx, { groupId, organizationId, source: 'hand' }, [person.accountId], { validUntil: '2099-12-31' }),
    )
  const ownRole = async (name: string, permissions: string[]): Promise<string> =>
    (await browser.post(`/api/organizations/${organizationId}/roles`, { name, permissions })).json().roleId
  const grant = (values: object) =>
    portal.system.db
      .insertInto('allGrants')
      .values({ accountId: person.accountId, organizationId, ...values })
      .execute()
  const has = async () => {
    const { rows } = await portal.system.pool.query(
      `select m.user_role as "userRole",
         (select user_role from service_assignments a where a.account_id = m.account_id and a.service_id = $3) as service,
         array(select coalesce(name, role) || coalesce(' until ' || valid_until, '') from all_held_roles h
           where h.account_id = m.account_id and h.organization_id = m.organization_id order by 1) as roles,
         array(select g.name || ' until ' || x.valid_until from group_members x join groups g using (group_id)
           where x.account_id = m.account_id and x.source = 'hand' order by 1) as groups
       from memberships m where account_id = $1 and organization_id = $2`,
      [person.accountId, organizationId, serviceId],
    )
    return rows[0]
  }
  const setActive = (active: boolean, ...more: object[]) =>
    here.patch(id, { op: 'Replace', path: 'active', value: active }, ...more)
  return { person, id: id as string, serviceId, groupId: groupId as string, ownRole, grant, has, setActive }
}

/** A role that a service declares. */
export async function serviceRole(portal: TestApp, serviceId: string, key: string): Promise<string> {
  const roleId = randomUUID()
  await portal.system.db.insertInto('serviceRoles').values({ roleId, serviceId, key, nameSv: key }).execute()
  return roleId
}

/** A worker with a service and a role of it by hand, whom a group of the directory gives both, too. */
export async function inWard(portal: TestApp, here: Directory, seats: number | null = null) {
  const { organizationId, browser, call, url } = here
  const one = await worker(portal, here)
  const { accountId } = one.person
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, seats)
  const roleId = await serviceRole(portal, serviceId, 'editor')
  const key = { accountId, organizationId, serviceId }
  const days = { validFrom: '2020-01-01', validUntil: '2099-01-31' }
  const byHand = { ...key, userRole: 'serviceAdmin' as const, ...days }
  await portal.system.db.insertInto('serviceAssignments').values(byHand).execute()
  const role = { accountId, organizationId, inServiceId: serviceId, serviceRoleId: roleId, ...days }
  await portal.system.db.insertInto('allGrants').values(role).execute()
  const services = [{ serviceId, roleIds: [roleId] }]
  const ward = (await browser.post('/api/groups', { organizationId, name: 'Ward', services })).json()
  const sent = { displayName: 'Ward', members: [{ value: one.id }] }
  const { id: scimGroupId } = (await call('POST', '/Groups', sent)).json()
  await browser.put(`${url}/groups/${scimGroupId}`, { becomes: 'group', groupId: ward.groupId })
  const holds = async () => {
    const { rows } = await portal.system.pool.query(
      `select a.source, a.user_role, a.valid_until::text, r.source = 'hand' as by_hand, r.valid_until::text as role_until
       from service_assignments a left join service_role_assignments r using (account_id, organization_id, service_id)
       where account_id = $1 and organization_id = $2 and service_id = $3`,
      [accountId, organizationId, serviceId],
    )
    return rows
  }
  return { ...one, wardId: ward.groupId as string, scimGroupId: scimGroupId as string, holds }
}
