import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnAdminService } from '#contract/launcher/launcher.ts'
import { invitationsOf, invite } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('a user who opens the portal gets in one answer what five calls say', async () => {
  const person = await portal.person()
  const [first, second] = [await portal.organization('Alfa'), await portal.organization('Beta')]
  await portal.join(person.accountId, first.organizationId)
  await portal.join(person.accountId, second.organizationId, 'organizationAdmin')
  for (const [{ organizationId }, role] of [
    [first, 'regular'],
    [second, 'serviceAdmin'],
  ] as const) {
    const { serviceId } = await portal.service()
    await portal.offer(organizationId, serviceId)
    await portal.assign(person.accountId, organizationId, serviceId, role)
  }
  const inviting = await invitationsOf(portal).organizationWithAdmin()
  await invite(inviting.browser, inviting.organizationId, person.email)

  const browser = await portal.signedIn(person)
  const read = async (path: string) => (await browser.get(path)).json()
  const start = await read('/api/start')
  const own = `/api/users/${person.accountId}`
  expect(start.user).toEqual(await read('/api/me'))
  expect(start.organizations).toHaveLength(2)
  expect(start.organizations).toEqual(await read(`${own}/organizations`))
  expect(start.services.filter(({ userRole }: OwnAdminService) => userRole === 'serviceAdmin')).toMatchObject(
    await read(`${own}/admin-services`),
  )
  for (const { organizationId } of [first, second]) {
    const inOrganization = start.services.filter(
      (service: OwnAdminService) => service.organizationId === organizationId,
    )
    expect(inOrganization).toMatchObject(await read(`${own}/${organizationId}/services`))
  }
  expect(start.services).toHaveLength(2)
  expect(start.invitations).toHaveLength(1)
  expect(start.invitations).toEqual(await read('/api/invites/mine'))
})

test('a user whose password must be changed first gets nothing but the own details', async () => {
  const person = await portal.person()
  const { organizationId } = await portal.organization()
  await portal.join(person.accountId, organizationId)
  const browser = await portal.signedIn(person)
  await portal.system.db
    .updateTable('users')
    .set({ passwordMustChange: true })
    .where('accountId', '=', person.accountId)
    .execute()
  const start = (await browser.get('/api/start')).json()
  expect(start).toMatchObject({ user: { email: person.email }, organizations: [], services: [], invitations: [] })
})

test('an admin’s menu is told what the organisation uses, and a member’s is told nothing', async () => {
  const admin = await portal.person()
  const member = await portal.person()
  const { organizationId } = await portal.organization()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  await portal.join(member.accountId, organizationId)
  const browser = await portal.signedIn(admin)
  const uses = async (of = browser) => {
    const { organizations } = (await of.get('/api/start')).json()
    return organizations[0].uses
  }
  expect(await uses()).toEqual([])
  await browser.post('/api/groups', { organizationId, name: 'Ward 3' })
  expect(await uses()).toEqual(['groups'])
  const { serviceId } = await portal.service()
  await portal.system.db.updateTable('services').set({ requestable: true }).where('serviceId', '=', serviceId).execute()
  await portal.offer(organizationId, serviceId)
  expect(await uses()).toEqual(['groups', 'accessRequests'])
  expect(await uses(await portal.signedIn(member))).toBeUndefined()
})
