import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '#server/platform/secrets/tokens.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

const timeout = 240_000
const token = `vst_scim_${randomBytes(32).toString('base64url')}`
const domain = 'company.example'
const members = 300
/** One event for each 100 people. */
const eventsOfChange = 3

let database: TestDatabase
let owner: pg.Client
let folder: ReturnType<typeof temporaryDataDir>
let server: ServerProcess | undefined
let everybody: { value: string }[]
let groupId: string

/** An organisation whose admin has made the token and has made a group of the directory one here, which gives a service. */
const scene = [
  `insert into saml_configs (name, url, domain, certificate) values ('Company', 'https://${domain}/sso', 'https://${domain}', 'none')`,
  `insert into organizations (organization_id, name, login_method, saml_config_id)
   select gen_random_uuid(), 'Company', 'saml', id from saml_configs`,
  "insert into services (service_id, name, url) values (gen_random_uuid(), 'Journal', 'https://journal.example')",
  'insert into organization_services (organization_id, service_id) select organization_id, service_id from organizations, services',
  "insert into groups (group_id, organization_id, name) select gen_random_uuid(), organization_id, 'Surgery' from organizations",
  'insert into group_services (group_id, organization_id, service_id) select group_id, organization_id, service_id from groups, services',
  `insert into users (account_id, email, login_method, email_proof, email_proven_at)
   select gen_random_uuid(), 'person' || n || '@${domain}', 'local', 'mailedLink', now() from generate_series(0, ${members}) n`,
  `insert into memberships (account_id, organization_id, entry, user_role)
   select account_id, organization_id, 'joined', case when email like 'person0@%' then 'organizationAdmin' else 'regular' end
   from users, organizations`,
  `insert into scim_users (scim_user_id, organization_id, account_id, user_name, attributes, active, email, created_at, updated_at)
   select gen_random_uuid(), organization_id, account_id, email, '{}', true, email, now(), now()
   from users, organizations where email not like 'person0@%'`,
  `insert into scim_groups (scim_group_id, organization_id, display_name, group_id, decided_by, created_at, updated_at)
   select gen_random_uuid(), organization_id, 'Surgeons', group_id, account_id, now(), now()
   from groups, users where email like 'person0@%'`,
]

beforeAll(async () => {
  folder = temporaryDataDir()
  database = await createTestDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  for (const statement of scene) await owner.query(statement)
  await owner.query(
    `insert into scim_tokens (token_id, organization_id, name, token_hash, created_by, answers_for, by_operator, created_at, expires_at)
     select gen_random_uuid(), organization_id, 'Entra', $1, account_id, account_id, false, now(), now() + interval '1 day'
     from organizations, users where email like 'person0@%'`,
    [hashToken(token)],
  )
  everybody = (await owner.query('select scim_user_id as value from scim_users')).rows
  groupId = (await owner.query('select scim_group_id as id from scim_groups')).rows[0].id
}, timeout)
afterAll(async () => {
  server?.signal('SIGKILL')
  await server?.ended
  await owner?.end()
  await database?.drop()
  folder?.remove()
})

async function start(): Promise<ServerProcess> {
  const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, LIMIT_SCIM: '99999/60' }
  server = await startServerProcess({ dataDir: folder.dataDir, env })
  await server.ready
  return server
}

/** Status and body; undefined where the server died. */
const call = ({ url }: ServerProcess, method: string, path: string, body?: object) =>
  fetch(`${url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    ...(body && { body: JSON.stringify(body) }),
  }).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => undefined,
  )

const changeGroup = (running: ServerProcess, op: 'Add' | 'Remove') =>
  call(running, 'PATCH', `/Groups/${groupId}`, { Operations: [{ op, path: 'members', value: everybody }] })

/** As a directory does it: it looks first, since the answer to an earlier try may have been lost. */
async function addPerson(running: ServerProcess, userName: string) {
  const found = await call(running, 'GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)
  if (!found || JSON.parse(found.text).totalResults > 0) return found
  const emails = [{ value: userName, type: 'work', primary: true }]
  return call(running, 'POST', '/Users', { userName, emails, active: true })
}

/** Everything that the requests write, in one snapshot. */
async function written() {
  const { rows } = await owner.query(`select
    (select count(*)::int from scim_group_members) as members,
    (select count(*)::int from group_members where source = 'directory') as "inGroup",
    (select count(*)::int from service_assignments) as services,
    (select seats_used from organization_services) as seats,
    (select version - 1 from scim_groups) as changes,
    (select count(*)::int from scim_log where method = 'PATCH' and 'changed' = any (deeds)) as "loggedChanges",
    (select count(*)::int from audit_events where name = 'updateGroupMembers') as "changeEvents",
    (select count(*)::int from scim_users where user_name like 'new-%') as people,
    (select count(*)::int from scim_users where user_name like 'new-%' and account_id is not null) as linked,
    (select count(*)::int from users where email like 'new-%') as accounts,
    (select count(*)::int from current_memberships join users using (account_id) where users.email like 'new-%') as memberships,
    (select count(*)::int from scim_log where method = 'POST') as "loggedPeople",
    (select count(*)::int from audit_events where name = 'createUser') as "createEvents"`)
  return rows[0]
}

/** Nothing is half: all that a request writes says the same. */
async function expectNothingHalf() {
  const {
    members: has,
    inGroup,
    services,
    seats,
    changes,
    loggedChanges,
    changeEvents,
    people,
    ...of
  } = await written()
  expect([0, members]).toContain(has)
  expect([inGroup, services, seats]).toEqual([has, has, has])
  expect([loggedChanges, changeEvents]).toEqual([changes, changes * eventsOfChange])
  expect(of).toEqual({
    ...{ linked: people, accounts: people, memberships: people },
    ...{ loggedPeople: people, createEvents: people },
  })
  return people
}

test('a node that is killed while a directory changes 300 members and adds people leaves each request whole or not at all, and another try ends right', {
  timeout,
}, async () => {
  const sent: string[] = []
  let cut = 0
  for (const [round, pause] of [0, 60, 250].entries()) {
    const running = await start()
    let isAlive = true
    let answered = 0
    const repeat = async (send: (turn: number) => Promise<{ status: number } | undefined>) => {
      for (let turn = 0; isAlive; turn++) (await send(turn)) ? answered++ : cut++
    }
    const work = [
      repeat((turn) => changeGroup(running, turn % 2 === 0 ? 'Add' : 'Remove')),
      repeat((turn) => {
        const userName = `new-${round}-${turn}@${domain}`
        sent.push(userName)
        return addPerson(running, userName)
      }),
    ]
    await expect.poll(() => answered, { timeout: 60_000, interval: 5 }).toBeGreaterThan(2)
    await wait(pause)
    isAlive = false
    running.signal('SIGKILL')
    await running.ended
    await Promise.all(work)
    await expectNothingHalf()
  }
  expect(cut).toBeGreaterThan(0)
  const running = await start()
  expect((await changeGroup(running, 'Add'))?.status).toBe(204)
  for (const userName of sent) expect((await addPerson(running, userName))?.status).toBeLessThan(300)
  expect(await expectNothingHalf()).toBe(new Set(sent).size)
  expect((await written()).members).toBe(members)
})
