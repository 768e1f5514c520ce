import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLeaks } from './leaks.ts'
import { testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('every test of the API looks for secrets at its end, and finds them wherever they are', async () => {
  await portal.signedIn(await portal.person({ ssn: '191212121212', phoneNumber: '+46701740605' }))
  expect(await findLeaks(portal.ownerUrl, portal.logged)).toEqual([])

  const { db } = portal.system
  const planted = await portal.service(`Called ${testPassword}`, 'https://service.example/191212121212')
  const key = { purpose: 'planted', tokenHash: Buffer.from(testPassword), subject: '', expiresAt: portal.now() }
  await db
    .insertInto('oneTimeThings')
    .values({ ...key, createdAt: portal.now() })
    .execute()
  const line = { msg: 'to +46701740605' }
  expect(await findLeaks(portal.ownerUrl, [...portal.logged, line])).toEqual([
    expect.stringContaining('in one_time_things'),
    expect.stringContaining(`${testPassword} in services`),
    expect.stringContaining('+46701740605 in the log'),
  ])
  await db.deleteFrom('services').where('serviceId', '=', planted.serviceId).execute()
  await db.deleteFrom('oneTimeThings').where('purpose', '=', 'planted').execute()
})
