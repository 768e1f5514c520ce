import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Field, fieldsOf, isText, nameOf, sampleWith } from './contract-fields.ts'
import { declaredRoutes, sendSample } from './declared-routes.ts'
import { type Directory, directoryOf } from './directory.ts'
import { patchGroup } from './directory-groups.ts'
import { longestBlock } from './event-loop.ts'
import { cost, long, mostBlocked as most, worst } from './longest-texts.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld, type World } from './world.ts'

// A generous timeout for slow machines.
vi.setConfig({ testTimeout: 300_000 })

let portal: TestApp
let world: World
let fields: Field[]
beforeAll(async () => {
  // What comes in the process has the address of this machine: a proxy's.
  portal = await testApp({ ...unlimited, LOG_LEVEL: 'silent', TRUSTED_PROXIES: '127.0.0.1' })
  world = await buildWorld(portal)
  fields = declaredRoutes(portal)
    .filter(({ route }) => route.access === 'public')
    .flatMap(fieldsOf)
    .filter(isText)
  // Warm up the JIT compiler before measuring.
  for (const field of fields) await send(field, 'warm')
})
afterAll(() => portal?.close())

const send = (field: Field, text: string) =>
  sendSample(portal.browser(), field.declared.route, sampleWith(field, world.target('user', 'own'), text))

test('no text of a public call blocks the event loop', async () => {
  const slow: string[] = []
  for (const field of fields)
    for (const text of worst)
      for (const value of long(field, text)) {
        const spent = await cost(() => send(field, value))
        if (spent > most) slow.push(`${nameOf(field)} = ${JSON.stringify(text)}: ${spent.toFixed(0)} ms`)
      }
  expect(slow).toEqual([])
})

test('random text does not block the event loop', async () => {
  const pattern = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fields), pattern, async (field, text) => {
      for (const value of long(field, text))
        expect(await cost(() => send(field, value)), nameOf(field)).toBeLessThanOrEqual(most)
    }),
    { numRuns: 60, interruptAfterTimeLimit: 30_000 },
  )
})

const form = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
  host: 'portal.test',
}
const post = (url: string, payload: string, headers: Record<string, string> = form) =>
  portal.app.inject({ method: 'POST', url, headers, payload })
const json = { ...form, 'content-type': 'application/json' }
const get = (url: string, headers: Record<string, string> = {}) =>
  portal.app.inject({ url, headers: { host: 'portal.test', ...headers } })
const many = (bytes: number, one: (index: number) => string) => {
  let text = ''
  for (let index = 0; text.length < bytes; index++) text += one(index)
  return text
}

