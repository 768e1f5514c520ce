import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invite } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { removeExpired } from '../../../platform/jobs/remove-expired.ts'
import { createOwnDataQueue } from './make-copy.ts'

let portal: TestApp
let owner: pg.Client
beforeAll(async () => {
  portal = await testApp()
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await portal?.close()
})

const queue = () => createOwnDataQueue(portal.system)
const copyOf = async ({ accountId }: Person) =>
  portal.system.db.selectFrom('dataCopies').selectAll().where('accountId', '=', accountId).executeTakeFirst()
async function makeCopy(person: Person): Promise<void> {
  await queue().deliver((await copyOf(person))?.copyId ?? '')
}
const eventsOf = async ({ accountId }: Person) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('targetId', '=', accountId)
      .where('name', 'like', '%OwnData')
      .orderBy('createdAt')
      .execute()
  ).map(({ name }) => name)

test('a person asks for a copy of their data, is mailed when it is ready, and downloads it', async () => {
  const person = await portal.person({ phoneNumber: '+46701740605', firstName: 'Ärla' })
  await portal.join(person.accountId, (await portal.organization()).organizationId)
  const own = await portal.signedIn(person)
  expect((await own.get('/api/profile/data')).json()).toEqual({ copy: null })
  expect((await own.get('/api/profile/data/json')).statusCode).toBe(404)
  expect((await own.post('/api/profile/data')).statusCode).toBe(204)
  expect((await own.get('/api/profile/data')).json().copy.readyAt).toBe(null)
  expect((await own.get('/api/profile/data/json')).statusCode).toBe(404)
  await makeCopy(person)
  const [mail] = await outboxOf(portal).messagesTo(person.email)
  expect(mail?.template).toBe('own-data-ready')
  const { copy } = (await own.get('/api/profile/data')).json()
  expect(mail?.values.expiresAt).toBe(copy.expiresAt)

  const json = await own.get('/api/profile/data/json')
  expect([json.statusCode, json.headers['content-disposition'] ?? json.body]).toEqual([
    200,
    expect.stringContaining('attachment'),
  ])
  expect(json.json()).toMatchObject({
    account: [{ email: person.email, firstName: 'Ärla', phoneNumber: '+46701740605', ssn: null }],
    memberships: [{ role: 'regular' }],
    sessions: [{ ipAddress: '127.0.0.1' }],
  })
  expect(json.json().events.map(({ event }: { event: string }) => event)).toContain('requestOwnData')
  const page = await own.get('/api/profile/data/html')
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain(person.email)
  expect(await eventsOf(person)).toEqual(['requestOwnData', 'downloadOwnData', 'downloadOwnData'])
})

test('the copy holds the personal number, is stored encrypted, and is for nobody else', async () => {
  const ssn = '199908072391'
  const person = await portal.person({ ssn })
  const own = await portal.signedIn(person)
  const other = await portal.signedIn(await portal.person())
  await own.post('/api/profile/data')
  await makeCopy(person)
  expect((await own.get('/api/profile/data/json')).json().account[0].ssn).toBe(ssn)
  expect((await copyOf(person))?.sealed?.toString('latin1')).not.toContain(person.email)
  expect((await other.get('/api/profile/data')).json()).toEqual({ copy: null })
  expect((await other.get('/api/profile/data/json')).statusCode).toBe(404)
})

test('a second request within an hour does nothing; a later one replaces the copy', async () => {
  const person = await portal.person()
  const own = await portal.signedIn(person)
  await own.post('/api/profile/data')
  const first = await copyOf(person)
  expect((await own.post('/api/profile/data')).statusCode).toBe(204)
  expect(await copyOf(person)).toEqual(first)
  expect(await eventsOf(person)).toEqual(['requestOwnData'])
  await owner.query(
    `update data_copies set requested_at = requested_at - interval '61 minutes' where account_id = $1`,
    [person.accountId],
  )
  await own.post('/api/profile/data')
  expect((await copyOf(person))?.copyId).not.toBe(first?.copyId)
  // The job of the first request finds nothing to do.
  await queue().deliver(first?.copyId ?? '')
  expect((await copyOf(person))?.readyAt).toBe(null)
})

