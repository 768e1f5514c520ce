import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// A test number of the tax agency.
const ssn = '199908072391'
let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal.close())

const eventsOf = async (accountId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes'])
    .where('targetId', '=', accountId)
    .where('name', '=', 'revealSsn')
    .execute()

test('a super user sees a masked number, shows the whole one after a fresh sign-in, and leaves an event', async () => {
  const { accountId } = await portal.person({ ssn })
  expect((await root.get(`/api/users/${accountId}/organization/-/service/-`)).json().ssn).toBe('19990807-****')
  expect((await root.post(`/api/users/${accountId}/ssn/reveal`)).json()).toEqual({ ssn })
  expect(await eventsOf(accountId)).toEqual([{ name: 'revealSsn', changes: [] }])
  // What was masked and is sent back changes nothing.
  const answer = await root.put('/api/users', { accountId, firstName: 'Ärla', ssn: '19990807-****' })
  expect(answer.json()).toMatchObject({ firstName: 'Ärla', ssn: '19990807-****' })
  expect((await root.post(`/api/users/${accountId}/ssn/reveal`)).json()).toEqual({ ssn })
})

test('someone without a number has nothing to show: no event', async () => {
  const { accountId } = await portal.person()
  expect((await root.post(`/api/users/${accountId}/ssn/reveal`)).json()).toEqual({ ssn: null })
  expect(await eventsOf(accountId)).toEqual([])
})

test('a sign-in of over ten minutes ago is not enough', async () => {
  const { accountId } = await portal.person({ ssn: '191212121212' })
  portal.advance(10 * 60 + 1)
  const answer = await root.post(`/api/users/${accountId}/ssn/reveal`)
  expect([answer.statusCode, answer.json().message]).toEqual([403, 'freshProofRequired'])
  expect(await eventsOf(accountId)).toEqual([])
})
