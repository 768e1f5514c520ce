import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { totalCpuTime } from '#test/event-loop.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let here: Awaited<ReturnType<typeof directoryOf>>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  here = await directoryOf(portal)
})
afterAll(() => portal?.close())

/** Milliseconds of work for one request, which everybody else waits for. */
const most = 500
const invalid = [400, { scimType: 'invalidValue' }]
const told = (answer: { statusCode: number; json: () => { scimType?: string } }) => [
  answer.statusCode,
  { scimType: answer.json().scimType },
]

const values = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: `a${from + index}` }))

test.each([
  [
    'many operations that add values',
    Array.from({ length: 300 }, (_, index) => ({ op: 'add', path: 'emails', value: values(index * 50, 50) })),
  ],
  [
    'many filters of which each adds a value',
    [
      {
        op: 'add',
        value: Object.fromEntries(values(0, 15_000).map(({ value }) => [`emails[type eq "${value}"].value`, value])),
      },
    ],
  ],
  [
    'many operations that say the same',
    Array.from({ length: 1000 }, () => ({ op: 'replace', path: 'emails', value: values(0, 50) })),
  ],
])('one request of %s holds up nobody', async (_, operations) => {
  const { id } = await here.created()
  const spent = await totalCpuTime(async () =>
    expect((await here.patch(id, ...operations)).statusCode).toBeLessThan(500),
  )
  expect(spent).toBeLessThan(most)
})

test('one request has 1,000 operations, and not one more, with a path or without', async () => {
  const { id } = await here.created()
  const titles = (count: number) => Array.from({ length: count }, () => ({ op: 'remove', path: 'title' }))
  const tooMany = [400, { scimType: 'invalidSyntax' }]
  expect(told(await here.patch(id, ...titles(1000)))).toEqual([200, {}])
  expect(told(await here.patch(id, ...titles(1001)))).toEqual(tooMany)
  const two = { op: 'replace', value: { title: 'x', nickName: 'y' } }
  expect(told(await here.patch(id, ...titles(998), two))).toEqual([200, {}])
  expect(told(await here.patch(id, ...titles(999), two))).toEqual(tooMany)
  const group = (await here.call('POST', '/Groups', { displayName: 'Group' })).json().id
  const Operations = Array.from({ length: 1001 }, () => ({ op: 'replace', path: 'externalId', value: 'x' }))
  expect(told(await here.call('PATCH', `/Groups/${group}`, { Operations }))).toEqual(tooMany)
})

test.each(['emails', 'phoneNumbers'])('a person has at most 50 %s, however they come', async (path) => {
  const { id } = await here.created()
  const add = async (from: number) => told(await here.patch(id, { op: 'add', path, value: values(from, 24) }))
  expect([await add(0), (await add(24))[0], await add(48)]).toEqual([[200, {}], 200, invalid])
  expect((await here.call('GET', `/Users/${id}`)).json()[path].length).toBeLessThanOrEqual(50)
})

test('a person is no larger than a page of 200 can be read at once', async () => {
  const long = 'å'.repeat(1000)
  const addresses = Array.from({ length: 50 }, (_, index) => ({
    ...{ formatted: `${index}`, streetAddress: long, locality: long, region: long, postalCode: long, country: long },
  }))
  expect(told(await here.call('POST', '/Users', here.user({ addresses })))).toEqual(invalid)
  const { id } = await here.created()
  expect(told(await here.patch(id, { op: 'add', path: 'addresses', value: addresses }))).toEqual(invalid)
  expect(told(await here.call('PUT', `/Users/${id}`, here.user({ addresses })))).toEqual(invalid)
  expect(await here.logged()).toMatchObject({ method: 'PUT', status: 400, problem: 'scimInvalidValue' })
})

test.each([
  ['a personal number', '19811218-9876', 200],
  ['a character that cannot be stored', '\u0000', 400],
  ['a text that is too long', 'x'.repeat(1001), 400],
])('the filter of a path brings in nothing that a value may not have: %s', async (_, written, status) => {
  const { id } = await here.created()
  const filter = JSON.stringify(written)
  const paths = [`phoneNumbers[type eq "work" and value eq ${filter}].display`, `addresses[type eq ${filter}].locality`]
  for (const path of paths) {
    const answer = await here.patch(id, { op: 'add', path, value: 'Lund' })
    expect([path.slice(0, 60), answer.statusCode]).toEqual([path.slice(0, 60), status])
    expect(answer.body).not.toContain('9876')
  }
  const { rows } = await portal.system.pool.query(
    'select attributes::text as kept from scim_users where scim_user_id = $1',
    [id],
  )
  expect(rows[0].kept).not.toContain('9876')
})

// What an index cannot hold: nothing repeats, so that nothing is compressed.
const letters = Array.from({ length: 1000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
).join('')

test.each([
  ['userName', { userName: letters }],
  ['externalId', { externalId: letters }],
  ['emails', { emails: [{ value: 'first@customer.example', primary: true }, { value: letters }] }],
])('what is too long to be found is refused: %s', async (_, sent) => {
  expect(told(await here.call('POST', '/Users', here.user(sent)))).toEqual(invalid)
  const { id } = await here.created()
  expect(told(await here.patch(id, { op: 'replace', value: sent }))).toEqual(invalid)
})

test('a group whose externalId is too long to be found is refused', async () => {
  const displayName = 'Long'
  expect(told(await here.call('POST', '/Groups', { displayName, externalId: letters }))).toEqual(invalid)
})

test.each(['\u202e', '\u2066', '\n', '\u0007'])(
  'a group whose name hides what it says is refused: %j',
  async (sign) => {
    const displayName = `Ekonomi${sign}nimda`
    expect(told(await here.call('POST', '/Groups', { displayName }))).toEqual(invalid)
  },
)
