import { type Kysely, sql } from 'kysely'
import { parse } from 'uuid'
import type { DB } from '../database/database-types.ts'
import type { Keys } from './keys.ts'
import { seal, unseal } from './sealing.ts'
import { indexSsn, unsealSsn } from './ssn.ts'

/** All encrypted columns, and whether the rotation re-encrypts them. Add new columns here. */
export const sealedColumns = [
  { table: 'users', column: 'ssn_sealed', row: 'account_id', reencrypt: true },
  { table: 'authenticator_apps', column: 'secret_sealed', row: 'account_id', reencrypt: true },
  { table: 'clients', column: 'secret_sealed', row: 'client_id', reencrypt: true },
  { table: 'audit_streams', column: 'secret_sealed', row: 'stream_id', reencrypt: true },
  { table: 'audit_streams', column: 'previous_secret_sealed', row: 'stream_id', reencrypt: true },
  { table: 'clients', column: 'previous_secret_sealed', row: 'client_id', reencrypt: true },
  { table: 'saml_configs', column: 'client_secret_sealed', row: 'id', reencrypt: true },
  { table: 'saml_setups', column: 'client_secret_sealed', row: 'setup_id', reencrypt: true },
  { table: 'idempotency_keys', column: 'answer_sealed', row: 'id', reencrypt: true },
  // Values are deleted when the message is sent; the key is kept until then.
  { table: 'outbox_messages', column: 'sealed', row: 'id', reencrypt: false },
] as const
type SealedColumn = (typeof sealedColumns)[number]

const batchSize = 500
const keyIdOf = (column: SealedColumn) => sql`substring(${sql.ref(column.column)} from 2 for 16)`

/** Re-encrypts and re-indexes all values of previous `fields` and `index` keys, in batches to keep locks short. */
export async function reencryptAll(db: Kysely<DB>, keys: Keys): Promise<void> {
  if (keys.all('fields').some((key) => key.state === 'previous'))
    for (const column of sealedColumns) if (column.reencrypt) await reencryptColumn(db, keys, column)
  if (keys.all('index').some((key) => key.state === 'previous')) await recomputeIndexes(db, keys)
}

/** Whether any value is still encrypted with this key. */
export async function isKeyInUse(db: Kysely<DB>, keyId: string): Promise<boolean> {
  for (const column of sealedColumns) {
    const { rows } = await sql`
      select from ${sql.table(column.table)} where ${keyIdOf(column)} = ${Buffer.from(parse(keyId))} limit 1`.execute(
      db,
    )
    if (rows.length > 0) return true
  }
  return false
}

async function reencryptColumn(db: Kysely<DB>, keys: Keys, column: SealedColumn): Promise<void> {
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
      const fresh = seal(keys, 'fields', cell, await unseal(keys, cell, row.sealed))
      // Compare-and-set: a concurrent write is newer and must not be overwritten.
      await sql`
        update ${sql.table(column.table)} set ${value} = ${fresh}
        where ${id}::text = ${row.id} and ${value} = ${row.sealed}`.execute(db)
    }
    after = rows.at(-1)?.id
    if (after === undefined) return
  }
}

async function recomputeIndexes(db: Kysely<DB>, keys: Keys): Promise<void> {
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
      const fresh = indexSsn(keys, await unsealSsn(keys, accountId, ssnSealed))
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
