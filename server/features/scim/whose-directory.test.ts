import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import { directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('the operator asks in vain for the directory, its log and its groups, of an organisation that does not exist', async () => {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const { organizationId } = await directoryOf(portal)
  const answers = (id: string) =>
    Promise.all(
      ['', '/log', '/groups'].map(
        async (path) => (await root.get(`/api/organizations/${id}/directory${path}`)).statusCode,
      ),
    )
  expect(await answers(organizationId)).toEqual([200, 200, 200])
  expect(await answers(newId())).toEqual([404, 404, 404])
})

test('a token that calls is noted as used, and no other', async () => {
  const [one, other] = [await directoryOf(portal), await directoryOf(portal)]
  await portal.system.pool.query('update scim_tokens set last_used_at = null')
  await one.call('GET', '/Users')
  const { rows } = await portal.system.pool.query(
    'select organization_id as id from scim_tokens where last_used_at is not null',
  )
  expect(rows).toEqual([{ id: one.organizationId }])
  await other.call('GET', '/Users')
  const all = await portal.system.pool.query('select from scim_tokens where last_used_at is not null')
  expect(all.rowCount).toBe(2)
})

test('a token that has ended is worth nothing, and its last use stays when it was', async () => {
  const here = await directoryOf(portal)
  await portal.system.pool.query('update scim_tokens set last_used_at = null, expires_at = $1', [portal.now()])
  expect((await here.call('GET', '/Users')).statusCode).toBe(401)
  const { rowCount } = await portal.system.pool.query('select from scim_tokens where last_used_at is not null')
  expect(rowCount).toBe(0)
})

test('the last use of a token is noted once a minute', async () => {
  const here = await directoryOf(portal)
  const start = portal.now().getTime()
  const used: number[] = []
  for (const seconds of [0, 30, 31]) {
    portal.advance(seconds)
    await here.call('GET', '/Users')
    const { rows } = await portal.system.pool.query(
      'select last_used_at as at from scim_tokens where organization_id = $1',
      [here.organizationId],
    )
    used.push((rows[0].at.getTime() - start) / 1000)
  }
  expect(used).toEqual([0, 0, 61])
})
