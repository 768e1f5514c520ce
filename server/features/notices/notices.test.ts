import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

// The clock of the tests stands at 9 o'clock in Sweden on 2 March 2026.
const today = '2026-03-02'
const add = async (form: object) => (await root.post('/api/notices', { startsOn: today, ...form })).json()
const eventsOf = (targetId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'organizationIds', 'changes'])
    .where('targetId', '=', targetId)
    .orderBy('id')
    .execute()

async function member() {
  const { organizationId, name } = await portal.organization()
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  return { organizationId, name, browser: await portal.signedIn(person) }
}
const read = async (browser: Client) =>
  (await browser.get('/api/notices/current')).json().map(({ message }: { message: string }) => message)

test('a notice for an organisation is read by its members alone, one for everyone by everyone', async () => {
  const [here, there] = [await member(), await member()]
  const { organizationId, browser } = here
  const { noticeId } = await add({ message: 'Service tonight', organizationId })
  const forAll = await add({ message: 'Welcome' })
  expect(await read(browser)).toEqual(['Welcome', 'Service tonight'])
  expect(await read(there.browser)).toEqual(['Welcome'])
  expect((await browser.get('/api/start')).json().notices).toMatchObject([
    { organizationId: null },
    { noticeId, organizationId },
  ])
  for (const id of [noticeId, forAll.noticeId]) await root.delete(`/api/notices/${id}`)
  expect(await read(browser)).toEqual([])
})

test('a notice shows from its first day to the end of its last day in Sweden', async () => {
  const { browser } = await member()
  const added = [
    await add({ message: 'Yesterday', startsOn: '2026-02-01', endsOn: '2026-03-01' }),
    await add({ message: 'Today', startsOn: today, endsOn: today }),
    await add({ message: 'Tomorrow', startsOn: '2026-03-03' }),
  ]
  expect(await read(browser)).toEqual(['Today'])
  // 23.30 in Sweden is 22.30 in UTC.
  portal.advance(14.5 * 3600)
  const again = await portal.signedIn(await portal.person())
  expect(await read(again)).toEqual(['Today'])
  portal.advance(0.75 * 3600)
  expect(await read(again)).toEqual(['Tomorrow'])
  root = await portal.signedIn(await portal.person({ superUser: true }))
  for (const { noticeId } of added) expect((await root.delete(`/api/notices/${noticeId}`)).statusCode).toBe(204)
})

test('a change writes one event, one without a change none, and a last day before the first is refused', async () => {
  const { organizationId, name } = await member()
  const { noticeId, version } = await add({ message: 'Soon', endsOn: '2026-04-01' })
  const change = (form: object) => root.put('/api/notices', { noticeId, ...form })
  expect((await change({ message: 'Soon', version })).json()).toMatchObject({ version })
  expect((await change({ endsOn: '2026-01-01' })).json().issues).toEqual([
    { path: 'endsOn', message: 'endsBeforeStart' },
  ])
  expect((await change({ organizationId: '01900000-0000-7000-8000-00000000dead' })).json().issues).toEqual([
    { path: 'organizationId', message: 'notFound' },
  ])
  expect((await change({ organizationId, endsOn: null })).json()).toMatchObject({
    organizationName: name,
    endsOn: null,
  })
  expect((await change({ message: 'Late', version })).statusCode).toBe(409)
  await root.delete(`/api/notices/${noticeId}`)
  expect(await eventsOf(noticeId)).toEqual([
    expect.objectContaining({ name: 'createNotice', organizationIds: [] }),
    {
      name: 'updateNotice',
      organizationIds: [organizationId],
      changes: [
        { property: 'organization', previousValue: null, newValue: name },
        { property: 'endsOn', previousValue: '2026-04-01', newValue: null },
      ],
    },
    expect.objectContaining({ name: 'deleteNotice', organizationIds: [organizationId] }),
  ])
})
