import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import { forgetNames } from '../audit/forget-names.ts'
import { sealAuditEvents } from '../audit/sealer.ts'
import { createLimits } from '../limits/limits.ts'
import { consumeToken, issueToken } from '../secrets/one-time-tokens.ts'
import { logAuditHead } from './housekeeping.ts'
import { removeExpired } from './remove-expired.ts'

let database: ConnectedDatabase
const now = new Date('2026-11-21T08:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3600 * 1000)

beforeAll(async () => {
  database = await connectTestDatabase()
})
afterAll(() => database.close())

test('what expired a week ago is removed, what the OpenID Provider stored a day after it expired; the rest stays', async () => {
  const { db } = database
  const thing = { purpose: 'signInTicket', now }
  const living = await issueToken(db, { ...thing, subject: 'living', expiresAt: inDays(9) })
  await issueToken(db, { ...thing, subject: 'lately', expiresAt: inDays(1.5) })
  await issueToken(db, { ...thing, subject: 'long ago', expiresAt: inDays(0.5) })
  for (const [uid, days] of [
    ['living', 9],
    ['long ago', 0.5],
  ] as const) {
    const session = { idHash: Buffer.from(uid), uid, payload: JSON.stringify({}), expiresAt: inDays(days) }
    await db.insertInto('sessions').values(session).execute()
    const artifact = {
      idHash: Buffer.from(uid),
      model: 'Grant',
      payload: JSON.stringify({ uid }),
      expiresAt: inDays(days),
    }
    await db.insertInto('providerArtifacts').values(artifact).execute()
  }
  for (const [uid, days] of [
    ['a day ago', 6.9],
    ['lately', 7.1],
  ] as const) {
    const artifact = { idHash: Buffer.from(uid), model: 'Interaction', payload: JSON.stringify({ uid }) }
    await db
      .insertInto('providerArtifacts')
      .values({ ...artifact, expiresAt: inDays(days) })
      .execute()
  }
  const limits = createLimits()
  await limits.take(db, [{ name: 'authType', key: 'over' }], now)
  await limits.take(db, [{ name: 'wrongPassword', key: 'counting' }], inDays(8))
  const signIns = { figure: 'signIn', method: 'password', count: 1 }
  const accountId = '01900000-0000-7000-8000-000000000001'
  for (const day of [8, 5])
    await db
      .insertInto('dailyPeople')
      .values({ accountId, day: inDays(day) })
      .execute()
  for (const day of [8, -391, -394])
    await db
      .insertInto('dailyFigures')
      .values({ ...signIns, day: inDays(day) })
      .execute()

  await removeExpired(db, inDays(8), readConfig({}))

  const subjects = await db.selectFrom('oneTimeThings').select('subject').orderBy('subject').execute()
  expect(subjects.map(({ subject }) => subject)).toEqual(['lately', 'living'])
  expect(await consumeToken(db, { purpose: 'signInTicket', token: living, now: inDays(8) })).toBeDefined()
  expect(await db.selectFrom('sessions').select('uid').execute()).toEqual([{ uid: 'living' }])
  const artifacts = await db.selectFrom('providerArtifacts').select('payload').orderBy('expiresAt', 'desc').execute()
  expect(artifacts.map(({ payload }) => payload)).toEqual([{ uid: 'living' }, { uid: 'lately' }])
  expect(await db.selectFrom('dailyPeople').select('accountId').execute()).toHaveLength(1)
  expect(await db.selectFrom('dailyFigures').select('count').execute()).toHaveLength(2)
  expect(await db.selectFrom('limits').select('count').execute()).toHaveLength(1)
})

test("the log gets the audit chain's head, so that a cut-off tail shows", async () => {
  const lines: { auditHead?: string }[] = []
  const log = { info: (line: object) => void lines.push(line) } as never
  await logAuditHead(database.db, log)
  await writeAuditEvent(database.db, { name: 'logout' }, { requestId: 'r', now })
  await sealAuditEvents(database.db)
  await logAuditHead(database.db, log)
  expect(lines.map(({ auditHead }) => auditHead)).toEqual([
    expect.stringMatching(/^0:[0-9a-f]{64}$/),
    expect.stringMatching(/^1:[0-9a-f]{64}$/),
  ])
})

test('names that no event needs any longer are forgotten; those of kept events stay', async () => {
  const { db } = database
  const [kept, gone] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b']
  const name = { firstName: 'Anna', lastName: 'Ek', until: now }
  await db
    .insertInto('formerNames')
    .values([
      { ...name, accountId: kept, email: 'kept@old.example' },
      { ...name, accountId: gone, email: 'gone@old.example' },
      // No event is so old that it needs this one.
      { ...name, accountId: kept, email: 'kept@old.example', until: new Date('2023-01-01T00:00:00Z') },
    ])
    .execute()
  const about = (id: string, label: string) =>
    writeAuditEvent(db, { name: 'deleteUser', target: { id, label } }, { requestId: 'r', now })
  await about(kept, 'kept@old.example')
  await about(gone, 'gone@old.example')
  await sealAuditEvents(db)
  const owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  // As if the event of the one who is gone had been removed.
  await owner.query('alter table audit_events_sealed disable trigger user')
  await owner.query('delete from audit_events where target_id = $1', [gone])
  await owner.query('alter table audit_events_sealed enable trigger user')
  await owner.end()

  await forgetNames(db, now, readConfig({}))

  expect(await db.selectFrom('formerNames').select('accountId').execute()).toEqual([{ accountId: kept }])
})
