import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBackgroundWork } from '#server/background-work.ts'
import { listenForLogouts, logoutsOf } from '#test/logouts.ts'
import type { Person } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let logouts: ReturnType<typeof logoutsOf>
let receiver: Awaited<ReturnType<typeof listenForLogouts>>
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  logouts = logoutsOf(portal)
  receiver = await listenForLogouts()
})
afterAll(async () => {
  await receiver.close()
  await portal.close()
})
beforeEach(async () => {
  receiver.tokens.length = 0
  await portal.system.db.deleteFrom('logoutDeliveries').execute()
})

const register = (more: { serviceId?: string; name?: string } = {}) =>
  services.register({ backchannelLogoutUri: receiver.url, ...more })

/** What the services were told, by their own check of the token. */
const told = () => receiver.tokens.map((token) => decodeJwt(token)).map(({ aud, sub, sid }) => ({ aud, sub, sid }))

/** A service that two organisations have; the person has it in both. */
async function serviceInTwoPlaces() {
  const { serviceId } = await portal.service()
  const person = await portal.person()
  const [alfa, beta] = [await portal.organization(), await portal.organization()]
  for (const { organizationId } of [alfa, beta]) {
    await portal.offer(organizationId, serviceId)
    await portal.join(person.accountId, organizationId)
    await portal.assign(person.accountId, organizationId, serviceId)
  }
  return { serviceId, person, alfa: alfa.organizationId, beta: beta.organizationId }
}

const superUser = async () => portal.signedIn(await portal.person({ superUser: true }))
const sidOf = (tokens: { id_token: string }) => decodeJwt(tokens.id_token).sid

describe('a logout token', () => {
  test('follows Back-Channel Logout 1.0, as a receiver with jose reads it', async () => {
    const clientId = await register()
    const person = await portal.person()
    const { browser, tokens } = await services.signInTo(clientId, person)
    await browser.submit('/logout', {})
    expect(await logouts.deliver()).toEqual([])
    const jwks = createLocalJWKSet((await browser.get('/oidc/jwks')).json())
    const { payload, protectedHeader } = await jwtVerify(receiver.tokens[0] ?? '', jwks, {
      issuer: 'http://portal.test/oidc',
      audience: clientId,
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'exp', 'jti', 'sub', 'sid', 'events'],
      maxTokenAge: '2 minutes',
    })
    expect(protectedHeader.typ).toBe('logout+jwt')
    expect(payload).toMatchObject({
      sub: person.accountId,
      sid: sidOf(tokens),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(payload).not.toHaveProperty('nonce')
    expect(await logouts.statesAt(clientId)).toEqual([['told', null, 1]])
  })

  test('is sent again, newly signed, until the service has confirmed it', async () => {
    const clientId = await register()
    const { browser } = await services.signInTo(clientId, await portal.person())
    await browser.submit('/logout', {})
    receiver.answers.push(500, 400, 204)
    expect(await logouts.deliver()).toEqual([expect.stringContaining('HTTP 500')])
    expect(await logouts.statesAt(clientId)).toEqual([['queued', 'HTTP 500', 1]])
    expect(await logouts.deliver()).toEqual([expect.stringContaining('HTTP 400')])
    expect(await logouts.deliver()).toEqual([])
    expect(await logouts.statesAt(clientId)).toEqual([['told', null, 3]])
    expect(new Set(receiver.tokens.map((token) => decodeJwt(token).jti)).size).toBe(3)
    // Nothing is left to do.
    expect(await logouts.deliver()).toEqual([])
    expect(receiver.tokens).toHaveLength(3)
  })

  test('that never arrives leaves its reason behind', async () => {
    const clientId = await services.register({ backchannelLogoutUri: 'http://127.0.0.1:1/backchannel' })
    const { browser } = await services.signInTo(clientId, await portal.person())
    expect((await browser.submit('/logout', {})).statusCode).toBe(303)
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    expect(await logouts.deliver()).toHaveLength(1)
    for (const { id } of await logouts.queued()) await logouts.delivery.giveUp(id)
    expect(await logouts.statesAt(clientId)).toEqual([['failed', 'unreachable', 1]])
    const event = portal.system.db.selectFrom('auditEvents').selectAll().where('name', '=', 'signOutNotDelivered')
    expect(await event.execute()).toMatchObject([
      {
        actorId: null,
        target: 'Journal',
        changes: expect.arrayContaining([expect.objectContaining({ newValue: clientId })]),
      },
    ])
  })

  test('is not sent for a sign-out that was rolled back', async () => {
    const clientId = await register()
    const person = await portal.person()
    const { browser } = await services.signInTo(clientId, person)
    const { endAllSessions } = await import('../end-sessions.ts')
    const failing = portal.system.db.transaction().execute(async (trx) => {
      await endAllSessions(trx, person.accountId)
      throw new Error('afterwards')
    })
    await expect(failing).rejects.toThrow('afterwards')
    expect(await logouts.queued()).toEqual([])
    expect((await browser.get('/api/me')).statusCode).toBe(200)
  })
})

describe('services are told of', () => {
  test('every session that ends: the own sign-out, another device, a new password, the eleventh sign-in', async () => {
    const clientId = await register()
    const person = await portal.person()
    const first = await services.signInTo(clientId, person)
    const second = await services.signInTo(clientId, person)
    const ended = await second.browser.delete('/api/profile/sessions')
    expect(ended.statusCode).toBe(204)
    await logouts.deliver()
    expect(told()).toEqual([{ aud: clientId, sub: person.accountId, sid: sidOf(first.tokens) }])
    receiver.tokens.length = 0
    for (let each = 0; each < 10; each++) {
      portal.advance(300)
      await portal.signedIn(person)
    }
    await logouts.deliver()
    expect(told()).toEqual([{ aud: clientId, sub: person.accountId, sid: sidOf(second.tokens) }])
  })

  test('a deleted account', async () => {
    const clientId = await register()
    const person = await portal.person()
    const { tokens } = await services.signInTo(clientId, person)
    expect((await (await superUser()).delete(`/api/users/${person.accountId}`)).statusCode).toBe(204)
    await logouts.deliver()
    expect(told()).toEqual([{ aud: clientId, sub: person.accountId, sid: sidOf(tokens) }])
    expect((await services.renew(clientId, tokens.refresh_token)).error).toBe('invalid_grant')
  })

  test('an account that becomes passive', async () => {
    const clientId = await register()
    const person = await portal.person()
    const { tokens } = await services.signInTo(clientId, person)
    const { endAllSessions } = await import('../end-sessions.ts')
    await portal.system.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('users')
        .set({ passiveAt: portal.now() })
        .where('accountId', '=', person.accountId)
        .execute()
      await endAllSessions(trx, person.accountId)
    })
    await logouts.deliver()
    expect(told()).toHaveLength(1)
    expect((await services.renew(clientId, tokens.refresh_token)).error).toBe('invalid_grant')
  })

  const withdrawals: [
    string,
    (place: { person: Person; organizationId: string; serviceId: string }) => string,
    boolean?,
  ][] = [
    [
      'a service that is taken back',
      ({ person, organizationId, serviceId }) =>
        `/api/services/${serviceId}/${organizationId}/users/${person.accountId}`,
    ],
    [
      'a membership that ends',
      ({ person, organizationId }) => `/api/users/${person.accountId}/organization/${organizationId}`,
    ],
    ['an organisation that is deleted', ({ organizationId }) => `/api/organizations/${organizationId}?force=true`],
  ]
  test.each(withdrawals)('%s, once the person has the service nowhere else', async (_, addressOf) => {
    const { serviceId, person, alfa, beta } = await serviceInTwoPlaces()
    const clientId = await register({ serviceId })
    const other = await register()
    const { browser, tokens } = await services.signInTo(clientId, person)
    await services.signInTo(other, person, browser)
    const admin = await superUser()
    const withdraw = async (organizationId: string) => {
      const { statusCode } = await admin.delete(addressOf({ person, organizationId, serviceId }))
      expect(statusCode).toBe(204)
      await logouts.deliver()
    }
    await withdraw(alfa)
    expect(told()).toEqual([])
    await withdraw(beta)
    expect(told()).toEqual([{ aud: clientId, sub: person.accountId, sid: sidOf(tokens) }])
    // The portal and the other service go on.
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    // Given back, the service needs a new sign-in: the old token stays dead.
    expect((await services.renew(clientId, tokens.refresh_token)).error).toBe('invalid_grant')
    await browser.submit('/logout', {})
    await logouts.deliver()
    expect(told().map(({ aud }) => aud)).toEqual([clientId, other])
  })
})

