import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const page = { accept: 'text/html' }

test('an unknown address keeps the frame for someone who is signed in, and is a page of its own for others', async () => {
  const person = await portal.signedIn(await portal.person())
  const own = await person.get('/nowhere', page)
  const others = await portal.browser().get('/nowhere', page)
  expect([own.statusCode, others.statusCode]).toEqual([404, 404])
  expect(own.body).toBe((await person.get('/account', page)).body)
  expect(others.body).toContain('data-page="not-found"')
  // A call of the API is answered in its own form.
  expect((await person.get('/api/nowhere')).json()).toMatchObject({ message: 'notFound' })
})

test('a forged session cookie brings no frame', async () => {
  const stranger = portal.browser({ cookie: 'portal_session=forged; portal_session.sig=forged' })
  expect((await stranger.get('/nowhere', page)).body).toContain('data-page="not-found"')
})
