import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { servicesHandlers } from './services.handlers.ts'

let portal: TestApp
let root: Client

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const eventsOf = (targetId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes', 'organizationIds'])
    .where('targetId', '=', targetId)
    .orderBy('id')
    .execute()

test('a super user adds, changes and deletes a service, with one event each', async () => {
  const added = await root.post('/api/services', { name: '  Arkiv ', url: 'https://arkiv.example' })
  expect(added.statusCode).toBe(201)
  const { serviceId, version, ...rest } = added.json()
  const none = { description: null, category: null, icon: null, requestable: false }
  expect(rest).toEqual({ name: 'Arkiv', url: 'https://arkiv.example', ...none })
  const { organizationId } = await portal.organization()
  await portal.offer(organizationId, serviceId)
  const changed = await root.put('/api/services', { serviceId, version, name: 'Arkivet', url: 'https://arkiv.example' })
  expect(changed.json()).toMatchObject({ name: 'Arkivet', version: version + 1 })
  expect((await root.get(`/api/services/${serviceId}`)).json().name).toBe('Arkivet')
  expect((await root.delete(`/api/services/${serviceId}?force=true`)).statusCode).toBe(204)
  expect((await root.get(`/api/services/${serviceId}`)).statusCode).toBe(404)
  expect(await eventsOf(serviceId)).toEqual([
    expect.objectContaining({ name: 'createService' }),
    {
      name: 'updateService',
      changes: [{ property: 'name', previousValue: 'Arkiv', newValue: 'Arkivet' }],
      organizationIds: [organizationId],
    },
    expect.objectContaining({ name: 'deleteService', organizationIds: [organizationId] }),
  ])
})

test('what a change leaves out stays, and an empty field is stored as none', async () => {
  const all = { name: 'Tidbok', url: 'https://t.example', description: 'Boka tid', category: 'Vård', icon: 'clock' }
  const { serviceId } = (await root.post('/api/services', { ...all, requestable: true })).json()
  const renamed = await root.put('/api/services', { serviceId, name: 'Tider', url: all.url })
  expect(renamed.json()).toMatchObject({ ...all, name: 'Tider', requestable: true })
  const emptied = {
    serviceId,
    name: 'Tider',
    url: all.url,
    description: ' ',
    category: '',
    icon: '',
    requestable: false,
  }
  expect((await root.put('/api/services', emptied)).json()).toMatchObject({
    description: null,
    category: null,
    icon: null,
    requestable: false,
  })
  expect((await eventsOf(serviceId)).at(-1)?.changes).toEqual([
    { property: 'description', previousValue: 'Boka tid', newValue: null },
    { property: 'category', previousValue: 'Vård', newValue: null },
    { property: 'icon', previousValue: 'clock', newValue: null },
    { property: 'requestable', previousValue: 'true', newValue: 'false' },
  ])
  const long = await root.put('/api/services', { serviceId, name: 'Tider', url: all.url, description: 'x'.repeat(501) })
  expect(long.json().issues).toEqual([{ path: 'description', message: 'tooLong' }])
})

test('a service that an organisation has is deleted only when that was confirmed, with everything that hangs on it', async () => {
  const { serviceId } = await portal.service()
  const { organizationId } = await portal.organization()
  const { accountId } = await portal.person()
  await portal.offer(organizationId, serviceId)
  await portal.join(accountId, organizationId)
  await portal.assign(accountId, organizationId, serviceId)
  const refused = await root.delete(`/api/services/${serviceId}`)
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'serviceInUse'])
  expect(await eventsOf(serviceId)).toEqual([])
  expect((await root.delete(`/api/services/${serviceId}?force=true`)).statusCode).toBe(204)
  expect((await root.get(`/api/users/${accountId}/services`)).json()).toEqual([])
})

