import { type Kysely, sql } from 'kysely'
import { parse } from 'uuid'
import type { DB } from './database-types.ts'
import type { Keys } from './keys.ts'
import { open, seal } from './sealing.ts'
import { indexSsn, openSsn } from './ssn.ts'

/** Every column that holds sealed values, and whether the rotation seals it anew; a new one is added here. */
const sealedColumns = [
  { table: 'users', column: 'ssn_sealed', row: 'account_id', sealAnew: true },
  { table: 'clients', column: 'secret_sealed', row: 'client_id', sealAnew: true },
  { table: 'idempotency_keys', column: 'answer_sealed', row: 'id', sealAnew: true },
  // Values of messages leave with the message; the key waits for them.
  { table: 'outbox_messages', column: 'sealed', row: 'id', sealAnew: false },
] as const
type SealedColumn = (typeof sealedColumns)[number]

const batchSize = 500
const keyIdOf = (column: SealedColumn) => sql`substring(${sql.ref(column.column)} from 2 for 16)`

/** Seals and indexes anew whatever a previous key of `fields` or `index` made. Batches, so that nobody waits long. */
export async function sealAnew(db: Kysely<DB>, keys: Keys): Promise<void> {
  if (keys.all('fields').some((key) => key.state === 'previous'))
    for (const column of sealedColumns) if (column.sealAnew) await sealColumnAnew(db, keys, column)
  if (keys.all('index').some((key) => key.state === 'previous')) await indexAnew(db, keys)
}

/** Is anything still sealed with this key? */
export async function isInUse(db: Kysely<DB>, keyId: string): Promise<boolean> {
  for (const column of sealedColumns) {
    const { rows } = await sql`
      select from ${sql.table(column.table)} where ${keyIdOf(column)} = ${Buffer.from(parse(keyId))} limit 1`.execute(
      db,
    )
    if (rows.length > 0) return true
  }
  return false
}

async function sealColumnAnew(db: Kysely<DB>, keys: Keys, column: SealedColumn): Promise<void> {
  const [value, id] = [sql.ref(column.column), sql.ref(column.row)]
  const current = Buffer.from(parse(keys.current('fields').id))
  let after: string | undefined
  for (;;) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`
      select ${id}::text as id, ${value} as sealed from ${sql.table(column.table)}
      where ${value} is not null and ${keyIdOf(column)} <> ${current}
        and ${after === undefined ? sql`true` : sql`${id}::text > ${after}`}
      order by ${id}::text limit ${batchSize}`.execute(db)
    for (const row of rows) {
      const cell = { table: column.table, column: column.column, row: row.id }
      const fresh = seal(keys, 'fields', cell, await open(keys, cell, row.sealed))
      // Somebody may have written meanwhile: then theirs is the newer one.
      await sql`
        update ${sql.table(column.table)} set ${value} = ${fresh}
        where ${id}::text = ${row.id} and ${value} = ${row.sealed}`.execute(db)
    }
    after = rows.at(-1)?.id
    if (after === undefined) return
  }
}

async function indexAnew(db: Kysely<DB>, keys: Keys): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .selectFrom('users')
      .select(['accountId', 'ssnSealed', 'ssnIndex'])
      .where('ssnSealed', 'is not', null)
      .where('accountId', '>', after)
      .orderBy('accountId')
      .limit(batchSize)
      .execute()
    for (const { accountId, ssnSealed, ssnIndex } of rows) {
      if (!ssnSealed) continue
      const fresh = indexSsn(keys, await openSsn(keys, accountId, ssnSealed))
      if (ssnIndex?.equals(fresh)) continue
      await db
        .updateTable('users')
        .set({ ssnIndex: fresh })
        .where('accountId', '=', accountId)
        .where('ssnIndex', '=', ssnIndex)
        .execute()
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.accountId
  }
}
