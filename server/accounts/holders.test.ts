import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { createAccessEndsJob } from '#server/features/access-ends/access-ends.ts'
import { createPassiveUsersJob } from '#server/features/passive-users/passive-users.ts'
import { createScimJob } from '#server/features/scim/scim-job.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { directoryOf } from '#test/directory.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let organizationId: string
let formerAdmin: Person
let holders: Record<string, Person>
let boss: Client
let member: Person
const never = 36_500

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  await portal.system.db.updateTable('users').set({ maxPassiveDays: never }).execute()
  const place = await directoryOf(portal)
  organizationId = place.organizationId
  formerAdmin = place.admin
  const everything = await place.browser.post(`/api/organizations/${organizationId}/roles`, {
    ...{ name: 'Everything', permissions: rolePermissions },
  })
  member = await guest()
  holders = {}
  for (const role of ['reader', 'auditor', 'helpDesk', 'personnelAdministrator', everything.json().roleId]) {
    const person = await guest()
    await portal.give(person.accountId, organizationId, role)
    holders[role.includes('-') ? 'everything' : role] = person
  }
  boss = await portal.signedIn(holders.everything as Person)
  const url = `/api/users/${formerAdmin.accountId}/organization/${organizationId}`
  expect((await boss.delete(url)).statusCode).toBe(204)
})

/** A member with the own sign-in. */
async function guest() {
  const person = await portal.person()
  await portal.join(person.accountId, organizationId, 'regular', 'guest')
  await portal.system.db
    .updateTable('users')
    .set({ maxPassiveDays: never })
    .where('accountId', '=', person.accountId)
    .execute()
  return person
}

/** To which of the holders such a mail has gone. */
async function mailed(template: string): Promise<string[]> {
  const found = []
  for (const [role, { email }] of Object.entries({ ...holders, formerAdmin, member })) {
    const messages = await outboxOf(portal).messagesTo(email)
    if (messages.some((one) => one.template === template)) found.push(role)
  }
  return found.sort()
}

test('a request for access goes to those who hand out services', async () => {
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  await portal.system.db.updateTable('services').set({ requestable: true }).where('serviceId', '=', serviceId).execute()
  const asker = await portal.signedIn(member)
  expect((await asker.post('/api/access-requests', { organizationId, serviceId })).statusCode).toBeLessThan(300)
  expect(await mailed('access-requested')).toEqual(['everything', 'personnelAdministrator'])
})

test('who became passive is told to those who see details and help people', async () => {
  await portal.system.db
    .updateTable('users')
    .set({ maxPassiveDays: 30 })
    .where('accountId', '=', member.accountId)
    .execute()
  portal.advance(31 * 24 * 3600)
  await createPassiveUsersJob(portal.system).run()
  expect(await mailed('notify-organization-admin')).toEqual(['everything', 'helpDesk', 'personnelAdministrator'])
})

test('what ends is told to those who can extend it', async () => {
  await portal.system.pool.query('update memberships set valid_until = $1 where account_id = $2', [
    ...['2026-12-10', member.accountId],
  ])
  await createAccessEndsJob(portal.system).run()
  expect(await mailed('access-ends-of-others')).toEqual(['everything', 'personnelAdministrator'])
})

test('a review is for those who decide in it', async () => {
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  await portal.assign(member.accountId, organizationId, serviceId)
  expect((await boss.post(`/api/organizations/${organizationId}/access-review`)).statusCode).toBe(204)
  await portal.system.db.updateTable('accessReviews').set({ toldAt: null }).execute()
  const reminded = await boss.post(`/api/organizations/${organizationId}/access-review/reminder`)
  expect(reminded.statusCode).toBe(204)
  expect(await mailed('access-review')).toEqual(['everything'])
})

test('the end of a token of the directory is told to those who may everything', async () => {
  portal.advance(359 * 24 * 3600)
  await createScimJob(portal.system).run()
  expect(await mailed('scim-token-ends')).toEqual(['everything'])
})

test('the last one who may everything does not become passive before super users are told', async () => {
  const root = await portal.person({ superUser: true })
  const { accountId } = holders.everything as Person
  await portal.system.db.updateTable('users').set({ maxPassiveDays: 30 }).where('accountId', '=', accountId).execute()
  portal.advance(31 * 24 * 3600)
  await createPassiveUsersJob(portal.system).run()
  const messages = await outboxOf(portal).messagesTo(root.email)
  expect(messages.map(({ template }) => template)).toContain('notify-last-admin')
  const user = await portal.system.db
    .selectFrom('users')
    .select('passiveAt')
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  expect(user?.passiveAt).toBeNull()
})
