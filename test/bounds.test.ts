import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredRoutes } from './declared-routes.ts'
import { unboundedIn } from './schema-bounds.ts'
import { type TestApp, testApp } from './test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

/** Calls whose standard lets a caller send anything, and what bounds what is read of it. */
const elsewhere: [call: RegExp, why: string][] = [
  [/ \/access\/v1\/evaluations? /, 'each question has a schema of its own, and `decide` reads only a short list'],
  [/ \/scim\/v2\//, 'the room reads the attributes that it knows; `request-bodies.ts` counts and bounds the rest'],
]

test('every text, list and number that a call takes has a bound, which comes before all other checks', () => {
  const found = declaredRoutes(portal).flatMap(({ name, route }) =>
    (['params', 'query', 'input'] as const).flatMap((place) =>
      route[place] ? unboundedIn(route[place]).map(({ path, why }) => `${name} ${place}${path}: ${why}`) : [],
    ),
  )
  expect(found.filter((line) => !elsewhere.some(([call]) => call.test(line)))).toEqual([])
  for (const [call] of elsewhere) expect(found.some((line) => call.test(line))).toBe(true)
})

/** Addresses that no contract declares and that read something of a request, and what bounds it. */
const undeclared: Record<string, string> = {
  'GET /assets/*': 'the name of a file that is there; `header-size.ts` bounds the address',
  'GET /oidc/*': '`parameter-bounds.ts`, which bounds what the provider reads',
  'POST /oidc/*': 'the same, of a body of 56 KB',
  'POST /oidc/auth': 'a form of 8,000 bytes, which continues as a GET',
  'POST /oidc/session/end': 'the same',
  'POST /oidc/session/end/confirm': 'nothing is read',
}

test('an address that no contract declares takes a segment of 200 characters at most, or has a bound of its own', () => {
  const open = portal.app.routeList
    .filter(
      ({ method, url, route }) => !route && (method === 'GET' ? url.includes('*') : !/^(HEAD|OPTIONS)$/.test(method)),
    )
    .map(({ method, url }) => `${method} ${url}`)
  expect(open.sort()).toEqual(Object.keys(undeclared))
})
