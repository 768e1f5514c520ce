import { execFile } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const key = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
let database: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
})

interface Answer {
  code: number
  out: string
  err: string
}

const admin = (...words: string[]): Promise<Answer> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      MASTER_KEY: key,
    }
    execFile(process.execPath, [join(import.meta.dirname, 'admin.ts'), ...words], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

test('help lists the commands', async () => {
  const { code, out } = await admin('help')
  expect(code).toBe(0)
  for (const name of ['create-super-user', 'audit verify', 'keys rotate', 'settings']) expect(out).toContain(name)
})

test.each([
  [['nonsense'], 'Unknown command "nonsense"'],
  [['create-super-user'], '--email is required'],
  [['create-super-user', '--email', 'nobody'], 'nobody is not an e-mail address'],
  [['create-super-user', '--mail', 'a@nordvik.example'], "Unknown option '--mail'"],
  [['keys', 'rotate'], 'give one purpose, or --all'],
  [['keys', 'rotate', 'spare'], 'unknown purpose spare'],
  [['factors', 'reset', '--email', 'a@nordvik.example'], '--email and --reason are required'],
  [['audit', 'verify', '--known', 'x'], '--known expects a row and its hash'],
])('%j is refused with the usage', async (words, message) => {
  const { code, err } = await admin(...words)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

test('a super user is made once, with a password to be changed, and the audit log stays intact', async () => {
  const made = await admin('create-super-user', '--email', 'Anna@Nordvik.example', '--first-name', 'Anna')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toMatch(
    /anna@nordvik\.example is a super user now\.\nTemporary password: (?=.*[A-Z])(?=.*[0-9])\S{19}\n/,
  )
  const { rows } = await owner.query('select super_user, password_must_change, first_name, password_hash from users')
  // The full cost, as the server has it too; most tests have a cheap one.
  const password_hash = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(rows).toEqual([{ super_user: true, password_must_change: true, first_name: 'Anna', password_hash }])
  const again = await admin('create-super-user', '--email', 'anna@nordvik.example')
  expect(again.out).toContain('is a super user already')
  const audit = await admin('audit', 'verify')
  expect(audit).toMatchObject({ code: 0, out: expect.stringMatching(/intact: 1 events, head 1:[0-9a-f]{64}/) })
})

test('someone who signs in through a company is not made a super user', async () => {
  const { rows } = await owner.query(`insert into saml_configs (name, url, domain, certificate)
    values ('Fjällrå', 'https://fjallra.example/sso', 'https://fjallra.example', 'none') returning id`)
  await owner.query(
    `insert into users (account_id, email, first_name, last_name, login_method, saml_config_id)
      values (gen_random_uuid(), 'saml@fjallra.example', 'Sam', 'Lind', 'saml', $1)`,
    [rows[0].id],
  )
  const { out } = await admin('create-super-user', '--email', 'saml@fjallra.example')
  expect(out).toContain('saml@fjallra.example signs in through a company, which never lets a super user in')
  const { rows: people } = await owner.query(`select super_user from users where email = 'saml@fjallra.example'`)
  expect(people).toEqual([{ super_user: false }])
})

test('an account becomes a super user only once its address is proven, or for a reason that the log keeps', async () => {
  const add = (email: string, proof: string | null) =>
    owner.query(
      `insert into users (account_id, email, first_name, last_name, login_method, email_proof, email_proven_at)
       values (gen_random_uuid(), $1, 'Bo', 'Ek', 'local', $2::text, case when $2::text is not null then now() end)`,
      [email, proof],
    )
  await add('unproven@nordvik.example', null)
  await add('proven@nordvik.example', 'mailedLink')
  await add('known@nordvik.example', null)
  const refused = await admin('create-super-user', '--email', 'unproven@nordvik.example')
  expect(refused.out).toContain('Nobody has proven the address unproven@nordvik.example.')
  expect(refused.out).toContain('choose a new password by a mailed link first')
  const why = ['--unproven-reason', 'He is our second operator.']
  expect((await admin('create-super-user', '--email', 'known@nordvik.example', ...why)).out).toContain(
    'is a super user',
  )
  const { rows: events } = await owner.query(
    `select changes::text from audit_events where target = 'known@nordvik.example'`,
  )
  expect(events[0]?.changes).toContain('He is our second operator.')
  await owner.query(
    `insert into all_grants (account_id, role_key) select account_id, 'reader' from users where email = 'proven@nordvik.example'`,
  )
  const promoted = await admin('create-super-user', '--email', 'proven@nordvik.example')
  expect(promoted.out).toContain('is a super user now')
  const { rows } = await owner.query('select email, email_proof from users where super_user order by email')
  expect(rows).toEqual([
    { email: 'anna@nordvik.example', email_proof: 'operator' },
    { email: 'known@nordvik.example', email_proof: 'operator' },
    { email: 'proven@nordvik.example', email_proof: 'mailedLink' },
  ])
  // A super user may everything: the role in the portal is gone.
  expect((await owner.query('select from all_grants where organization_id is null')).rowCount).toBe(0)
})

test('somebody who has lost the app gets in again without it, is mailed, and the log has the reason', async () => {
  await admin('create-super-user', '--email', 'lost@nordvik.example')
  const { rows } = await owner.query(
    `insert into authenticator_apps (account_id, secret_sealed, last_step, created_at)
     select account_id, 'sealed'::bytea, 0, now() from users where email = 'lost@nordvik.example' returning account_id`,
  )
  await owner.query("update users set usual_factor = 'app' where account_id = $1", [rows[0].account_id])
  const answer = await admin('factors', 'reset', '--email', 'lost@nordvik.example', '--reason', 'lost the phone')
  expect([answer.code, answer.err]).toEqual([0, ''])
  expect(answer.out).toContain('Removed: authenticator app.')
  const left = await owner.query(
    `select usual_factor, (select count(*)::integer from authenticator_apps) as apps,
       (select count(*)::integer from outbox_messages where recipient = email) as mails,
       (select changes::text from audit_events where name = 'removeAuthenticatorApp') as told
     from users where email = 'lost@nordvik.example'`,
  )
  expect(left.rows).toMatchObject([{ usual_factor: null, apps: 0, told: expect.stringContaining('lost the phone') }])
  expect(left.rows[0].mails).toBeGreaterThan(0)
  expect((await admin('factors', 'reset', '--email', 'nobody@nordvik.example', '--reason', 'x')).code).toBe(1)
})

test('audit verify names the row that the owner of the database changed', async () => {
  await owner.query('alter table audit_events disable trigger all')
  await owner.query(`update audit_events set actor = 'somebody else'`)
  const { code, out } = await admin('audit', 'verify')
  expect(code).toBe(1)
  expect(out).toMatch(/broken at row 1 .*its content was changed/)
})

test('a rotation begins once', async () => {
  await admin('keys', 'rotate', 'fields')
  await admin('keys', 'rotate', 'fields')
  const { out } = await admin('keys', 'list')
  expect(out.match(/^fields +next/gm)).toHaveLength(1)
})

test.each([
  `name = '0001-saml-configs-organizations-services.sql'`,
  `name = '0001-schema.sql', sha256 = repeat('0', 64)`,
])(
  'a database of a version before the first release (%s) is refused in one line that says what to do',
  async (first) => {
    await owner.query(`update migrations set ${first} where number = 1; comment on table migrations is null`)
    expect(await admin('migrate')).toMatchObject({
      code: 1,
      err:
        'this database was made by a version before 0.3, of which nothing was released, or 0001-schema.sql was changed: ' +
        'name an empty database in DATABASE_URL\n',
    })
  },
)
