import { setTimeout as wait } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenForLogouts, logoutsOf } from '#test/logouts.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { endExpiredSessions, startSessionEnds } from './expired-sessions.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let receiver: Awaited<ReturnType<typeof listenForLogouts>>
beforeAll(async () => {
  portal = await testApp({ SESSION_IDLE_MINUTES: '30' })
  services = servicesOf(portal)
  receiver = await listenForLogouts()
})
afterAll(async () => {
  await receiver.close()
  await portal.close()
})

test('a session whose time is over ends at its services: tokens die, and they are told, once', async () => {
  const { db } = portal.system
  const clientId = await services.register({ backchannelLogoutUri: receiver.url })
  const person = await portal.person()
  const { tokens } = await services.signInTo(clientId, person)
  portal.advance(20 * 60)
  const later = await services.signInTo(clientId, person)
  portal.advance(11 * 60)
  // Two processes look at the same time.
  const ended = await Promise.all([endExpiredSessions(db, portal.now()), endExpiredSessions(db, portal.now())])
  expect(ended.reduce((sum, count) => sum + count)).toBe(1)
  expect(await logoutsOf(portal).deliver()).toEqual([])
  const { sid } = decodeJwt(tokens.id_token)
  expect(receiver.tokens.map((token) => decodeJwt(token))).toMatchObject([
    { aud: clientId, sub: person.accountId, sid },
  ])
  expect(await services.renew(clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  // The one on another device goes on.
  expect(await services.renew(clientId, later.tokens.refresh_token)).toHaveProperty('access_token')
  expect(await endExpiredSessions(db, portal.now())).toBe(0)
})

test('a portal that runs finds them by itself within seconds, and stops when it is told to', async () => {
  const { db, clock, log } = portal.system
  await services.signInTo(await services.register({ backchannelLogoutUri: receiver.url }), await portal.person())
  portal.advance(31 * 60)
  const sessionsLeft = async () =>
    (await db.selectFrom('sessions').select('uid').where('expiresAt', '<', clock()).execute()).length
  expect(await sessionsLeft()).toBeGreaterThan(0)
  const ends = startSessionEnds({ db, clock, log })
  try {
    for (let tries = 0; tries < 50 && (await sessionsLeft()) > 0; tries++) await wait(100)
  } finally {
    await ends.stop()
  }
  expect(await sessionsLeft()).toBe(0)
})
