import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#contract/users/users.ts'
import type { Client } from '#test/client.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { removeExpired } from '../jobs/remove-expired.ts'
import type { Session } from '../system.ts'
import { createIdempotentRequest } from './idempotency.ts'

let portal: TestApp
let root: Client

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const service = (name: string) => ({ name, url: 'https://service.example' })
const named = async (name: string) =>
  (await portal.system.db.selectFrom('services').select('serviceId').where('name', '=', name).execute()).length
const withKey = (key: string) => ({ 'idempotency-key': key })
const newUser = (email: string) => ({
  email,
  firstName: 'New',
  lastName: 'Person',
  ssn: '199908072391',
  loginMethod: 'local',
  password: testPassword,
  confirmNewPassword: testPassword,
})

test('a repeated request with the same key is done once and answered as before', async () => {
  const first = await root.post('/api/services', service('Once'), withKey('once'))
  const second = await root.post('/api/services', service('Once'), withKey('once'))
  expect([first.statusCode, second.statusCode]).toEqual([201, 201])
  expect(second.json()).toEqual(first.json())
  expect(second.headers).toMatchObject({
    'idempotency-replayed': 'true',
    'content-type': first.headers['content-type'],
  })
  expect(await named('Once')).toBe(1)
  // Without the key, or with another one, the request runs again.
  await root.post('/api/services', service('Once'), withKey('twice'))
  expect((await root.post('/api/services', service('Once'))).statusCode).toBe(201)
  expect(await named('Once')).toBe(3)
})

test('a request that hashes before its transaction, and one that answers nothing, are repeated alike', async () => {
  const added = [1, 2].map(() => root.post('/api/users', newUser('two@repeat.example'), withKey('person')))
  const [first, second] = await Promise.all(added)
  expect([first?.statusCode, second?.statusCode]).toEqual([201, 201])
  expect(second?.json()).toEqual(first?.json())
  const again = await root.post('/api/users', newUser('two@repeat.example'), withKey('person'))
  expect(again.statusCode).toBe(201)
  const { accountId } = again.json()
  for (let time = 0; time < 2; time++)
    expect((await root.delete(`/api/users/${accountId}`, withKey('erase'))).statusCode).toBe(204)
  expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(404)
})

test('of twenty concurrent requests with the same key, one runs and all get its answer', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => root.post('/api/services', service('Twenty'), withKey('twenty'))),
  )
  expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
  expect(responses.every(({ statusCode }) => statusCode === 201)).toBe(true)
  expect(await named('Twenty')).toBe(1)
})

test('an invitation that is sent twice at once with the same key is answered the same twice', async () => {
  const { organizationId } = await portal.organization()
  for (let round = 0; round < 5; round++) {
    const body = { email: `round${round}@repeat.example`, organizationId }
    const invite = () => root.post('/api/invites', body, withKey(`invite${round}`))
    const [first, second] = await Promise.all([invite(), invite()])
    expect([first.statusCode, second.statusCode, second.body]).toEqual([201, 201, first.body])
  }
})

test('a key that a process claimed before it ended is free again after a minute, if nothing was changed', async () => {
  const { db } = portal.system
  const send = () => root.post('/api/users', newUser('crash@repeat.example'), withKey('crash'))
  expect((await send()).statusCode).toBe(201)
  const left = { status: null, answerSealed: null, createdAt: portal.now() }
  const latest = db.selectFrom('idempotencyKeys').select('id').orderBy('createdAt', 'desc').limit(1)
  await db.updateTable('idempotencyKeys').set(left).where('id', '=', latest).execute()
  portal.advance(61)
  // It runs again, and finds the address taken.
  expect((await send()).statusCode).toBe(409)
})

test('the same key with another body is refused', async () => {
  await root.post('/api/services', service('Body'), withKey('body'))
  const other = await root.post('/api/services', service('Other body'), withKey('body'))
  expect([other.statusCode, other.json().message]).toEqual([422, 'idempotencyKeyReused'])
  expect(await named('Other body')).toBe(0)
})

test('a request that failed can be retried', async () => {
  const { accountId } = await portal.person()
  const { organizationId } = await portal.organization()
  const url = `/api/users/${accountId}/organization/${organizationId}`
  expect((await root.delete(url, withKey('failed'))).statusCode).toBe(404)
  await portal.join(accountId, organizationId)
  expect((await root.delete(url, withKey('failed'))).statusCode).toBe(204)
})

test('a request whose claim was rolled back does not take away the claim of the next one', async () => {
  const { db } = portal.system
  const request = {
    method: 'POST',
    url: '/api/users',
    headers: withKey('rolled-back'),
    body: {},
  } as unknown as FastifyRequest
  const actor = { accountId: '', superUser: true, organizations: [], services: [] }
  const session = { key: 'of a session', actor } as unknown as Session
  const send = () =>
    createIdempotentRequest(portal.system, {
      request,
      reply: {} as FastifyReply,
      route: users.create,
      session,
      now: portal.now(),
    })
  const [failing, next] = [send(), send()]
  const failed = new Error('failed')
  const outcome = failing?.once(
    async () => {
      await expect(
        db.transaction().execute(async (own) => {
          await failing.claim(own)
          throw failed
        }),
      ).rejects.toBe(failed)
      await next?.reserve()
      throw failed
    },
    async () => {},
  )
  await expect(outcome).rejects.toBe(failed)
  const held = await db.selectFrom('idempotencyKeys').select('id').where('status', 'is', null).execute()
  expect(held).toHaveLength(1)
})

