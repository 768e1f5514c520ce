import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp()
  outbox = outboxOf(portal)
})
afterAll(() => portal?.close())

// A code of a sign-in is valid for a minute, a mailed one for ten.
describe.each([30, -30, 600, -600])('beside a node whose clock is %s seconds ahead', (ahead) => {
  let node: Awaited<ReturnType<TestApp['anotherNode']>>
  beforeAll(async () => {
    portal.advance(24 * 3600)
    node = await portal.anotherNode(ahead)
  })
  afterAll(() => node?.close())

  /** A browser whose requests go to the two nodes in turn, beginning with the first or the second. */
  function alternating(first: number) {
    let count = first
    const inject = (...input: Parameters<FastifyInstance['inject']>) =>
      (count++ % 2 ? node.app : portal.app).inject(...input)
    return createClient({ inject } as FastifyInstance, 'http://portal.test')
  }

  test.each([0, 1])('people sign in, and stay signed in at both (%s first)', async (first) => {
    const person = await portal.person()
    const browser = alternating(first)
    const { page } = await openSignIn(browser)
    await browser.follow(
      await browser.submit(`${page}/login`, { email: person.email, login: 'local', password: testPassword, code: '' }),
    )
    for (let count = 0; count < 4; count++) expect((await browser.get('/api/me')).statusCode).toBe(200)
    expect((await browser.get('/oidc/auth')).statusCode).toBe(204)
    for (let count = 0; count < 4; count++) expect((await browser.get('/api/me')).statusCode).toBe(200)
    await browser.submit('/logout', {})
    for (let count = 0; count < 2; count++) expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  /** Whether the node that takes a code has a clock that is so far ahead of the one that made it. */
  const isLate = (taker: number, seconds: number) => (taker === 1 ? ahead : -ahead) >= seconds

  test.each([0, 1])(
    'services get tokens that both take, unless the code has ended there (%s takes it)',
    async (taker) => {
      const clientId = await servicesOf(portal).register()
      const maker = taker === 1 ? portal : node
      const browser = maker.browser()
      const { tokensAt, requestFor, renew } = servicesOf({ ...portal, browser: () => alternating(taker) })
      const { email } = await portal.person()
      const { page } = await openSignIn(browser, requestFor(clientId))
      const tokens = await tokensAt(clientId, await finishSignIn(browser, page, email))
      if (isLate(taker, 60)) return expect(tokens.error).toBe('invalid_grant')
      for (const at of [portal, node]) {
        const asked = await at.browser().get('/oidc/me', { authorization: `Bearer ${tokens.access_token}` })
        expect(asked.statusCode).toBe(200)
      }
      expect(await renew(clientId, tokens.refresh_token)).toHaveProperty('access_token')
    },
  )

  test.each([0, 1])('a mailed code is taken once, unless it has ended there (%s takes it)', async (taker) => {
    const { email } = await portal.person({ loginMethod: 'local2FA' })
    const browser = alternating(1 - taker)
    const asked = { email, password: testPassword }
    expect((await browser.post('/api/start-2fa-login', asked)).statusCode).toBe(204)
    const input = { ...asked, code: await outbox.codeSentTo(email), codeDeliveryType: 'email' }
    const first = await browser.post('/api/verify-credentials-2fa', input)
    // Refused there, the node that sent it still takes it.
    const second = await browser.post('/api/verify-credentials-2fa', input)
    expect([first.statusCode, second.statusCode]).toEqual(isLate(taker, 600) ? [401, 204] : [204, 401])
  })
})
