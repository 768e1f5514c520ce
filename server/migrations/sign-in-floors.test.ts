import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const file = readFileSync(join(import.meta.dirname, '0030-sign-in-floors.sql'), 'utf8')

test('memberships of before are opened, joined or guests by when and how they began', async () => {
  // As the version before left the tables.
  await owner.query(`
    drop function meets_floor;
    alter table memberships drop column entry;
    alter table invitations drop column guest;
    alter table organizations drop column require_login_method`)
  const { rows } = await owner.query(`insert into saml_configs (name, url, domain, certificate)
    values ('Myrby', 'https://myrby.example/sso', 'https://myrby.example', 'none') returning id`)
  await owner.query(
    `insert into organizations (organization_id, name, login_method, saml_config_id) values
      ('00000000-0000-7000-8000-00000000000a', 'Tallvik', 'local', null),
      ('00000000-0000-7000-8000-00000000000b', 'Granvik', 'bankid', null),
      ('00000000-0000-7000-8000-00000000000c', 'Myrby', 'saml', $1)`,
    [rows[0].id],
  )
  const [first, joiner] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
  for (const [id, email] of [
    [first, 'first@tallvik.example'],
    [joiner, 'joiner@tallvik.example'],
  ])
    await owner.query(
      `insert into users (account_id, email, login_method, email_proof, email_proven_at)
        values ($1, $2, 'local', 'mailedLink', now())`,
      [id, email],
    )
  const join = (accountId: string, organization: string, day: number) =>
    owner.query(
      `insert into memberships (account_id, organization_id, user_role, created_at) values ($1, $2, 'regular', $3)`,
      [accountId, `00000000-0000-7000-8000-00000000000${organization}`, new Date(Date.UTC(2026, 0, day))],
    )
  await join(first, 'a', 1)
  await join(first, 'b', 2)
  await join(first, 'c', 3)
  // The only membership, which the log says was joined with an account of elsewhere.
  await join(joiner, 'b', 4)
  await owner.query(
    `insert into audit_events (id, name, target_id, target, organization_ids, changes, request_id, created_at)
      values (gen_random_uuid(), 'joinOrganization', $1, 'joiner', $2, '[]', 'r', now())`,
    [joiner, ['00000000-0000-7000-8000-00000000000b']],
  )
  await owner.query(`begin; ${file}; commit`)

  const memberships =
    await owner.query(`select u.email, o.name, m.entry from memberships m join users u using (account_id)
    join organizations o using (organization_id) order by u.email, o.organization_id`)
  expect(memberships.rows.map(({ email, name, entry }) => [email, name, entry])).toEqual([
    ['first@tallvik.example', 'Tallvik', 'opened'],
    ['first@tallvik.example', 'Granvik', 'joined'],
    // Its people would be locked out overnight otherwise.
    ['first@tallvik.example', 'Myrby', 'guest'],
    ['joiner@tallvik.example', 'Granvik', 'joined'],
  ])
  // What the version before still adds was joined.
  await owner.query(`insert into memberships (account_id, organization_id, user_role) values ($1, $2, 'regular')`, [
    joiner,
    '00000000-0000-7000-8000-00000000000a',
  ])
  const added = await owner.query(`select entry from memberships where account_id = $1 and organization_id = $2`, [
    joiner,
    '00000000-0000-7000-8000-00000000000a',
  ])
  expect(added.rows).toEqual([{ entry: 'joined' }])
})
