import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kept } from '#contract/kept.ts'
import { readConfig } from '#server/config.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import type { DB } from '../database/database-types.ts'
import { newId } from '../ids.ts'
import { listOld, removeExpired } from './remove-expired.ts'

const now = new Date('2026-11-21T08:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000)
const config = readConfig({})
const organizationId = newId()

let database: ConnectedDatabase
let db: Kysely<DB>
beforeAll(async () => {
  database = await connectTestDatabase()
  db = database.db
  await db.insertInto('organizations').values({ organizationId, name: 'Nordvik', loginMethod: 'local' }).execute()
})
afterAll(() => database.close())

const addInvitation = (email: string, expiredDaysAgo: number) =>
  db
    .insertInto('invitations')
    .values({ invitationId: newId(), organizationId, email, expiresAt: daysAgo(expiredDaysAgo) })
    .execute()
const emails = async () => (await db.selectFrom('invitations').select('email').execute()).map(({ email }) => email)
const expiredInEvents = async () =>
  (
    await db
      .selectFrom('auditEvents')
      .select(['target', 'organizationIds', 'actor'])
      .where('name', '=', 'expireInvite')
      .orderBy('target')
      .execute()
  ).map(({ target, ...rest }) => [target, rest])

const addMessage = (recipient: string, message: { state: 'queued' | 'sent' | 'failed'; finishedAt: Date | null }) =>
  db
    .insertInto('outboxMessages')
    .values({ id: newId(), kind: 'mail', template: 'login-code', recipient, language: 'sv', sealed: Buffer.alloc(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
    .then(({ id }) => db.updateTable('outboxMessages').set(message).where('id', '=', id).execute())

test('an invitation that nobody answered is removed after its time, with one event; an open one and a fresh one stay', async () => {
  await addInvitation('open@x.example', -1)
  await addInvitation('lately@x.example', 89)
  await addInvitation('old@x.example', 91)
  await removeExpired(db, now, config)
  await removeExpired(db, now, config)
  expect((await emails()).sort()).toEqual(['lately@x.example', 'open@x.example'])
  expect(await expiredInEvents()).toEqual([['old@x.example', { organizationIds: [organizationId], actor: null }]])
})

test('an operator who keeps things for a shorter time gets that', async () => {
  await removeExpired(db, now, readConfig({ KEEP_INVITATIONS_DAYS: '30' }))
  expect(await emails()).toEqual(['open@x.example'])
  expect(() => readConfig({ KEEP_INVITATIONS_DAYS: '0' })).toThrow('KEEP_INVITATIONS_DAYS')
})

test('what is kept for single logout goes with the session, and with a sign-in that was never completed', async () => {
  const accountId = newId()
  await db.insertInto('users').values({ accountId, email: 'saml@x.example', loginMethod: 'local' }).execute()
  const config = { name: 'x', url: 'https://x.example', domain: 'https://x.example', certificate: 'x' }
  const { id: samlConfigId } = await db
    .insertInto('samlConfigs')
    .values(config)
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = (uid: string, expiresAt: Date) => ({
    idHash: Buffer.from(uid),
    uid,
    accountId,
    payload: {},
    expiresAt,
  })
  await db
    .insertInto('sessions')
    .values([session('open', daysAgo(-1)), session('over', daysAgo(1))])
    .execute()
  const hash = Buffer.alloc(32)
  const kept = { samlConfigId, accountId, interactionHash: hash, nameHash: hash, sealed: hash }
  for (const [sessionUid, hours] of [
    ['open', 2],
    ['over', 2],
    ['gone', 2],
    [null, 2],
    [null, 0],
  ] as const)
    await db
      .insertInto('samlSessions')
      .values({ ...kept, id: newId(), sessionUid, createdAt: new Date(now.getTime() - hours * 3600_000) })
      .execute()
  await removeExpired(db, now, readConfig({}))
  const left = await db.selectFrom('samlSessions').select('sessionUid').orderBy('createdAt').execute()
  expect(left).toEqual([{ sessionUid: 'open' }, { sessionUid: null }])
})

test('the address of a message is removed after its time, for every recipient; a waiting message stays', async () => {
  await addMessage('sent@x.example', { state: 'sent', finishedAt: daysAgo(91) })
  await addMessage('failed@x.example', { state: 'failed', finishedAt: daysAgo(91) })
  await addMessage('lately@x.example', { state: 'sent', finishedAt: daysAgo(89) })
  await addMessage('waiting@x.example', { state: 'queued', finishedAt: null })
  await removeExpired(db, now, config)
  const left = await db.selectFrom('outboxMessages').select('recipient').orderBy('recipient').execute()
  expect(left.map(({ recipient }) => recipient)).toEqual(['lately@x.example', 'waiting@x.example'])
})

test('a refused request for access and a finished access review go after their time; open ones stay', async () => {
  const [accountId, serviceId, other] = [newId(), newId(), newId()]
  await db.insertInto('users').values({ accountId, email: 'asks@x.example', loginMethod: 'local' }).execute()
  await db
    .insertInto('services')
    .values([serviceId, other].map((id) => ({ serviceId: id, name: id, url: 'https://x.example' })))
    .execute()
  await db
    .insertInto('memberships')
    .values({ accountId, organizationId, userRole: 'regular', entry: 'opened' })
    .execute()
  await db
    .insertInto('organizationServices')
    .values([serviceId, other].map((id) => ({ organizationId, serviceId: id })))
    .execute()
  const request = { accountId, organizationId, createdAt: daysAgo(366) }
  await db
    .insertInto('accessRequests')
    .values([
      { ...request, requestId: newId(), serviceId, refusedBecause: 'No' },
      { ...request, requestId: newId(), serviceId: other },
    ])
    .execute()
  const review = { organizationId, openedAt: daysAgo(800) }
  await db
    .insertInto('accessReviews')
    .values([
      { ...review, reviewId: newId(), finishedAt: daysAgo(731), finishedBy: 'admin@x.example' },
      { ...review, reviewId: newId(), finishedAt: daysAgo(729), finishedBy: 'admin@x.example' },
      { ...review, reviewId: newId() },
    ])
    .execute()
  await removeExpired(db, now, config)
  const requests = await db.selectFrom('accessRequests').select('refusedBecause').execute()
  expect(requests).toEqual([{ refusedBecause: null }])
  expect(await db.selectFrom('accessReviews').select('finishedAt').orderBy('finishedAt').execute()).toEqual([
    { finishedAt: daysAgo(729) },
    { finishedAt: null },
  ])
})

test('more than a batch goes in one run, and two nodes at once remove everything once', async () => {
  await sql`insert into one_time_things (purpose, token_hash, subject, expires_at)
    select 'code', sha256(n::text::bytea), 'x', ${daysAgo(8)} from generate_series(1, 12000) n`.execute(db)
  await sql`insert into invitations (invitation_id, organization_id, email, expires_at)
    select gen_random_uuid(), ${organizationId}, 'old' || n || '@x.example', ${daysAgo(200)} from generate_series(1, 450) n`.execute(
    db,
  )
  const before = (await expiredInEvents()).length
  await Promise.all([removeExpired(db, now, config), removeExpired(db, now, config)])
  expect(await db.selectFrom('oneTimeThings').select('subject').execute()).toEqual([])
  expect(await emails()).toEqual(['open@x.example'])
  expect((await expiredInEvents()).length).toBe(before + 450)
})

test('every removal begins an index, so that it does not read a whole table', async () => {
  for (const [table, old] of [...listOld(now, config), ['invitations', sql`expires_at < ${now}`] as const]) {
    const plan = await db.transaction().execute(async (trx) => {
      // With a handful of rows reading all of them is cheaper.
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select ctid from ${sql.table(table)} where ${old} limit 10 for update skip locked`.execute(trx)
      return rows.map((row) => Object.values(row)[0]).join('\n')
    })
    expect(plan, table).toMatch(/Index Cond: .*<|Index Scan using outbox_messages_finished/)
    expect(plan, table).not.toContain('Seq Scan')
  }
})

test('every setting has a default within its bounds', () => {
  for (const { env, fallback, least, most } of Object.values(kept)) {
    expect(Number(fallback), env).toBeGreaterThanOrEqual(least)
    expect(Number(fallback), env).toBeLessThanOrEqual(most)
  }
})
