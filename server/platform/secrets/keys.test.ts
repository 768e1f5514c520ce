import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from '../database/database.ts'
import { newId } from '../ids.ts'
import { allKeyPurposes } from './key-purposes.ts'
import { advanceKeyRotation, rotateKeys } from './key-rotation.ts'
import { type Keys, openKeys } from './keys.ts'
import { deriveMasterKey, withNext } from './master-key.ts'
import { keysLock, replaceMasterKey } from './master-key-replacement.ts'
import { sealedColumns } from './reencrypt.ts'
import { allSsnIndexes, indexSsn, sealSsn, ssnColumns, unsealSsn } from './ssn.ts'

const masterKey = deriveMasterKey('a master key for tests, long enough to be one')
const opened: Keys[] = []
let database: ConnectedDatabase
let now = new Date('2026-11-21T08:00:00Z')
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const start = async (key = masterKey) => {
  const keys = await openKeys({ db: database.db, masterKey: key, clock: () => now })
  opened.push(keys)
  return keys
}
const addUser = async (keys: Keys, ssn: string) => {
  const accountId = newId()
  const name = { firstName: 'Test', lastName: 'Test' }
  const email = `${accountId}@vestibule.example`
  const columns = ssnColumns(keys, { accountId, ssn })
  await database.db
    .insertInto('users')
    .values({ accountId, email, loginMethod: 'local', ...name, ...columns })
    .execute()
  return accountId
}

beforeAll(async () => {
  database = await connectTestDatabase()
})
afterAll(async () => {
  for (const keys of opened) keys.close()
  await database.close()
})

test('six processes that start concurrently share one current key for each purpose', async () => {
  const nodes = await Promise.all(Array.from({ length: 6 }, () => start()))
  const purposes = await database.db.selectFrom('keys').select(['purpose', 'state']).execute()
  expect(purposes).toHaveLength(allKeyPurposes.length)
  expect(new Set(purposes.map(({ state }) => state))).toEqual(new Set(['current']))
  expect(new Set(nodes.map((keys) => keys.current('cookies').bytes.toString('hex'))).size).toBe(1)
})

