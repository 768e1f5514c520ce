import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const form = (more: Record<string, unknown> = {}) => ({ name: 'Verkstad AB', loginMethod: 'local', ...more })
const eventsOf = (targetId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes', 'organizationIds'])
    .where('targetId', '=', targetId)
    .orderBy('id')
    .execute()
const failure = (response: { statusCode: number; json(): { message: string } }) => [
  response.statusCode,
  response.json().message,
]

describe('an organisation', () => {
  test('is added, changed and deleted by a super user, with one event each', async () => {
    const service = await portal.service('Bokning')
    const added = await root.post(
      '/api/organizations',
      form({ organizationNumber: ' 556677-8899 ', services: [{ serviceId: service.serviceId, maxNumberOfUsers: 0 }] }),
    )
    expect(added.statusCode, added.body).toBe(201)
    const { organizationId, version } = added.json()
    // 0 means no limit.
    expect(added.json()).toMatchObject({ organizationNumber: '556677-8899', maxPassiveDays: 180 })
    expect(added.json().services).toEqual([
      { serviceId: service.serviceId, name: 'Bokning', url: service.url, seatsUsed: 0 },
    ])
    const services = [{ serviceId: service.serviceId, maxNumberOfUsers: 3 }]
    const changed = await root.put(
      '/api/organizations',
      form({ organizationId, version, name: 'Nya AB', organizationNumber: null, services }),
    )
    expect(changed.json()).toMatchObject({ name: 'Nya AB', organizationNumber: null, version: version + 1 })
    expect((await root.delete(`/api/organizations/${organizationId}`)).statusCode).toBe(204)
    expect(await eventsOf(organizationId)).toEqual([
      expect.objectContaining({ name: 'createOrganization' }),
      {
        name: 'updateOrganization',
        organizationIds: [organizationId],
        changes: expect.arrayContaining([
          { property: 'name', previousValue: 'Verkstad AB', newValue: 'Nya AB' },
          { property: 'organizationNumber', previousValue: '556677-8899', newValue: null },
          { property: 'services', previousValue: 'Bokning', newValue: 'Bokning (3)' },
        ]),
      },
      expect.objectContaining({ name: 'deleteOrganization' }),
    ])
  })

  test('with company sign-on needs a configuration that exists', async () => {
    const without = await root.post('/api/organizations', form({ loginMethod: 'saml' }))
    expect(without.json().issues).toEqual([{ path: 'samlConfigId', message: 'samlConfigRequired' }])
    const missing = await root.post('/api/organizations', form({ loginMethod: 'saml', samlConfigId: 2_000_000_000 }))
    expect(missing.json().issues).toEqual([{ path: 'samlConfigId', message: 'notFound' }])
    const samlConfigId = await portal.samlConfig()
    const added = await root.post('/api/organizations', form({ loginMethod: 'saml', samlConfigId }))
    expect(added.json()).toMatchObject({ loginMethod: 'saml', samlConfigId })
  })

  test('with people in it is deleted only when forced; its people stay', async () => {
    const { organizationId } = await portal.organization()
    const { accountId } = await portal.person()
    await portal.join(accountId, organizationId)
    expect(failure(await root.delete(`/api/organizations/${organizationId}`))).toEqual([409, 'organizationNotEmpty'])
    expect((await root.delete(`/api/organizations/${organizationId}?force=true`)).statusCode).toBe(204)
    const person = await root.get(`/api/users/${accountId}/organization/-/service/-`)
    expect(person.json()).toMatchObject({ accountId, organizations: [] })
  })

  test('shows a member its name and their own services, and an admin everything', async () => {
    const { organizationId, name } = await portal.organization()
    const [own, others] = [await portal.service('Egen'), await portal.service('Andras')]
    for (const { serviceId } of [own, others]) await portal.offer(organizationId, serviceId, 5)
    const [member, admin] = [await portal.person(), await portal.person()]
    await portal.join(member.accountId, organizationId)
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    await portal.assign(member.accountId, organizationId, own.serviceId)
    const seen = (await (await portal.signedIn(member)).get(`/api/organizations/${organizationId}`)).json()
    expect(seen).toEqual({ organizationId, name, services: [{ serviceId: own.serviceId, name: 'Egen', url: own.url }] })
    const administered = (await (await portal.signedIn(admin)).get(`/api/organizations/${organizationId}`)).json()
    expect(administered.services).toMatchObject([
      { name: 'Andras', maxNumberOfUsers: 5, seatsUsed: 0 },
      { name: 'Egen', maxNumberOfUsers: 5, seatsUsed: 1 },
    ])
  })
})

describe('seats', () => {
  async function filled(people: number) {
    const { organizationId, name } = await portal.organization()
    const { serviceId } = await portal.service()
    await portal.offer(organizationId, serviceId)
    for (let person = 0; person < people; person++) {
      const { accountId } = await portal.person()
      await portal.join(accountId, organizationId)
      await portal.assign(accountId, organizationId, serviceId)
    }
    return { organizationId, name, serviceId }
  }
  const limited = ({ organizationId, serviceId }: { organizationId: string; serviceId: string }, seats: number) =>
    root.put('/api/organizations', form({ organizationId, services: [{ serviceId, maxNumberOfUsers: seats }] }))

  test('cannot become fewer than are in use', async () => {
    const organization = await filled(2)
    expect(failure(await limited(organization, 1))).toEqual([409, 'seatsInUse'])
    expect(await eventsOf(organization.organizationId)).toEqual([])
    expect((await limited(organization, 2)).statusCode).toBe(200)
  })

  test('lowered while the last one is assigned: one of the two requests fails', async () => {
    const organization = await filled(1)
    const { organizationId, serviceId } = organization
    const { accountId } = await portal.person()
    await portal.join(accountId, organizationId)
    const [lowered, handedOut] = await Promise.all([
      limited(organization, 1),
      root.post(`/api/users/${accountId}/organization/${organizationId}/service`, {
        services: [{ serviceId, userRole: 'regular' }],
      }),
    ])
    expect([
      [200, 409],
      [409, 204],
    ]).toContainEqual([lowered.statusCode, handedOut.statusCode])
  })

  test('a service that people have is taken from an organisation only when that was confirmed', async () => {
    const { organizationId } = await filled(1)
    const body = form({ organizationId, services: [] })
    expect(failure(await root.put('/api/organizations', body))).toEqual([409, 'serviceInUse'])
    const forced = await root.put('/api/organizations?force=true', body)
    expect(forced.json().services).toEqual([])
  })
})

test('a change leaves the fields that it does not name as they are', async () => {
  const { organizationId } = (
    await root.post('/api/organizations', form({ organizationNumber: '556677-0011', maxPassiveDays: 30 }))
  ).json()
  const changed = await root.put('/api/organizations', { organizationId, name: 'Bytt namn AB' })
  expect(changed.json()).toMatchObject({
    name: 'Bytt namn AB',
    organizationNumber: '556677-0011',
    maxPassiveDays: 30,
    loginMethod: 'local',
  })
  const refused = await root.put('/api/organizations', { organizationId, loginMethod: 'saml' })
  expect(refused.json()).toMatchObject({ issues: [{ path: 'samlConfigId', message: 'samlConfigRequired' }] })
})

test('of two admins who change the same version concurrently, one gets an error', async () => {
  const { organizationId } = await portal.organization()
  const responses = await Promise.all(
    ['One', 'Two'].map((name) => root.put('/api/organizations', form({ organizationId, version: 1, name }))),
  )
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await eventsOf(organizationId)).toHaveLength(1)
})

