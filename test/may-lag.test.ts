import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredRoutes, requestFor } from './declared-routes.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld } from './world.ts'

let portal: TestApp

beforeAll(async () => {
  portal = await testApp(unlimited, { readsElsewhere: true })
})
afterAll(() => portal?.close())

const mayLag = () => declaredRoutes(portal).filter(({ route }) => route.mayLag)

test('only reads by people may lag: a sign-in begins with a public one, and services and directories end access by theirs', () => {
  const never = ['public', 'machine', 'scim']
  expect(mayLag().filter(({ route }) => route.method !== 'GET' || never.includes(route.access))).toEqual([])
  expect(mayLag().length).toBeGreaterThan(12)
})

test('every call that may lag is answered where nothing can be written', async () => {
  await expect.poll(() => portal.system.readCopy?.current()).toBeDefined()
  const world = await buildWorld(portal)
  const signedIn = await portal.signedIn(world.people.superUser)
  // As in a browser that has changed nothing for a while.
  const admin = portal.browser()
  for (const [name, value] of Object.entries(signedIn.cookies())) if (name !== 'changed') admin.setCookie(name, value)
  for (const declared of mayLag()) {
    const { url } = requestFor(declared, world.target('superUser', 'same'))
    const answer = await admin.get(url)
    expect(answer.statusCode, `${declared.name}: ${answer.body.slice(0, 200)}`).toBe(200)
    // Files are read while they are sent.
    expect(answer.body.length, declared.name).toBeGreaterThan(2)
  }
})
