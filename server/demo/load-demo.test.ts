import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenTexts } from '#server/mails/mails.ts'
import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { demoAppSecret } from './demo-data.ts'
import { loadDemo } from './load-demo.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ DEMO: 'on' })
  await loadDemo(portal.system)
})
afterAll(() => portal?.close())

const dayMs = 24 * 60 * 60 * 1000
const rows = async <Row extends pg.QueryResultRow>(statement: string) =>
  (await portal.system.pool.query<Row>(statement)).rows

test('the log reaches back 60 days, has every kind of sign-in, and its chain is intact', async () => {
  const client = new pg.Client(portal.ownerUrl)
  await client.connect()
  try {
    expect(await verifyAuditChain(client)).toMatchObject({ intact: true })
  } finally {
    await client.end()
  }
  const [log] = await rows<{ first: Date; last: Date; days: number; methods: string[] }>(`
    select min(created_at) as first, max(created_at) as last, count(distinct created_at::date)::integer as days,
      array(select distinct change ->> 'newValue' from audit_events, jsonb_array_elements(changes) as change
        where change ->> 'property' = 'method' order by 1) as methods
    from audit_events`)
  expect(Math.floor((portal.now().getTime() - (log?.first.getTime() ?? 0)) / dayMs)).toBeGreaterThanOrEqual(59)
  expect(log?.last.getTime()).toBeLessThanOrEqual(portal.now().getTime())
  expect(log?.days).toBeGreaterThan(58)
  expect(log?.methods).toEqual(['bankid', 'password', 'passwordAndEmailCode', 'passwordAndSmsCode', 'saml'])
})

test("the last sign-in of everyone is the log's", async () => {
  expect(
    await rows(`
      select email from users u where last_login > now() - interval '1000 years' and last_login <> (
        select max(created_at) from audit_events where name = 'loginSuccess' and actor_id = u.account_id)`),
  ).toEqual([])
})

test('each person has a phone number of one’s own, of the series that is kept for fiction', async () => {
  const numbers = (
    await rows<{ number: string }>('select phone_number as number from users where phone_number is not null')
  ).map(({ number }) => Number(number))
  expect(numbers.length).toBeGreaterThan(50)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(46701740605)
  expect(Math.max(...numbers)).toBeLessThanOrEqual(46701740699)
})

test('there is something to do: mails, seats, passive people, and a certificate that ends', async () => {
  expect(await rows('select state, count(*)::integer from outbox_messages group by 1 order by 1')).toEqual([
    { state: 'failed', count: 1 },
    { state: 'queued', count: 9 },
    { state: 'sent', count: 1 },
  ])
  expect(await rows('select from invitations where outbox_id is null')).toEqual([])
  expect(
    await rows('select from organization_services where max_number_of_users - seats_used between 1 and 3'),
  ).toHaveLength(1)
  expect(await rows('select from users where passive_at is not null')).toHaveLength(5)
  const [config] = await rows<{ certificate: string }>('select certificate from saml_configs')
  const ends = new X509Certificate(config?.certificate ?? '').validToDate
  expect(Math.round((ends.getTime() - portal.now().getTime()) / dayMs)).toBe(20)
})

test('one organisation has groups, and in one of them some wait for a seat', async () => {
  const groups = await rows<{ name: string; people: number; waiting: number }>(`
    select name, count(distinct account_id)::integer as people, (count(distinct account_id) filter (where not exists (
      select from service_assignments a where (a.account_id, a.organization_id, a.service_id) =
        (g.account_id, g.organization_id, g.service_id))))::integer as waiting
    from groups join group_grants g using (group_id) group by name order by name`)
  expect(groups.map(({ name, people }) => [name, people])).toEqual([
    ['Ekonomi', 4],
    ['Fältpersonal', 12],
  ])
  expect(groups.map(({ waiting }) => waiting > 0)).toEqual([false, true])
})

test('the person of two organisations is asked for a code by the second one', async () => {
  const client = await portal.signedIn({ accountId: '', email: 'both@nordvik.example' }, 'Demo-password-1')
  const { organizations } = (await client.get('/api/start')).json()
  expect(organizations).toMatchObject([
    { name: 'Nordvik AB', needs: null },
    { name: 'Solberga kommun', needs: 'local2FA' },
  ])
})

test('the tour names who may help the person with the lost passkey, and the key of the app', async () => {
  const tour = readFileSync(join(import.meta.dirname, '../../docs/tour.md'), 'utf8')
  const [emil] = await rows<{ id: string }>(`select account_id as id from users where email = 'user@nordvik.example'`)
  for (const email of ['admin@nordvik.example', 'super@vestibule.example']) {
    expect(tour).toContain(`\`${email}\``)
    const helper = await portal.signedIn({ accountId: '', email }, 'Demo-password-1')
    expect((await helper.get(`/api/users/${emil?.id}/recovery`)).statusCode).toBe(200)
  }
  expect(tour.replaceAll(' ', '')).toContain(`\`${demoAppSecret}\``)
})

test('one organisation has a brand, which its sign-in shows', async () => {
  const [{ organizationId, logo }] = (await rows<{ organizationId: string; logo: string }>(
    'select organization_id as "organizationId", logo from organization_brands',
  )) as [{ organizationId: string; logo: string }]
  const browser = portal.browser()
  const { response } = await browser.follow(await browser.get(`/login?org=${organizationId}`, { accept: 'text/html' }))
  expect(response.body).toContain(`src="${logo}" alt="Havsvik Bank AB"`)
})

test('one organisation has a text of its own, which can be sent', async () => {
  expect(await rows('select type from message_templates where published is not null')).toEqual([
    { type: 'user-invite' },
  ])
  expect(await brokenTexts(portal.system.db)).toEqual([])
})

test('a start that ends while the demo is loaded leaves nothing behind, and the next one loads it whole', async () => {
  const other = await testApp({ DEMO: 'on' })
  const owner = new pg.Client(other.ownerUrl)
  await owner.connect()
  const count = async (table: string) => (await owner.query(`select count(*)::integer from ${table}`)).rows[0].count
  try {
    await owner.query('alter table saml_sign_ins add constraint full_disk check (false)')
    await expect(loadDemo(other.system)).rejects.toThrow('full_disk')
    expect([await count('users'), await count('audit_events')]).toEqual([0, 0])
    await owner.query('alter table saml_sign_ins drop constraint full_disk')
    expect(await loadDemo(other.system)).toBe(true)
    expect(await count('users')).toBe(Number((await rows('select count(*) from users'))[0]?.count))
    expect(await count('audit_events')).toBeGreaterThan(2500)
    expect(await count('saml_sign_ins')).toBeGreaterThan(0)
  } finally {
    await owner.end()
    await other.close()
  }
})