test.each<[string, () => Promise<{ statusCode: number }>]>([
  ['one field again and again', () => post('/saml/1/acs', 'a&'.repeat(120_000))],
  [
    'very many fields',
    () =>
      post(
        '/saml/1/acs',
        many(250_000, (index) => `${index.toString(36)}&`),
      ),
  ],
  [
    'very many fields that the call does not know',
    () =>
      post(
        '/interaction/x/login',
        many(16_000, (i) => `${i.toString(36)}&`),
      ),
  ],
  ['one parameter again and again', () => get(`/login?${'a&'.repeat(7500)}`)],
  ['JSON in JSON in JSON', () => post('/api/verify-credentials', '['.repeat(64_000), json)],
  [
    'very many unknown fields',
    () => post('/api/verify-credentials', `{${many(60_000, (i) => `"${i.toString(36)}":0,`)}"a":0}`, json),
  ],
  ['a body that is all a prototype', () => post('/api/verify-credentials', `{${'"__proto__":{'.repeat(4000)}`, json)],
  ['very many cookies', () => get('/', { cookie: many(15_000, (index) => `${index.toString(36)}=;`) })],
  ['cookies of nothing', () => get('/api/me', { cookie: '=;'.repeat(7500) })],
  ['very many languages', () => get('/session-expired', { 'accept-language': 'a,'.repeat(7500) })],
  ['a language of very many parts', () => get('/session-expired', { 'accept-language': '-;q=0.'.repeat(2500) })],
  ['very many types', () => get('/nowhere', { accept: 'text/html;'.repeat(1500) })],
  ['an address of very many slashes', () => get(`/a${'/'.repeat(15_000)}b`)],
  [
    'very many addresses in a crash',
    () =>
      post(
        '/client-errors',
        JSON.stringify({ url: '/', error: 'x', stack: '%)'.repeat(3900), componentStack: '%)'.repeat(3900) }),
        json,
      ),
  ],
  ['very many proxies', () => get('/api/portal', { 'x-forwarded-for': '1,'.repeat(7500) })],
  ['very many addresses', () => get('/api/portal', { 'x-forwarded-for': '10.0.0.7:1,'.repeat(1400) })],
  ['an address of very many digits', () => get('/api/portal', { 'x-forwarded-for': '1:'.repeat(7500) })],
  ['an address of very many zones', () => get('/api/portal', { 'x-forwarded-for': 'fe80::1%%'.repeat(1700) })],
  ['very many Forwarded', () => get('/api/portal', { forwarded: 'for=1,'.repeat(2500) })],
  ['very many parts of Forwarded', () => get('/api/portal', { forwarded: ';for="[::1]:1"'.repeat(1000) })],
  ['Forwarded of quotes', () => get('/api/portal', { forwarded: '"\\'.repeat(7500) })],
  ['Forwarded of blanks', () => get('/api/portal', { forwarded: ' '.repeat(15_000) })],
  ['a cookie of very many characters', () => get('/login', { cookie: `a=${'%'.repeat(15_000)}` })],
  ['cookies of blanks', () => get('/login', { cookie: ' ; '.repeat(5000) })],
  ['a very long state', () => get(`/oidc/auth?client_id=portal&state=${'a'.repeat(15_000)}`)],
  [
    'a state that is encoded threefold',
    () => get(`/oidc/auth?client_id=portal&response_type=none&scope=openid&state=${'%25'.repeat(1900)}`),
  ],
  ['a long address that goes on without its slash', () => get(`/a/?${"'&<".repeat(4500)}`, { accept: 'text/html' })],
  ['slashes at the end of an address', () => get(`/a${'/'.repeat(15_000)}`, { accept: 'text/html' })],
  ['slashes that are not at the end', () => get(`/a${'/'.repeat(15_000)}b`, { accept: 'text/html' })],
  ['a host of very many characters', () => get('/', { host: 'a.'.repeat(7500), accept: 'text/html' })],
  ['a host of very many ports', () => get('/', { host: ':1'.repeat(7500), accept: 'text/html' })],
  ['a browser of a very long name', () => get('/login', { 'user-agent': 'Version/1.'.repeat(1500) })],
  ['encodings without end', () => get('/session-expired', { 'accept-encoding': 'gzip;q=,'.repeat(1800) })],
  ['an address of very many parts', () => get('/a'.repeat(7500))],
  ['an authorization request of very many parts', () => get(`/oidc/auth?client_id=portal&scope=${'a+'.repeat(7000)}`)],
  [
    'a token request of very long fields',
    () => post('/oidc/token', `client_id=portal&client_assertion=${'a.'.repeat(25_000)}`),
  ],
  ['a token request of very many fields', () => post('/oidc/token', 'a&'.repeat(32_000))],
])('%s do not block the event loop', async (_, ask) => {
  await ask()
  expect(await cost(ask)).toBeLessThanOrEqual(most)
  expect((await ask()).statusCode).toBeLessThan(500)
})

