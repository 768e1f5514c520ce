import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { inWard, serviceRole, worker } from '#test/directory-worker.ts'
import { invite } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

describe('while somebody is away, whom a directory has ended', () => {
  test('a person who invites them again and removes them decides: nothing of before comes back', async () => {
    const here = await directoryOf(portal)
    const { person, has, setActive } = await worker(portal, here, 'organizationAdmin')
    await setActive(false)
    await portal.join(person.accountId, here.organizationId, 'regular', 'guest')
    await portal.system.db.deleteFrom('memberships').where('accountId', '=', person.accountId).execute()
    await setActive(true)
    expect(await has()).toBeUndefined()
    expect((await here.logged()).deeds).toEqual(['changed', 'invited'])
  })

  test('somebody who operates the portal by now gets nothing back, no role and no group', async () => {
    const here = await directoryOf(portal)
    const { person, has, setActive } = await worker(portal, here, 'organizationAdmin')
    await setActive(false)
    await portal.system.db
      .updateTable('users')
      .set({ superUser: true })
      .where('accountId', '=', person.accountId)
      .execute()
    await setActive(true)
    expect(await has()).toBeUndefined()
    expect((await here.logged()).deeds).not.toContain('restored')
  })

  test('a group that gives more by now is left out', async () => {
    const here = await directoryOf(portal)
    const { groupId, serviceId, has, setActive } = await worker(portal, here)
    await setActive(false)
    const roleId = await serviceRole(portal, serviceId, 'writer')
    await portal.system.db.insertInto('groupServiceRoles').values({ groupId, serviceId, roleId }).execute()
    await setActive(true)
    expect(await has()).toMatchObject({ userRole: 'regular', groups: [], service: null })
  })

  test('a service that was taken from the organisation, and offered again, is left out with its admin role', async () => {
    const here = await directoryOf(portal)
    const { organizationId } = here
    const { person, has, serviceId, setActive } = await worker(portal, here)
    await portal.system.db
      .updateTable('serviceAssignments')
      .set({ source: 'hand', userRole: 'serviceAdmin' })
      .where('accountId', '=', person.accountId)
      .execute()
    await setActive(false)
    await portal.system.db.deleteFrom('organizationServices').where('organizationId', '=', organizationId).execute()
    await portal.offer(organizationId, serviceId)
    await setActive(true)
    expect(await has()).toMatchObject({ userRole: 'regular', service: null })
    expect((await here.logged()).deeds).toEqual(['changed', 'restored'])
  })

  test('their address became another one in the directory: the new one is somebody new, whom an admin’s invitation still waits for', async () => {
    const here = await directoryOf(portal)
    const { person, id, has, setActive } = await worker(portal, here, 'organizationAdmin')
    const email = `invited@elsewhere${here.mailDomain}`
    const { organizationId } = here
    await invite(here.browser, organizationId, email, { userRole: 'organizationAdmin' })
    await setActive(false)
    const answer = await setActive(
      true,
      { op: 'Replace', path: 'userName', value: email },
      { op: 'Replace', path: 'emails', value: [{ value: email, primary: true }] },
    )
    expect(answer.statusCode).toBe(200)
    expect(await has()).toBeUndefined()
    const { pool } = portal.system
    const events = await pool.query("select from audit_events where name = 'restoreUser' and target_id = $1", [
      person.accountId,
    ])
    expect(events.rowCount).toBe(0)
    const invited = await pool.query('select user_role from invitations where email = $1', [email])
    expect(invited.rows).toEqual([{ user_role: 'organizationAdmin' }])
    const view = await pool.query('select account_id, kept from scim_users where scim_user_id = $1', [id])
    expect(view.rows).toEqual([{ account_id: null, kept: null }])
  })

  test('what was noted without roles and groups is enough to come back', async () => {
    const here = await directoryOf(portal)
    const { id, has, setActive } = await worker(portal, here)
    await setActive(false)
    await portal.system.pool.query("update scim_users set kept = kept - 'roles' - 'groups' where scim_user_id = $1", [
      id,
    ])
    expect((await setActive(true)).statusCode).toBe(200)
    expect(await has()).toMatchObject({ userRole: 'regular', roles: [], groups: [] })
  })

  test('an admin changes a group of the directory as they come back: both take the directory’s group first', async () => {
    const here = await directoryOf(portal)
    const { groupId, scimGroupId, setActive } = await inWard(portal, here)
    await setActive(false)
    const admin = await portal.system.pool.connect()
    try {
      await admin.query("begin; set local lock_timeout = '500ms'")
      await admin.query('select from scim_groups where scim_group_id = $1 for update', [scimGroupId])
      const back = setActive(true)
      const waiting = async () => {
        const { rowCount } = await portal.system.pool.query(
          'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
        )
        return rowCount
      }
      await expect.poll(waiting).toBe(1)
      await admin.query('select from groups where group_id = $1 for no key update', [groupId])
      await admin.query('commit')
      expect((await back).statusCode).toBe(200)
    } finally {
      await admin.query('rollback')
      admin.release()
    }
  })
})
