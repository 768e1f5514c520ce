import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// With the limits that a new installation has.
let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

/** As many requests a second as Microsoft asks a service to take from Entra ID. */
const perSecond = 25
const seconds = 70

test('a first synchronisation at the pace of a directory meets no limit', { timeout: 240_000 }, async () => {
  const here = await directoryOf(portal)
  const statuses = new Map<number, number>()
  const count = ({ statusCode }: { statusCode: number }) =>
    void statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  for (let second = 0; second < seconds; second++) {
    // It looks before it adds; most of a first run is that.
    for (let request = 0; request < perSecond; request++) {
      const sent = here.user()
      const filter = encodeURIComponent(`userName eq "${sent.userName}"`)
      count(await (request === 0 ? here.call('POST', '/Users', sent) : here.call('GET', `/Users?filter=${filter}`)))
    }
    portal.advance(1)
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: (perSecond - 1) * seconds, 201: seconds })
})
