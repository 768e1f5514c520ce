import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/database-types.ts'
import { endOfMonth } from './cold-months.ts'
import type { ColdOptions } from './cold-options.ts'
import type { RowsOfMonth } from './month-lines.ts'

/** Rows that one statement looks at: none takes long, however large the log is. */
const lookedAt = 1_000_000

/** The oldest month that is in the database and over since `before`; undefined where there is none. */
export async function findNextMonth(
  { db, now, log }: Pick<ColdOptions, 'db' | 'now' | 'log'>,
  before: Date,
): Promise<RowsOfMonth | undefined> {
  const { rows } = await sql<{ row: number; month: string; seq: number; hash: string }>`
    with cold as (
      select coalesce(max(last_seq), 0) as seq, audit_month_end(max(month)) as until from audit_cold_months
    ), first as (
      select chain.seq, previous_hash from audit_chain chain, cold where chain.seq > cold.seq order by chain.seq limit 1
    )
    select chain.seq as row, to_char(chain.created_at at time zone 'UTC', 'YYYY-MM') as month, first.seq - 1 as seq,
      encode(first.previous_hash, 'hex') as hash
    from audit_chain chain, cold, first
    where chain.seq >= first.seq and (cold.until is null or chain.created_at >= cold.until)
    order by chain.seq limit 1`.execute(db)
  const [found] = rows
  if (!found) return undefined
  const { row, month } = found
  if (month > now.toISOString().slice(0, 7))
    log.warn(
      { row, month },
      'the next event of the audit log is dated ahead: no month moves until that one is old enough',
    )
  if (endOfMonth(month) > before) return undefined
  const last = await findLastRow(db, endOfMonth(month), found.seq)
  return last && { month, previous: { seq: found.seq, hash: found.hash }, ...last }
}

/** The last row of which the event is older: at a turn of the month, rows of both months take turns. */
async function findLastRow(db: Kysely<DB>, end: Date, after: number) {
  const { rows: heads } = await sql<{ seq: number }>`select seq from audit_head`.execute(db)
  const head = heads[0]?.seq ?? 0
  for (let to = head; to > after; to -= lookedAt) {
    const { rows } = await sql<{ seq: number; hash: string }>`
      select seq, encode(hash, 'hex') as hash from audit_chain
      where seq > ${to - lookedAt} and seq <= ${to} and created_at < ${end} order by seq desc limit 1`.execute(db)
    if (rows[0]) return { last: rows[0], head }
  }
  return undefined
}
