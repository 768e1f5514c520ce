import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeclaredRoute, declaredRoutes, send } from './declared-routes.ts'
import type { Person } from './people.ts'
import { tableDigests } from './table-digests.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld, distances } from './world.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp(unlimited)
})
afterAll(() => portal?.close())

/** What everybody may do is about themselves: their profile, their requests, the end of their sessions. */
const isOwnMatter = ({ known }: DeclaredRoute) =>
  !known || typeof known.expect === 'number' || known.expect.user.includes('y')

/** Reads leave events, and nothing else. */
const noted =
  /^(sessions|limits|idempotency_keys|repeated_failures|audit_.*|job_runs|provider_artifacts|migrations|daily_figures)$/

test.each(['reader', 'auditor'] as const)(
  'a %s walks all calls and changes nothing anywhere',
  async (role) => {
    const world = await buildWorld(portal, role)
    const client = await portal.signedIn(world.holder as Person)
    const before = await tableDigests(portal.system.pool, { leaveOut: noted })
    const walked = { reads: 0, refused: 0 }
    for (const declared of declaredRoutes(portal).filter((one) => !isOwnMatter(one)))
      for (const distance of distances) {
        const { statusCode, body } = await send(client, declared, world.target('holder', distance))
        if (statusCode < 400) {
          expect(declared.route.method, `${declared.name}, ${distance}`).toBe('GET')
          walked.reads++
        } else {
          expect(statusCode, `${declared.name}, ${distance}: ${body}`).toBeLessThan(500)
          walked.refused++
        }
      }
    expect(await tableDigests(portal.system.pool, { leaveOut: noted })).toEqual(before)
    expect(walked.reads).toBeGreaterThan(20)
    expect(walked.refused).toBeGreaterThan(500)
  },
  120_000,
)
