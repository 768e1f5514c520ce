import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { groupsOf } from '#test/group-home.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let groups: ReturnType<typeof groupsOf>
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())

const role = (key: string, ...excludes: string[]) => ({ key, nameSv: `Roll ${key}`, excludes })

/** Somebody who has a role, and waits for another one, which a group gives. */
async function waiting(roles: object[], { has, waitsFor }: { has: string; waitsFor: string }) {
  const home = await groups.newHome({ people: 1 })
  const { serviceId, organizationId, browser } = home
  const [person] = home.people as [Person]
  const write = (wanted: object[]) => root.put(`/api/services/${serviceId}/roles`, { roles: wanted })
  expect((await write(roles)).statusCode).toBe(200)
  const { rows } = await portal.system.pool.query('select key, role_id from service_roles where service_id = $1', [
    serviceId,
  ])
  const idOf = new Map(rows.map(({ key, role_id }) => [key, role_id]))
  await portal.assign(person.accountId, organizationId, serviceId)
  const give = (...keys: string[]) =>
    browser.post(`/api/users/${person.accountId}/organization/${organizationId}/service/${serviceId}/roles`, {
      roleIds: keys.map((key) => idOf.get(key)),
    })
  expect((await give(...has.split(' '))).statusCode).toBe(204)
  const groupId = await home.create({ services: [{ serviceId, roleIds: [idOf.get(waitsFor)] }] })
  await home.put(groupId, [person])
  const held = async () => {
    const { rows } = await portal.system.pool.query(
      'select key from service_role_assignments join service_roles using (service_id, role_id) where service_id = $1 order by key',
      [serviceId],
    )
    return rows.map(({ key }) => key)
  }
  expect(await held()).toEqual(has.split(' '))
  return { write, held }
}

test('a file that says from the other side which roles exclude each other gives nobody both', async () => {
  const { write, held } = await waiting([role('a', 'b'), role('b')], { has: 'b', waitsFor: 'a' })
  expect((await write([role('a'), role('b', 'a')])).statusCode).toBe(200)
  expect(await held()).toEqual(['b'])
  expect((await write([role('a'), role('b')])).statusCode).toBe(200)
  expect(await held()).toEqual(['a', 'b'])
})

test('a file that removes one role and excludes another one gives nobody both', async () => {
  const { write, held } = await waiting([role('a', 'c'), role('b'), role('c')], { has: 'b c', waitsFor: 'a' })
  expect((await write([role('a', 'b'), role('b')])).statusCode).toBe(200)
  expect(await held()).toEqual(['b'])
})
