import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { type Person, testPassword } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

/** A member of an organisation with one service, in a browser. */
async function memberWithService() {
  const { organizationId } = await portal.organization()
  const { serviceId, url } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  return { organizationId, serviceId, url, person, browser: await portal.signedIn(person) }
}

const launcherOf = async (browser: Client, { accountId }: Person, organizationId: string) =>
  (await browser.get(`/api/users/${accountId}/${organizationId}/services`)).json()

test('a person opens a service through the portal, which remembers when', async () => {
  const { organizationId, serviceId, url, person, browser } = await memberWithService()
  const response = await browser.get(`/launch/${serviceId}?organizationId=${organizationId}`)
  expect([response.statusCode, response.headers.location]).toEqual([303, url])
  const own = await launcherOf(browser, person, organizationId)
  expect(own).toMatchObject([{ serviceId, lastUsed: portal.now().toISOString(), favourite: false }])
  portal.advance(60)
  await browser.get(`/launch/${serviceId}`)
  expect(await launcherOf(browser, person, organizationId)).toMatchObject([{ lastUsed: portal.now().toISOString() }])
})

test('a sign-in that begins at the service counts as use, written at most once an hour', async () => {
  const { organizationId, serviceId, person, browser } = await memberWithService()
  const services = servicesOf(portal)
  const clientId = await services.register({ serviceId })
  const lastUsed = async () => (await launcherOf(browser, person, organizationId))[0].lastUsed
  const enterAfter = async (minutes: number) => {
    const before = new Date(portal.now().getTime() - minutes * 60_000)
    await portal.system.db
      .updateTable('serviceAssignments')
      .set({ lastUsed: before })
      .where('serviceId', '=', serviceId)
      .execute()
    const { headers } = await browser.get(services.requestFor(clientId), { accept: 'text/html' })
    expect(headers.location).toContain('code=')
    return before.toISOString()
  }
  await enterAfter(0)
  expect(await lastUsed()).toBe(portal.now().toISOString())
  const lately = await enterAfter(59)
  expect(await lastUsed()).toBe(lately)
  await enterAfter(61)
  expect(await lastUsed()).toBe(portal.now().toISOString())
})

test('somebody who is not signed in signs in first, and then gets to the service', async () => {
  const { serviceId, url, person } = await memberWithService()
  const browser = portal.browser()
  const path = `/launch/${serviceId}`
  const { location } = (await browser.get(path)).headers
  expect(location).toBe(`/login?returnTo=${encodeURIComponent(path)}`)
  expect((await signIn(browser, person.email, testPassword, path)).url).toBe(new URL(url).href)
})

const refusedPath = async (browser: Client, serviceId: string, organizationId?: string) =>
  (await browser.get(`/launch/${serviceId}${organizationId ? `?organizationId=${organizationId}` : ''}`)).headers
    .location

test('a service that a person lacks leads to a page of the portal and never to its address', async () => {
  const [own, other] = [await memberWithService(), await memberWithService()]
  const unassigned = await portal.service('Unassigned')
  await portal.offer(own.organizationId, unassigned.serviceId)
  for (const serviceId of [unassigned.serviceId, other.serviceId, '01900000-0000-7000-8000-00000000dead'])
    expect(await refusedPath(own.browser, serviceId)).toBe(`/no-access/${serviceId}`)
  // The own service, but for another organisation.
  expect(await refusedPath(own.browser, own.serviceId, other.organizationId)).toBe(
    `/no-access/${own.serviceId}?organizationId=${other.organizationId}`,
  )
  expect(
    await portal.system.db
      .selectFrom('servicePreferences')
      .selectAll()
      .where('accountId', '=', own.person.accountId)
      .execute(),
  ).toEqual([])
})

test('favourites are remembered on the server, for the own services alone', async () => {
  const [own, other] = [await memberWithService(), await memberWithService()]
  const star = (serviceId: string, favourite: boolean) =>
    own.browser.put(`/api/service-preferences/${serviceId}`, { favourite })
  expect((await star(own.serviceId, true)).statusCode).toBe(204)
  expect((await star(own.serviceId, true)).statusCode).toBe(204)
  await own.browser.get(`/launch/${own.serviceId}`)
  expect(await launcherOf(own.browser, own.person, own.organizationId)).toMatchObject([
    { favourite: true, lastUsed: portal.now().toISOString() },
  ])
  expect((await star(other.serviceId, true)).statusCode).toBe(404)
  await star(own.serviceId, false)
  expect((await own.browser.get('/api/start')).json().services).toMatchObject([{ favourite: false }])
})

test('admins who read the services of a person see neither favourites nor what was used', async () => {
  const { organizationId, serviceId, person, browser } = await memberWithService()
  await browser.put(`/api/service-preferences/${serviceId}`, { favourite: true })
  await browser.get(`/launch/${serviceId}`)
  expect(await launcherOf(root, person, organizationId)).toMatchObject([{ favourite: false, lastUsed: null }])
})

test('the launcher tells how a service looks and where its category stands', async () => {
  const { organizationId, serviceId, person, browser } = await memberWithService()
  const look = { description: 'Boka tid', category: 'Vård', icon: 'clock' }
  await root.put('/api/services', { serviceId, name: 'Tidbok', url: 'https://t.example', ...look })
  expect(await launcherOf(browser, person, organizationId)).toMatchObject([{ ...look, categoryPosition: null }])
  await root.put('/api/service-categories', { categories: ['Ekonomi', 'Vård'] })
  expect(await launcherOf(browser, person, organizationId)).toMatchObject([{ categoryPosition: 1 }])
  expect((await browser.get('/api/start')).json().services).toMatchObject([{ ...look, organizationId }])
})

test('a person reads the name of a service that the own organisation has, and of no other', async () => {
  const [own, other] = [await memberWithService(), await memberWithService()]
  const { serviceId } = await portal.service('Arkiv')
  await portal.offer(own.organizationId, serviceId)
  const read = (organizationId: string, wanted: string) =>
    own.browser.get(`/api/organizations/${organizationId}/missing-services/${wanted}`)
  expect((await read(own.organizationId, serviceId)).json()).toMatchObject({ name: 'Arkiv', requestable: false })
  // One that the person has, and those of others.
  expect((await read(own.organizationId, own.serviceId)).statusCode).toBe(404)
  expect((await read(own.organizationId, other.serviceId)).statusCode).toBe(404)
  expect((await read(other.organizationId, other.serviceId)).statusCode).toBe(404)
})

test('a person sees until when they have a service, by whatever ends it first', async () => {
  const { organizationId, person, browser } = await memberWithService()
  const { pool } = portal.system
  const ends = async () => (await launcherOf(browser, person, organizationId))[0].endsOn
  expect(await ends()).toBe(null)
  await pool.query(`update memberships set valid_until = '2031-12-31' where account_id = $1`, [person.accountId])
  expect(await ends()).toBe('2031-12-31')
  await pool.query(`update service_assignments set valid_until = '2031-06-30' where account_id = $1`, [
    person.accountId,
  ])
  expect(await ends()).toBe('2031-06-30')
  const { services, organizations } = (await browser.get('/api/start')).json()
  expect([services[0].endsOn, organizations[0].validUntil]).toEqual(['2031-06-30', '2031-12-31'])
})
