import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { setUsualFactor } from './factors/factors.repository.ts'
import { findRecovery, insertRecovery } from './factors/recoveries.repository.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('what somebody chooses to be asked for at sign-in changes nothing for anybody else', async () => {
  const [one, other] = [await portal.person(), await portal.person()]
  await setUsualFactor(portal.system.db, one.accountId, 'email')
  const usual = async ({ accountId }: Person) =>
    (await portal.system.pool.query('select usual_factor from users where account_id = $1', [accountId])).rows[0]
      .usual_factor
  expect([await usual(one), await usual(other)]).toEqual(['email', null])
})

test('who must add a factor still must after choosing none, and no longer after choosing one', async () => {
  const { db, pool } = portal.system
  const { accountId } = await portal.person()
  await pool.query('update users set must_enrol = true where account_id = $1', [accountId])
  const must = async () =>
    (await pool.query('select must_enrol from users where account_id = $1', [accountId])).rows[0].must_enrol
  await setUsualFactor(db, accountId, null)
  expect(await must()).toBe(true)
  await setUsualFactor(db, accountId, 'email')
  expect(await must()).toBe(false)
})

test('an app that is older than a recovery, or of somebody else, does not stop it; one that was used since does', async () => {
  const { db, pool } = portal.system
  const [person, admin] = [await portal.person(), await portal.person()]
  const askedAt = portal.now()
  const hour = 3_600_000
  const addApp = ({ accountId }: Person, createdAt: number) =>
    pool.query(
      `insert into authenticator_apps (account_id, secret_sealed, last_step, created_at) values ($1, '\\x00', 0, $2)`,
      [accountId, new Date(createdAt)],
    )
  await insertRecovery(db, {
    ...{ accountId: person.accountId, askedBy: admin.accountId, reason: 'lost', askedAt },
    dueAt: new Date(askedAt.getTime() + 24 * hour),
  })
  await addApp(person, askedAt.getTime() - hour)
  await addApp(admin, askedAt.getTime() + hour)
  const use = (at: number) =>
    pool.query('update authenticator_apps set last_used_at = $2 where account_id = $1', [
      person.accountId,
      new Date(at),
    ])
  expect(await findRecovery(db, person.accountId)).toMatchObject({ reason: 'lost' })
  await use(askedAt.getTime())
  expect(await findRecovery(db, person.accountId)).toMatchObject({ reason: 'lost' })
  await use(askedAt.getTime() + 1)
  expect(await findRecovery(db, person.accountId)).toBeUndefined()
})