test('a process waits for keys that another one makes for longer than a statement may take', async () => {
  const fresh = await createTestDatabase()
  const { db, close } = openDatabase({ url: fresh.appUrl, statementTimeout: 1 })
  const [locked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const making = db.transaction().execute(async (trx) => {
    await keysLock.execute(trx)
    locked.resolve()
    await made.promise
  })
  await locked.promise
  setTimeout(made.resolve, 1500)
  const keys = await openKeys({ db, masterKey, clock: () => now })
  expect(keys.current('cookies').state).toBe('current')
  keys.close()
  await making
  await close()
  await fresh.drop()
})

test('another master key opens nothing and says so in one line', async () => {
  const wrong = start(deriveMasterKey('not the master key of this database, but long'))
  await expect(wrong).rejects.toThrow(/^MASTER_KEY does not open the keys in this database[^\n]*$/)
})

test('a key moved to another purpose in the table does not open', async () => {
  const rollBack = new Error('roll back')
  const moved = database.db.transaction().execute(async (trx) => {
    const { sealed } = await trx
      .selectFrom('keys')
      .select('sealed')
      .where('purpose', '=', 'codes')
      .executeTakeFirstOrThrow()
    await trx.updateTable('keys').set({ sealed }).where('purpose', '=', 'tokens').execute()
    await expect(openKeys({ db: trx, masterKey, clock: () => now })).rejects.toThrow('MASTER_KEY does not open')
    throw rollBack
  })
  await expect(moved).rejects.toBe(rollBack)
})

test('keys do not show when they are printed', async () => {
  const keys = await start()
  const key = keys.current('fields')
  expect(JSON.stringify(key)).not.toContain('bytes')
})

test('signing keys are RS256 and ES256 pairs with ids', async () => {
  const keys = await start()
  expect(keys.signing('oidcSigning').map(({ alg, use, kty }) => [alg, use, kty])).toEqual([
    ['RS256', 'sig', 'RSA'],
    ['ES256', 'sig', 'EC'],
  ])
  expect(keys.signing('oidcSigning')[0]?.kid).not.toBe(keys.signing('samlSigning')[0]?.kid)
})

test('a rotated signing key is published before it signs and kept after it signed', async () => {
  const keys = await start()
  const first = keys.signing('oidcSigning')[0]?.kid
  await rotateKeys({ db: database.db, masterKey, purpose: 'oidcSigning', now })
  await rotateKeys({ db: database.db, masterKey, purpose: 'oidcSigning', now })
  const { generation } = keys
  await keys.reload()
  expect(keys.generation).toBe(generation + 1)
  expect(keys.signing('oidcSigning')).toHaveLength(4)
  expect(keys.signing('oidcSigning')[0]?.kid).toBe(first)
  later(299)
  expect((await advanceKeyRotation({ db: database.db, keys, now })).promoted).toEqual([])
  later(1)
  expect((await advanceKeyRotation({ db: database.db, keys, now })).promoted).toEqual(['oidcSigning'])
  expect(keys.signing('oidcSigning')[0]?.kid).not.toBe(first)
  expect(keys.signing('oidcSigning').map(({ kid }) => kid)).toContain(first)
  later(7 * 24 * 3600)
  await advanceKeyRotation({ db: database.db, keys, now })
  expect(keys.signing('oidcSigning').map(({ kid }) => kid)).not.toContain(first)
})

test('rotating the field and index keys re-encrypts and re-indexes every number, and loses none', async () => {
  const [keys, otherNode] = await Promise.all([start(), start()])
  const numbers = ['191212121212', '199908072391', '201701102384']
  const accounts = await Promise.all(numbers.map((ssn) => addUser(keys, ssn)))
  const read = () =>
    database.db.selectFrom('users').select(['accountId', 'ssnSealed', 'ssnIndex']).orderBy('accountId').execute()
  const before = await read()
  for (const purpose of ['fields', 'index'] as const) await rotateKeys({ db: database.db, masterKey, purpose, now })
  later(300)
  expect((await advanceKeyRotation({ db: database.db, keys, now })).promoted.sort()).toEqual(['fields', 'index'])
  const after = await read()
  for (const [place, row] of after.entries()) {
    const ssn = numbers[accounts.indexOf(row.accountId)] as string
    expect(row.ssnSealed?.equals(before[place]?.ssnSealed as Buffer)).toBe(false)
    expect(row.ssnIndex?.equals(before[place]?.ssnIndex as Buffer)).toBe(false)
    // The other process has not looked at the table since: it opens what the new key sealed all the same.
    expect(await unsealSsn(otherNode, row.accountId, row.ssnSealed as Buffer)).toBe(ssn)
    expect(allSsnIndexes(otherNode, ssn).some((index) => index.equals(row.ssnIndex as Buffer))).toBe(true)
  }
  later(300)
  const { retired } = await advanceKeyRotation({ db: database.db, keys, now })
  expect(retired).toHaveLength(2)
  expect(keys.all('index')).toHaveLength(1)
})

test('a number is found by both keys while the index key rotates', async () => {
  const keys = await start()
  const ssn = '199001012384'
  const accountId = newId()
  // As a process writes that has not heard of the new key yet.
  await addUser(keys, ssn)
  await rotateKeys({ db: database.db, masterKey, purpose: 'index', now })
  await database.db
    .updateTable('keys')
    .set({ state: 'previous' })
    .where('purpose', '=', 'index')
    .where('state', '=', 'current')
    .execute()
  await database.db
    .updateTable('keys')
    .set({ state: 'current' })
    .where('purpose', '=', 'index')
    .where('state', '=', 'next')
    .execute()
  await keys.reload()
  await addUser(keys, ssn)
  const found = await database.db
    .selectFrom('users')
    .select('ssnIndex')
    .where('ssnIndex', 'in', allSsnIndexes(keys, ssn))
    .execute()
  expect(new Set(found.map(({ ssnIndex }) => ssnIndex?.toString('hex'))).size).toBe(2)
  expect(await unsealSsn(keys, accountId, sealSsn(keys, accountId, ssn).ssnSealed)).toBe(ssn)
  expect(indexSsn(keys, '19900101-2384').equals(indexSsn(keys, ssn))).toBe(true)
})

test('an unknown key id is looked up once, not on every request', async () => {
  const keys = await start()
  const id = newId()
  expect(await keys.find(id)).toBeUndefined()
  let reads = 0
  database.pool.on('acquire', () => reads++)
  expect(await keys.find(id)).toBeUndefined()
  expect(reads).toBe(0)
})

test('the master key is replaced: a process that holds both reads the keys at every moment, and the old one opens nothing', async () => {
  const fresh = await createTestDatabase()
  const { db, close } = openDatabase({ url: fresh.appUrl })
  const next = deriveMasterKey('the next master key for tests, long enough too')
  const both = { ...masterKey, next }
  const open = (key: typeof masterKey) => openKeys({ db, masterKey: key, clock: () => now })
  const keys = await open(withNext(masterKey, next))
  const before = allKeyPurposes.map((purpose) => keys.all(purpose as 'cookies')[0]?.bytes.toString('hex'))
  await rotateKeys({ db, masterKey: both, purpose: 'tokens', now })
  expect(await replaceMasterKey(db, both)).toBe(allKeyPurposes.length + 1)
  expect(await replaceMasterKey(db, both)).toBe(0)
  await keys.reload()
  expect(allKeyPurposes.map((purpose) => keys.all(purpose as 'cookies')[0]?.bytes.toString('hex'))).toEqual(before)
  // A key that is made from now on is sealed by the new one, although the process still has the old one first.
  await rotateKeys({ db, masterKey: both, purpose: 'fields', now })
  const renewed = await open(next)
  expect(renewed.all('fields')).toHaveLength(2)
  await expect(open(masterKey)).rejects.toThrow('MASTER_KEY does not open the keys in this database')
  keys.close()
  renewed.close()
  await close()
  await fresh.drop()
})

test('the rotation knows every encrypted column', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where column_name like '%\\_sealed'`.execute(database.db)
  const known = sealedColumns.map(({ table, column }): string => `${table}.${column}`)
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  expect(rows.length).toBeGreaterThan(6)
})