test('a copy ends with its time, and with the account; one that cannot be made is forgotten', async () => {
  const [kept, deleted, failed] = [await portal.person(), await portal.person(), await portal.person()]
  for (const person of [kept, deleted, failed]) await (await portal.signedIn(person)).post('/api/profile/data')
  for (const person of [kept, deleted]) await makeCopy(person)
  await queue().giveUp((await copyOf(failed))?.copyId ?? '')
  expect(await copyOf(failed)).toBeUndefined()
  await owner.query('delete from users where account_id = $1', [deleted.accountId])
  expect(await copyOf(deleted)).toBeUndefined()
  const { db, config } = portal.system
  const later = new Date(portal.now().getTime() + 8 * 24 * 3_600_000)
  await removeExpired(db, later, config)
  expect(await copyOf(kept)).toBeUndefined()
})

test('of others the copy says nothing: neither who else took part in an event, nor what an admin changed of them', async () => {
  const { organizationId } = await portal.organization('Copy AB')
  const admin = await portal.person({ firstName: 'Astrid' })
  const member = await portal.person({ firstName: 'Emil' })
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  await portal.join(member.accountId, organizationId)
  const doing = await portal.signedIn(admin)
  expect(
    (await doing.put('/api/users', { accountId: member.accountId, firstName: 'Emilia', lastName: 'Ek' })).statusCode,
  ).toBe(200)
  const copies: Record<string, string> = {}
  for (const person of [admin, member]) {
    const own = await portal.signedIn(person)
    await own.post('/api/profile/data')
    await makeCopy(person)
    copies[person.email] = (await own.get('/api/profile/data/json')).body
  }
  expect(copies[admin.email]).toContain('updateUser')
  expect(copies[admin.email]).not.toMatch(/Emil/)
  expect(copies[admin.email]).not.toContain(member.email)
  expect(copies[member.email]).toContain('Emilia')
  expect(copies[member.email]).not.toContain(admin.email)
})

test('what organisations sent to an address is in the copy only when the account has proven the address', async () => {
  const { organizationId } = await portal.organization('Inviting AB')
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  for (const emailProof of ['mailedLink', null] as const) {
    const person = await portal.person({ emailProof })
    expect((await invite(await portal.signedIn(admin), organizationId, person.email)).statusCode).toBe(201)
    const own = await portal.signedIn(person)
    await own.post('/api/profile/data')
    await makeCopy(person)
    const { invitations, messages } = (await own.get('/api/profile/data/json')).json()
    const names = invitations.map(({ organization }: { organization: string }) => organization)
    const templates = messages.map(({ template }: { template: string }) => template)
    expect([names, templates.includes('user-invite')]).toEqual(emailProof ? [['Inviting AB'], true] : [[], false])
  }
})

test('every table with data of an account is in the copy, or is left out for a reason', async () => {
  const leftOut = {
    access_review_reviewers: 'what a member is asked to decide while a review is open',
    access_review_rows: 'what admins decided, on services that the copy lists; the decisions are events',
    data_copies: 'the copy itself',
    daily_people: 'counts; two days',
    idempotency_keys: 'answers the person already has; 24 hours',
    logout_deliveries: 'ids of sessions that have ended',
    one_time_things: 'hashed codes and links',
    saml_sessions: 'what the organisation calls the person, sealed; goes with the session',
    provider_artifacts: 'hashed tokens and codes',
    directory: 'a copy for searching of what users, memberships and invitations hold',
    job_runs: 'no person',
    passkey_holders: 'a random name for authenticators',
    new_browsers: 'days of sign-ins that a mail told of; the events say each',
    recoveries: 'help that is under way for a day; the mail and the events say it',
    invitation_services: 'what waits for the answer of somebody else; the events say who promised it',
    invitation_service_roles: 'likewise',
    invitation_groups: 'likewise',
    access_end_reminders: 'that a mail about an end was sent; the copy lists the mails, and the ends',
    passive_reports: 'what admins were told: the same days as the warnings',
    saml_setups: 'who made a link for an IT; the events say it',
    message_template_versions: 'work for the operator, in the audit log too',
  }
  const { rows } = await owner.query<{ name: string }>(`
    select distinct table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema = current_schema() and column_name in ('account_id', 'invited_by', 'promised_by', 'published_by', 'made_by')
      and table_name not like 'audit_events%'`)
  const copied = [
    'users',
    'former_names',
    'memberships',
    'all_grants',
    'service_assignments',
    'group_members',
    'scim_users',
    'service_preferences',
    'access_requests',
    'invitations',
    'authenticator_apps',
    'recovery_codes',
    'passkeys',
    'sessions',
    'passive_warnings',
    'outbox_messages',
  ]
  expect(rows.map(({ name }) => name).filter((name) => !copied.includes(name) && !(name in leftOut))).toEqual([])
})
