import { expect, test } from 'vitest'
import { servicesOf } from '#test/service.ts'
import { testApp } from '#test/test-app.ts'

test('somebody without an account cannot fill the database with sign-ins that they begin', async () => {
  const portal = await testApp({ LIMIT_BEGUN_SIGN_IN: '3/60' })
  try {
    const services = servicesOf(portal)
    const clientId = await services.register()
    const begin = (more: Record<string, string> = {}) =>
      portal.browser().get(services.requestFor(clientId, more), { accept: 'text/html', 'accept-language': 'en' })
    const stored = async () =>
      (await portal.system.db.selectFrom('providerArtifacts').select('model').execute()).filter(
        ({ model }) => model === 'Interaction',
      ).length

    for (let count = 0; count < 3; count++)
      expect((await begin()).headers.location).toMatch(/^\/interaction\/|\/interaction\//)
    const refused = await begin()
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['content-type']).toContain('text/html')
    expect(refused.body).toContain('Too many')
    expect(refused.headers['set-cookie']).toBeUndefined()
    // The portal's own sign-in page counts, too: it stores the same.
    const visitor = portal.browser()
    const { response } = await visitor.follow(await visitor.get('/login', { accept: 'text/html' }))
    expect(response.statusCode).toBe(429)
    expect(await stored()).toBe(3)
    expect((await portal.system.counters.limitsHit.get()).values).toContainEqual(
      expect.objectContaining({ labels: { limit: 'begunSignIn' }, value: 3 }),
    )

    // A silent question stores nothing, and is answered.
    expect((await begin({ prompt: 'none' })).headers.location).toContain('error=login_required')

    portal.advance(61)
    expect((await begin()).statusCode).toBe(303)
  } finally {
    await portal.close()
  }
})

test('who is signed in is counted by account: an address that others have used up does not keep them out', async () => {
  const portal = await testApp({ LIMIT_BEGUN_SIGN_IN: '3/60', LIMIT_BEGUN_SIGN_IN_BROWSER: '3/60' })
  try {
    const services = servicesOf(portal)
    const clientId = await services.register()
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    const begin = (from = portal.browser()) =>
      from.get(services.requestFor(clientId, { prompt: 'login' }), { accept: 'text/html' })
    while ((await begin()).statusCode === 303);
    for (const status of [303, 303, 303, 429]) expect((await begin(browser)).statusCode).toBe(status)
    // A code needs no new sign-in.
    expect((await browser.get(services.requestFor(clientId))).headers.location).toContain('code=')
  } finally {
    await portal.close()
  }
})
