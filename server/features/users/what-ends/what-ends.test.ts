import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { directoryOf } from '#test/directory.ts'
import { newEmail } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const nothing = { organizations: [], streams: [], clients: [] }
const ends = async (browser: Client, accountId: string, organizationId?: string) =>
  (
    await browser.get(
      organizationId
        ? `/api/users/${accountId}/organization/${organizationId}/what-ends`
        : `/api/users/${accountId}/what-ends`,
    )
  ).json()

/** A directory whose admin has made all that an admin can, and a colleague who is one, too. */
async function makerOf() {
  const here = await directoryOf(portal)
  const { organizationId, browser } = here
  const colleague = await portal.person()
  await portal.join(colleague.accountId, organizationId, 'organizationAdmin', 'guest')
  await browser.post(`${here.url}/setup-links`, {})
  const { id } = (await here.call('POST', '/Groups', { displayName: 'Surgeons' })).json()
  await browser.put(`${here.url}/groups/${id}`, { becomes: 'role', role: 'reader' })
  const { serviceId, name } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const rows = [{ email: newEmail(), services: [name] }, { email: newEmail() }, { email: newEmail() }]
  const { rows: invited } = (await browser.post('/api/invites/bulk', { organizationId, rows })).json()
  expect(invited.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['invited', 'invited', 'invited'])
  const made = {
    name: here.organizationName,
    tokens: ['Entra'],
    setupLinks: 1,
    otherInvitations: 2,
    directoryGroups: ['Surgeons'],
  }
  return { ...here, colleague: await portal.signedIn(colleague), colleagueId: colleague.accountId, made }
}

test('an admin sees what a colleague has made in the organisation, and a super user the same', async () => {
  const { admin, organizationId, colleague, colleagueId, made } = await makerOf()
  const seen = await ends(colleague, admin.accountId, organizationId)
  expect(seen).toMatchObject({ organizations: [made], streams: [], clients: [] })
  expect(await ends(root, admin.accountId)).toEqual(seen)
  expect(await ends(colleague, colleagueId, organizationId)).toEqual(nothing)
})

test('what has ended, or somebody else answers for by now, is left out', async () => {
  const { admin, organizationId, colleague, url } = await makerOf()
  const [{ tokenId }] = (await colleague.get(url)).json().tokens
  await colleague.post(`${url}/tokens/${tokenId}/confirm`)
  const [{ setupId }] = (await colleague.get(`${url}/setup-links`)).json()
  await colleague.delete(`${url}/setup-links/${setupId}`)
  const [seen] = (await ends(colleague, admin.accountId, organizationId)).organizations
  expect(seen).toMatchObject({ tokens: [], setupLinks: 0, directoryGroups: ['Surgeons'] })
})

test('another organisation’s admin learns nothing, also of somebody who is a member of both', async () => {
  const [one, other] = [await makerOf(), await makerOf()]
  await portal.join(one.admin.accountId, other.organizationId, 'regular', 'joined')
  expect(await ends(other.colleague, one.admin.accountId, other.organizationId)).toEqual(nothing)
  const path = `/api/users/${one.admin.accountId}/organization/${one.organizationId}/what-ends`
  expect((await other.colleague.get(path)).statusCode).toBe(404)
})

test('what the operator’s people have made is shown to super users alone', async () => {
  const { organizationId, colleague, url, call } = await directoryOf(portal).then(async (here) => {
    const person = await portal.person()
    await portal.join(person.accountId, here.organizationId, 'organizationAdmin', 'guest')
    return { ...here, colleague: await portal.signedIn(person) }
  })
  expect((await call('GET', '/Users')).statusCode).toBe(200)
  const operator = await portal.person({ superUser: true })
  const own = await portal.signedIn(operator)
  await own.post(`${url}/tokens`, { name: 'By the operator', days: '90' })
  const serviceId = (await portal.service()).serviceId
  const client = { kind: 'web', redirectUris: ['https://service.example/callback'], version: 0 }
  expect((await own.put(`/api/services/${serviceId}/client`, client)).json().newSecret).toBeTypeOf('string')
  await own.post('/api/audit-streams', { url: 'https://siem.example/hook' })
  await portal.join(operator.accountId, organizationId, 'organizationAdmin', 'guest')
  expect(await ends(colleague, operator.accountId, organizationId)).toEqual(nothing)
  expect(await ends(root, operator.accountId)).toMatchObject({
    organizations: [{ tokens: ['By the operator'] }],
    streams: ['https://siem.example/hook'],
    clients: [expect.any(String)],
  })
  // Somebody else has read another secret since.
  await root.post(`/api/services/${serviceId}/client/secrets`, { keepHours: 0 })
  expect((await ends(root, operator.accountId)).clients).toEqual([])
  await portal.system.db
    .updateTable('users')
    .set({ superUser: false })
    .where('accountId', '=', operator.accountId)
    .execute()
  expect(await ends(colleague, operator.accountId, organizationId)).toEqual(nothing)
})
