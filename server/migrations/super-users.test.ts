import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'

let database: ConnectedDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await connectTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.close()
})

const file = readFileSync(join(import.meta.dirname, '0019-super-users-sign-in-by-themselves.sql'), 'utf8')

test('a super user who signed in with SAML gets a password method, with an event; others keep theirs', async () => {
  await owner.query('alter table users drop constraint user_super_is_never_saml')
  const { rows } = await owner.query(`insert into saml_configs (name, url, domain, certificate)
    values ('Fjällrå', 'https://fjallra.example/sso', 'https://fjallra.example', 'none') returning id`)
  for (const [email, superUser] of [
    ['root@fjallra.example', true],
    ['user@fjallra.example', false],
  ])
    await owner.query(
      `insert into users (account_id, email, first_name, last_name, login_method, saml_config_id, super_user,
          email_proof, email_proven_at)
        values (gen_random_uuid(), $1, 'Sam', 'Lind', 'saml', $2, $3, 'mailedLink', now())`,
      [email, rows[0].id, superUser],
    )
  await owner.query(`begin; ${file}; commit`)

  const people = await owner.query(`select email, login_method as method, super_user, saml_config_id is null as freed,
    auth_epoch as epoch, version from users order by email`)
  expect(people.rows).toEqual([
    { email: 'root@fjallra.example', method: 'local', super_user: true, freed: true, epoch: 2, version: 2 },
    { email: 'user@fjallra.example', method: 'saml', super_user: false, freed: false, epoch: 1, version: 1 },
  ])
  const events = await owner.query('select name, target, changes from audit_events')
  expect(events.rows).toEqual([
    {
      name: 'updateUser',
      target: 'root@fjallra.example',
      changes: [{ property: 'loginMethod', previousValue: 'saml', newValue: 'local' }],
    },
  ])
  expect(await verifyAuditChain(owner)).toMatchObject({ intact: true })
  await expect(
    owner.query(`update users set super_user = true where email = 'user@fjallra.example'`),
  ).rejects.toMatchObject({ constraint: 'user_super_is_never_saml' })
})