test('the page after a sign-out says which services were told, and no other browser reads it', async () => {
  const [told, silent] = [await register({ name: 'Journal' }), await services.register({ name: 'Arkiv' })]
  const person = await portal.person()
  const { browser } = await services.signInTo(told, person)
  await services.signInTo(silent, person, browser)
  const out = await browser.submit('/logout', {})
  expect(out.headers.location).toBe('/signed-out')
  const list = async () => (await browser.get('/signed-out/services')).json().services
  expect(await list()).toEqual([
    { name: 'Arkiv', state: 'untold', frame: null },
    { name: 'Journal', state: 'queued', frame: null },
  ])
  await logouts.deliver()
  expect((await list())[1]).toEqual({ name: 'Journal', state: 'told', frame: null })
  const stranger = portal.browser()
  stranger.setCookie('signed-out', String(browser.cookies('/signed-out')['signed-out']), '/signed-out')
  expect((await stranger.get('/signed-out/services')).json()).toEqual({ services: [], onward: null })
})

test('a service that does not answer holds up no other, and the others hear within ten seconds', async () => {
  const dead = await services.register({ backchannelLogoutUri: 'http://127.0.0.1:1/backchannel' })
  const alive = await register()
  const { system, provider, ownerUrl } = portal
  const background = startBackgroundWork(system, { appUrl: ownerUrl, appRole: undefined, provider })
  try {
    for (let each = 0; each < 20; each++) {
      const person = await portal.person()
      const { browser } = await services.signInTo(dead, person)
      await services.signInTo(alive, person, browser)
      await browser.submit('/logout', {})
      portal.advance(600)
    }
    const since = performance.now()
    // Of each person, at least once: the clock goes on while a token is on its way, which may be sent again.
    const heardOf = () => new Set(told().map(({ sub }) => sub)).size
    await expect.poll(heardOf, { timeout: 10_000, interval: 50 }).toBe(20)
    expect(performance.now() - since).toBeLessThan(10_000)
    // The last state is written after its answer.
    const areTold = async () => (await logouts.statesAt(alive)).every(([state]) => state === 'told')
    await expect.poll(areTold).toBe(true)
    expect((await logouts.statesAt(dead)).every(([state]) => state === 'queued')).toBe(true)
  } finally {
    await background.stop()
  }
}, 60_000)