describe('what a directory sends', () => {
  const blanks = ' '.repeat(60_000)
  const operation = (path: string, op = 'replace') => ({ op, path, value: 'x' })
  const patch = (...Operations: object[]) => ({ Operations })
  const repeated = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
  const filter = (text: string) => `emails[${text}].value`
  let here: Directory
  let person: string
  let group: string
  beforeAll(async () => {
    here = await directoryOf(portal)
    const emails = Array.from({ length: 50 }, (_, index) => ({ value: `a${index}@x.example`, type: `t${index}` }))
    person = (await here.created({ emails })).id
    group = (await here.call('POST', '/Groups', { displayName: 'Group' })).json().id
    await portal.system.pool.query(
      `with people as (insert into scim_users (scim_user_id, organization_id, user_name, attributes, active, email, created_at, updated_at)
        select gen_random_uuid(), $1, 'p' || n, '{}', false, 'p' || n || '@x.example', now(), now() from generate_series(1, 9999) n
        returning scim_user_id)
      insert into scim_group_members select $2, scim_user_id from people`,
      [here.organizationId, group],
    )
  })

  // What cannot be read costs next to nothing, with a token or without.
  test.each<[string, () => object]>([
    ['a path of blanks', () => patch(operation(filter(blanks)))],
    ['a path of 2,000,000 signs', () => patch(operation(filter(repeated(' and ', 2_000_000 - 1000))))],
    ...['[', '(', '"', '\\"', 'not(', '.', 'a and ', 'a eq "b" or ', ':', '\u0130', '\u0301'].map(
      (text): [string, () => object] => [`a path of ${text}`, () => patch(operation(filter(repeated(text, 190_000))))],
    ),
    ['120,000 names', () => Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`a${index}`, 0]))],
    [
      'names of 1,000 characters',
      () => Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}${repeated('a', 1000)}`, 0])),
    ],
    ['700,000 objects', () => ({ emails: Array.from({ length: 690_000 }, () => ({})) })],
    ['a name in a name in a name', () => JSON.parse(`${'{"a":'.repeat(2000)}0${'}'.repeat(2000)}`)],
    ['1,001 operations', () => patch(...Array.from({ length: 1001 }, () => operation('title')))],
  ])('%s is refused at once', async (_, body) => {
    const payload = JSON.stringify(body())
    const headers = { authorization: `Bearer ${here.token}`, 'content-type': 'application/scim+json' }
    for (const [method, url] of [
      ['PATCH', `/scim/v2/Users/${person}`],
      ['PUT', `/scim/v2/Users/${person}`],
      ['POST', '/scim/v2/Groups'],
      ['PATCH', `/scim/v2/Groups/${group}`],
    ] as const) {
      const send = () => portal.app.inject({ method, url, headers: { host: 'portal.test', ...headers }, payload })
      expect([method, url, (await send()).statusCode]).toEqual([method, url, 400])
      expect(await cost(send), `${method} ${url}`).toBeLessThanOrEqual(most)
    }
  })

  /** A request within all bounds, by somebody who has a token: each person changed, and each member, has its price. */
  const mostOfDirectory = 500
  const dear = 'value co "a" and type co "b" or value co "c" and not (type eq "d")'
  test.each<[string, () => ReturnType<Directory['call']>]>([
    [
      'filters of many comparisons',
      () => here.patch(person, ...Array.from({ length: 1000 }, () => operation(filter(dear)))),
    ],
    [
      'values',
      () =>
        here.patch(
          person,
          ...Array.from({ length: 1000 }, () => ({ op: 'add', path: 'emails', value: [{ value: 'a1@x.example' }] })),
        ),
    ],
    [
      'searches among members',
      () =>
        patchGroup(
          here,
          group,
          ...Array.from({ length: 3 }, () =>
            operation('members[display co "zz" or display ew "qq" or display sw "xx"]', 'remove'),
          ),
        ),
    ],
    [
      'ids',
      () =>
        patchGroup(here, group, ...Array.from({ length: 1000 }, () => operation('members[value eq "x"]', 'remove'))),
    ],
    [
      'unknown names',
      () =>
        here.call('PUT', `/Users/${person}`, {
          ...here.user(),
          ...Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${repeated('a', 480)}${i}`, '1'])),
        }),
    ],
    ['texts', () => here.call('PUT', `/Users/${person}`, { ...here.user(), photo: repeated('19811218', 199_000) })],
    [
      'a long filter',
      () =>
        here.call(
          'GET',
          `/Users?filter=${encodeURIComponent(Array.from({ length: 30 }, () => 'emails co "a"').join(' or '))}`,
        ),
    ],
  ])('as many %s as it may send hold up nobody', async (_, send) => {
    expect((await send()).statusCode).toBeLessThan(500)
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3; tries++) best = Math.min(best, await longestBlock(send))
    expect(best).toBeLessThanOrEqual(mostOfDirectory)
  })
})
