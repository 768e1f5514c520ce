import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('a person cannot get a second account with another spelling of the same address', async () => {
  await portal.person({ email: 'filip@ffi.example' })
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const second = await root.post('/api/users', {
    email: 'ﬁlip@\ufb03。example',
    firstName: 'Filip',
    lastName: 'Again',
    loginMethod: 'local',
    password: testPassword,
    confirmNewPassword: testPassword,
  })
  expect([second.statusCode, second.json().message]).toEqual([409, 'emailTaken'])
})

test('a person signs in however the address is written', async () => {
  const { email } = await portal.person({ email: 'kristin@nordvik.example' })
  const browser = await portal.signedIn({ accountId: '', email: '\u212aRISTIN＠nordvik。example' })
  expect((await browser.get('/api/me')).json().email).toBe(email)
})