test('the list says how many people an organisation has, and what is wrong with it', async () => {
  const off = await portal.organization('Läget avstängt', 'saml')
  const empty = await portal.organization('Läget tomt')
  const well = await portal.organization('Läget väl')
  for (const { organizationId } of [off, well]) await portal.join((await portal.person()).accountId, organizationId)
  await portal.system.db
    .updateTable('samlConfigs')
    .set({ active: false })
    .where('id', '=', Number(off.samlConfigId))
    .execute()
  const { items } = (await root.get('/api/organizations?searchQuery=läget')).json()
  expect(items).toMatchObject([
    { organizationId: off.organizationId, memberCount: 1, state: 'signInOff' },
    { organizationId: empty.organizationId, memberCount: 0, state: 'noPeople' },
    { organizationId: well.organizationId, memberCount: 1, state: 'active' },
  ])
})

describe('the list', () => {
  const names = ['Zon', 'Öland', 'Ärla', 'Åre', 'alfa', 'Beta', 'Zon', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta']
  beforeAll(async () => {
    for (const [index, name] of names.entries())
      await root.post(
        '/api/organizations',
        form({ name: `${name} listad`, organizationNumber: `55${index}_${index}%` }),
      )
  })
  interface Page {
    totalCount: number
    items: { organizationId: string; name: string }[]
  }
  const list = async (query: Record<string, string>): Promise<Page> =>
    (await root.get(`/api/organizations?${new URLSearchParams(query)}`)).json()

  test('sorts å, ä and ö after z, and repeats and skips none from page to page', async () => {
    const pages = [1, 2, 3].map((page) => list({ searchQuery: 'LISTAD', page: String(page) }))
    const all = (await Promise.all(pages)).flatMap(({ items, totalCount }) => {
      expect(totalCount).toBe(12)
      return items
    })
    expect(all.map(({ name }) => name.split(' ')[0])).toEqual([
      'alfa',
      'Beta',
      'Delta',
      'Epsilon',
      'Eta',
      'Gamma',
      'Zeta',
      'Zon',
      'Zon',
      'Åre',
      'Ärla',
      'Öland',
    ])
    expect(new Set(all.map(({ organizationId }) => organizationId)).size).toBe(12)
  })

  test.each([
    ['åre', ['Åre listad']],
    ['ÅRE'.normalize('NFD'), ['Åre listad']],
    ['_3%', ['Åre listad']],
    ['553_', ['Åre listad']],
    ['listad 553', ['Åre listad']],
    ['are', []],
    ['%%', []],
  ])('%s finds %j', async (searchQuery, found) => {
    const { items, totalCount } = await list({ searchQuery })
    expect(items.map(({ name }) => name)).toEqual(found)
    expect(totalCount).toBe(found.length)
  })

  test('without a search counts all rows, also after some were deleted', async () => {
    const { totalCount } = await list({})
    const { organizationId } = await portal.organization()
    expect((await list({})).totalCount).toBe(totalCount + 1)
    await root.delete(`/api/organizations/${organizationId}`)
    expect((await list({})).totalCount).toBe(totalCount)
    const plain = (await root.get('/api/organizations/list')).json()
    expect(plain).toHaveLength(totalCount)
  })
})

describe('the sender of an organisation', () => {
  test('is set by super users, and told to its admins and to nobody else', async () => {
    const sender = { senderName: 'Verkstad, kundtjänst', replyTo: 'Hjalp@verkstad.example' }
    const { organizationId } = (await root.post('/api/organizations', form(sender))).json()
    expect((await root.get(`/api/organizations/${organizationId}`)).json()).toMatchObject({
      senderName: 'Verkstad, kundtjänst',
      replyTo: 'hjalp@verkstad.example',
    })
    const member = await portal.person()
    await portal.join(member.accountId, organizationId)
    const seen = (await (await portal.signedIn(member)).get(`/api/organizations/${organizationId}`)).json()
    expect(seen).not.toHaveProperty('replyTo')
    // What a change leaves out stays; an empty field is none.
    expect((await root.put('/api/organizations', { organizationId, name: 'Verkstad' })).json()).toMatchObject({
      senderName: 'Verkstad, kundtjänst',
    })
    expect(
      (await root.put('/api/organizations', { organizationId, senderName: '', replyTo: '' })).json(),
    ).toMatchObject({ senderName: null, replyTo: null })
    expect((await eventsOf(organizationId)).at(-1)?.changes).toEqual([
      { property: 'senderName', previousValue: 'Verkstad, kundtjänst', newValue: null },
      { property: 'replyTo', previousValue: 'hjalp@verkstad.example', newValue: null },
    ])
  })

  test.each([
    ['senderName', 'Desk\r\nBcc: all@evil.example', 'senderNameRefused'],
    ['senderName', 'bank@bank.se', 'senderNameRefused'],
    ['senderName', 'Desk" <a>', 'senderNameRefused'],
    ['senderName', 'Desk\u202egnp', 'senderNameRefused'],
    ['replyTo', 'a@b.example, c@d.example', 'invalidEmail'],
    ['replyTo', 'Desk <a@b.example>', 'invalidEmail'],
    ['replyTo', 'a@b.example\r\nBcc: c@d.example', 'invalidEmail'],
  ])('takes no %s %j', async (path, value, message) => {
    const answer = await root.post('/api/organizations', form({ [path]: value }))
    expect([answer.statusCode, answer.json().issues]).toEqual([422, [{ path, message }]])
  })
})