test('of two super users who change the same version concurrently, one gets an error', async () => {
  const { serviceId } = await portal.service('Contested')
  const responses = await Promise.all(
    ['One', 'Two'].map((name) => root.put('/api/services', { serviceId, version: 1, name, url: 'https://x.example' })),
  )
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(responses.find(({ statusCode }) => statusCode === 409)?.json().message).toBe('changedByOthers')
  expect(await eventsOf(serviceId)).toHaveLength(1)
})

test('a super user sees how many people have each service, when somebody last signed in, and whether people can', async () => {
  const [used, unused] = [await portal.service('Använd'), await portal.service('Oanvänd')]
  for (const people of [1, 2]) {
    const { organizationId } = await portal.organization()
    await portal.offer(organizationId, used.serviceId)
    for (let person = 0; person < people; person++) {
      const { accountId } = await portal.person()
      await portal.join(accountId, organizationId)
      await portal.assign(accountId, organizationId, used.serviceId)
    }
  }
  const lastSignIn = new Date('2026-03-02T10:00:00.000Z')
  await servicesOf(portal).register({ serviceId: used.serviceId, lastSignIn: new Date('2026-01-01T10:00:00.000Z') })
  await servicesOf(portal).register({ serviceId: used.serviceId, lastSignIn })
  const rows: { serviceId: string }[] = (await root.get('/api/services')).json()
  expect(rows.find(({ serviceId }) => serviceId === used.serviceId)).toMatchObject({
    ...{ lastSignIn: lastSignIn.toISOString(), signInSetUp: true },
  })
  expect(rows.find(({ serviceId }) => serviceId === unused.serviceId)).toMatchObject({
    ...{ lastSignIn: null, signInSetUp: false },
  })
  const counted: { serviceId: string; people: number }[] = (await root.get('/api/service-people')).json()
  expect(counted).toContainEqual({ serviceId: used.serviceId, people: 3 })
  expect(counted.map(({ serviceId }) => serviceId)).not.toContain(unused.serviceId)
})

test('services are listed by the Swedish alphabet, in both directions', async () => {
  for (const name of ['Öppettider', 'Zon', 'Ärenden', 'Åtgärder'])
    await root.post('/api/services', { name, url: 'https://sorted.example' })
  const names = async (query = '') =>
    (await root.get(`/api/services${query}`))
      .json()
      .filter(({ url }: { url: string }) => url === 'https://sorted.example')
      .map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['Zon', 'Åtgärder', 'Ärenden', 'Öppettider'])
  expect(await names('?sort=name&sortDirection=desc')).toEqual(['Öppettider', 'Ärenden', 'Åtgärder', 'Zon'])
})

describe('an address', () => {
  test.each([
    'ftp://x.example',
    'javascript:alert(1)',
    'https://',
    'x.example',
    '',
    'https://bank.se:pw@evil.example',
    'https://bank.se@evil.example/',
    'https://:@evil.example',
    'https://evil.example\\@bank.se',
    'https://x.example/\u0000',
    'https://x.example/\ud800',
    `https://x.example/${'x'.repeat(2000)}`,
  ])('%j is refused', async (url) => {
    const response = await root.post('/api/services', { name: 'Refused', url })
    expect(response.statusCode).toBe(422)
    expect(response.json().issues).toMatchObject([{ path: 'url' }])
  })

  test('may begin in capitals', async () => {
    const response = await root.post('/api/services', { name: 'Capitals', url: 'HTTPS://capitals.example/Path' })
    expect(response.json()).toMatchObject({ url: 'https://capitals.example/Path' })
  })

  test('is https in production', async () => {
    const { config, db } = portal.system
    const create = (url: string) =>
      servicesHandlers.create({
        db,
        config: { ...config, production: true },
        input: { name: 'In production', url },
        audit: () => {},
      } as unknown as Parameters<typeof servicesHandlers.create>[0])
    await expect(create('http://plain.example')).rejects.toMatchObject({
      status: 422,
      issues: [{ path: 'url', message: 'invalidUrl' }],
    })
    await expect(create('https://sealed.example')).resolves.toMatchObject({ name: 'In production' })
  })
})
