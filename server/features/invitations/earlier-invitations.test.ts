import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

// What became of invitations that were accounts: migration 0016, on data of before.

const directory = mkdtempSync(join(tmpdir(), 'vestibule-migrations-'))
let database: TestDatabase
let owner: pg.Client
const rowsOf = async (statement: string) => (await owner.query(statement)).rows
const upTo = async (number: string) => {
  for (const file of readdirSync(migrationsFolder).filter((name) => name < `${number}~`))
    cpSync(join(migrationsFolder, file), join(directory, file))
  const appRole = new URL(database.appUrl).username
  await migrate({ ownerUrl: database.ownerUrl, appRole, directory, say: () => {} })
}

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [a, b, service] = [id(1), id(2), id(3)]
const people = {
  active: id(10),
  invited: id(11),
  accepted: id(12),
  both: id(13),
  lost: id(14),
  first: id(15),
  root: id(16),
}

beforeAll(async () => {
  database = await createTestDatabase({ bare: true })
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  await upTo('0015')
  await owner.query(`
    insert into organizations (organization_id, name, login_method) values ('${a}', 'A', 'local'), ('${b}', 'B', 'bankid');
    insert into services (service_id, name, url) values ('${service}', 'Journal', 'https://journal.example');
    insert into organization_services (organization_id, service_id, max_number_of_users) values ('${a}', '${service}', 5);
    insert into users (account_id, email, first_name, last_name, login_method, pending, super_user) values
      ('${people.active}', 'active@a.example', 'Active', 'Person', 'local', false, false),
      ('${people.invited}', 'invited@a.example', 'Åsa', null, 'local', true, false),
      ('${people.accepted}', 'accepted@b.example', 'Accepted', 'Person', 'bankid', true, false),
      ('${people.both}', 'both@b.example', 'Both', 'Person', 'bankid', true, false),
      ('${people.lost}', 'lost@a.example', null, null, 'local', true, false),
      ('${people.first}', 'first@vestibule.example', null, null, 'local', true, true),
      ('${people.root}', 'root@vestibule.example', 'Root', 'User', 'local', false, true);
    insert into memberships (account_id, organization_id, user_role) values
      ('${people.active}', '${a}', 'regular'), ('${people.invited}', '${a}', 'organizationAdmin'),
      ('${people.invited}', '${b}', 'regular'), ('${people.accepted}', '${b}', 'regular'),
      ('${people.both}', '${a}', 'regular'), ('${people.both}', '${b}', 'regular');
    insert into service_assignments (account_id, organization_id, service_id, user_role) values
      ('${people.active}', '${a}', '${service}', 'regular'), ('${people.invited}', '${a}', '${service}', 'serviceAdmin');
    insert into outbox_messages (id, kind, template, recipient, language, account_id, sealed) values
      ('${id(50)}', 'mail', 'user-invite', 'invited@a.example', 'sv', '${people.invited}', 'sealed');
    insert into invitations (invitation_id, account_id, organization_id, email, login_method, token_version, expires_at,
      accepted_at, outbox_id) values
      ('${id(20)}', '${people.active}', '${a}', 'active@a.example', 'local', 1, now() + interval '1 day', now(), null),
      ('${id(21)}', '${people.invited}', '${a}', 'invited@a.example', 'local', 3, now() + interval '1 day', null, '${id(50)}'),
      ('${id(22)}', '${people.accepted}', '${b}', 'accepted@b.example', 'bankid', 1, now(), now(), null),
      ('${id(23)}', '${people.both}', '${b}', 'both@b.example', 'bankid', 1, now(), now(), null),
      ('${id(24)}', '${people.both}', '${a}', 'both@b.example', 'bankid', 2, now() + interval '1 day', null, null),
      ('${id(25)}', '${people.first}', null, 'first@vestibule.example', 'local', 1, now() + interval '1 day', null, null)`)
  await upTo('0016')
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
  rmSync(directory, { recursive: true })
})

test('people who had not accepted have no account any more, and the others keep theirs', async () => {
  expect(await rowsOf('select email, pending, email_proof from users order by email')).toEqual([
    { email: 'accepted@b.example', pending: true, email_proof: null },
    { email: 'active@a.example', pending: false, email_proof: null },
    { email: 'both@b.example', pending: true, email_proof: null },
    { email: 'root@vestibule.example', pending: false, email_proof: 'operator' },
  ])
})

test('memberships are those that were accepted, and seats are counted by them', async () => {
  const members = await rowsOf(`
    select u.email, o.name from memberships m join users u using (account_id) join organizations o using (organization_id)
    order by 1, 2`)
  expect(members.map(({ email, name }) => `${email} ${name}`)).toEqual([
    'accepted@b.example B',
    'active@a.example A',
    'both@b.example B',
  ])
  expect(await rowsOf('select seats_used from organization_services')).toEqual([{ seats_used: 1 }])
  expect(await rowsOf('select name, member_count from organizations order by name')).toEqual([
    { name: 'A', member_count: 1 },
    { name: 'B', member_count: 2 },
  ])
})

test('what was not accepted waits with its link, role, names and services', async () => {
  const invitations = await rowsOf(`
    select invitation_id, i.email, o.name, i.user_role, first_name, token_version, expires_at > now() as open, outbox_id
    from invitations i left join organizations o using (organization_id) order by i.email, o.name`)
  expect(invitations.map(({ invitation_id: _, ...rest }) => Object.values(rest).join(' '))).toEqual([
    'both@b.example A regular Both 2 true ',
    'first@vestibule.example  regular  1 true ',
    `invited@a.example A organizationAdmin Åsa 3 true ${id(50)}`,
    // No link was ever mailed for it.
    'invited@a.example B regular Åsa 1 false ',
  ])
  expect(invitations.map((one) => one.invitation_id)).toEqual(expect.arrayContaining([id(21), id(24), id(25)]))
  expect(await rowsOf('select invitation_id, service_id, user_role from invitation_services')).toEqual([
    { invitation_id: id(21), service_id: service, user_role: 'serviceAdmin' },
  ])
})

test('queued mail is still sent, and the counts of the lists match their rows', async () => {
  expect(await rowsOf('select state, account_id from outbox_messages')).toEqual([{ state: 'queued', account_id: null }])
  expect(await rowsOf('select email from directory order by email')).toHaveLength(7)
  expect(await rowsOf('select sum(users)::integer as users from list_counts')).toEqual([{ users: 7 }])
})