test('another session with the same key gets its own answer', async () => {
  const other = await portal.signedIn(await portal.person({ superUser: true }))
  await root.post('/api/services', service('Session'), withKey('session'))
  expect((await other.post('/api/services', service('Session'), withKey('session'))).statusCode).toBe(201)
  expect(await named('Session')).toBe(2)
})

test('stored answers are encrypted in the database, and deleted after a day', async () => {
  const ssn = '201701102384'
  const added = await root.post('/api/users', { ...newUser('sealed@repeat.example'), ssn }, withKey('sealed'))
  const shown = await root.post(`/api/users/${added.json().accountId}/ssn/reveal`, undefined, withKey('shown'))
  expect(shown.json()).toEqual({ ssn })
  const rows = () => portal.system.db.selectFrom('idempotencyKeys').select('answerSealed').execute()
  for (const { answerSealed } of await rows()) expect(answerSealed?.includes(ssn) ?? false).toBe(false)
  expect((await rows()).length).toBeGreaterThan(0)
  await removeExpired(portal.system.db, new Date(portal.now().getTime() + 24 * 3600 * 1000 + 1), portal.system.config)
  expect(await rows()).toEqual([])
})

test('a stored request hash cannot be used to guess a password: it is keyed by the server', async () => {
  const body = newUser('hash@repeat.example')
  await root.post('/api/users', { ...body, ssn: null }, withKey('hash'))
  const plain = createHash('sha256')
    .update(JSON.stringify(['POST', '/api/users', { ...body, ssn: null }]))
    .digest()
  const kept = await portal.system.db.selectFrom('idempotencyKeys').select('requestHash').execute()
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.some(({ requestHash }) => requestHash.equals(plain))).toBe(false)
})

describe('a user who has lost a permission gets no stored answer', () => {
  const organizationWithAdmin = async () => {
    const { organizationId } = await portal.organization()
    const [admin, member] = [await portal.person(), await portal.person()]
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    await portal.join(member.accountId, organizationId)
    return { organizationId, admin, member, browser: await portal.signedIn(admin) }
  }
  const repeat = async (browser: Client, accountId: string) =>
    browser.put('/api/users', { accountId, firstName: 'Renamed' }, withKey('rename'))

  test('an admin, when the user has left the organisation', async () => {
    const { organizationId, member, browser } = await organizationWithAdmin()
    expect((await repeat(browser, member.accountId)).statusCode).toBe(200)
    expect((await repeat(browser, member.accountId)).headers['idempotency-replayed']).toBe('true')
    await root.delete(`/api/users/${member.accountId}/organization/${organizationId}`)
    expect((await repeat(browser, member.accountId)).statusCode).toBe(404)
  })

  test('a user who is no longer an organisation admin', async () => {
    const { organizationId, admin, member, browser } = await organizationWithAdmin()
    expect((await repeat(browser, member.accountId)).statusCode).toBe(200)
    await portal.system.db
      .updateTable('memberships')
      .set({ userRole: 'regular' })
      .where('accountId', '=', admin.accountId)
      .where('organizationId', '=', organizationId)
      .execute()
    expect((await repeat(browser, member.accountId)).statusCode).toBe(403)
  })

  test('a super user who is now an organisation admin, and would see more of the person', async () => {
    const { admin, member } = await organizationWithAdmin()
    const setSuperUser = (superUser: boolean) =>
      portal.system.db.updateTable('users').set({ superUser }).where('accountId', '=', admin.accountId).execute()
    await setSuperUser(true)
    const browser = await portal.signedIn(admin)
    const show = () => browser.post(`/api/users/${member.accountId}/ssn/reveal`, undefined, withKey('show'))
    await root.put('/api/users', { accountId: member.accountId, ssn: '191212121212' })
    expect((await show()).json()).toEqual({ ssn: '191212121212' })
    expect((await repeat(browser, member.accountId)).statusCode).toBe(200)
    await setSuperUser(false)
    expect((await show()).statusCode).toBe(403)
    const repeated = await repeat(browser, member.accountId)
    expect([repeated.statusCode, repeated.json().message]).toEqual([422, 'idempotencyKeyReused'])
  })
})

test('an invalid key is rejected', async () => {
  for (const key of ['', 'two words', 'x'.repeat(201)]) {
    const response = await root.post('/api/services', service('No key'), withKey(key))
    expect(response.json().issues, key).toEqual([{ path: 'Idempotency-Key', message: 'invalidValue' }])
  }
})
