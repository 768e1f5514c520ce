import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { newId } from '../ids.ts'
import { writeAuditEvent, writeRepeatedFailures } from './audit.ts'
import { sealAndCount } from './sealer.ts'

let database: ConnectedDatabase
beforeAll(async () => {
  database = await connectTestDatabase()
})
afterAll(() => database?.close())

const anHour = 3600 * 1000
let now = new Date('2026-03-02T08:10:00Z')
const organizationId = newId()

async function fail(times: number, label: string, address: string): Promise<void> {
  const entry = {
    name: 'loginFailure' as const,
    actor: null,
    target: { id: null, label },
    organizationIds: [organizationId],
  }
  for (let time = 0; time < times; time++)
    await writeAuditEvent(database.db, { ...entry, after: { method: 'password', address } }, { requestId: 'r', now })
}
/** The number of failures in each event of an address. */
async function told(label: string): Promise<number[]> {
  const events = await database.db
    .selectFrom('auditEvents')
    .select('changes')
    .where('target', '=', label)
    .orderBy('id')
    .execute()
  const numberOf = (changes: unknown) =>
    Number((changes as { property: string; newValue: string }[]).find((one) => one.property === 'count')?.newValue ?? 1)
  return events.map(({ changes }) => numberOf(changes))
}
const once = (times: number) => Array.from({ length: times }, () => 1)

test('a flood of failed sign-ins is twenty events an hour and one with the number of the others', async () => {
  await fail(27, 'anna@nordvik.example', '198.51.100.0/24')
  await fail(20, 'anna@nordvik.example', '203.0.113.0/24')
  await fail(3, 'per@nordvik.example', '198.51.100.0/24')
  expect(await told('anna@nordvik.example')).toEqual(once(40))
  await writeRepeatedFailures(database.db, now)
  expect(await told('anna@nordvik.example')).toEqual(once(40))

  now = new Date(now.getTime() + anHour)
  await fail(1, 'anna@nordvik.example', '198.51.100.0/24')
  await Promise.all([writeRepeatedFailures(database.db, now), writeRepeatedFailures(database.db, now)])
  expect(await told('anna@nordvik.example')).toEqual([...once(41), 7])
  expect(await told('per@nordvik.example')).toEqual(once(3))
  await sealAndCount(database.db)
  const figures = database.db.selectFrom('dailyFigures').select('count').where('figure', '=', 'failedSignIn')
  expect(await figures.where('organizationId', '=', organizationId).execute()).toEqual([{ count: 51 }])
})

test('many at once are counted each', async () => {
  await Promise.all(Array.from({ length: 60 }, () => fail(1, 'flood@nordvik.example', '198.51.100.0/24')))
  expect(await told('flood@nordvik.example')).toEqual(once(20))
  await writeRepeatedFailures(database.db, new Date(now.getTime() + anHour))
  expect(await told('flood@nordvik.example')).toEqual([...once(20), 40])
  expect(await database.db.selectFrom('repeatedFailures').select('label').execute()).toEqual([])
})

test('a failure whose transaction is rolled back is not counted', async () => {
  const undone = database.db.transaction().execute(async (db) => {
    const entry = { name: 'loginFailure' as const, target: { id: null, label: 'gone@nordvik.example' } }
    await writeAuditEvent(db, entry, { requestId: 'r', now })
    throw new Error('undo')
  })
  await expect(undone).rejects.toThrow('undo')
  expect(await database.db.selectFrom('repeatedFailures').select('label').execute()).toEqual([])
})
