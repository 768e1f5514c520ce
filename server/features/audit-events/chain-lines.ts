import { sql } from 'kysely'
import { type ChainRow, selectChainRows } from '#server/platform/audit/audit-chain.ts'
import { exportHeader, exportLine } from '#server/platform/audit/audit-export.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { System } from '#server/platform/system.ts'
import type { EventFilters } from './event-filters.ts'
import { filtered } from './event-filters.ts'

/** Places of the chain that one statement reads. */
const placesAtATime = 2000

/**
 * The lines of docs/audit-export.md: everything from the first row to the head, or the rows whose events match, in order.
 * For those who read everything: what is left out of an event would break its hash.
 */
export async function* chainLines({ db, pool }: Pick<System, 'db' | 'pool'>, filters: EventFilters) {
  await sealAuditEvents(db)
  const { rows: heads } = await pool.query<{ seq: string; hash: string }>(
    `select seq, encode(hash, 'hex') as hash from audit_head`,
  )
  const head = { seq: Number(heads[0]?.seq), hash: heads[0]?.hash ?? '' }
  const complete = Object.values(filters).every((filter) => filter === undefined)
  yield exportHeader({ complete, head })
  const matches = complete ? sql`true` : await matchOf(db, filters)
  for (let from = 0; from < head.seq; from += placesAtATime) {
    const to = Math.min(from + placesAtATime, head.seq)
    const { sql: text, parameters } = sql`
      ${sql.raw(selectChainRows)} where c.seq > ${from} and c.seq <= ${to} and ${matches} order by c.seq`.compile(db)
    const { rows } = await pool.query<ChainRow>(text, [...parameters])
    yield rows.map((row) => exportLine({ ...row, seq: Number(row.seq) })).join('')
  }
}

async function matchOf(db: System['db'], filters: EventFilters) {
  const events = db
    .selectFrom('auditEvents')
    .where(sql<boolean>`audit_events.id = e.id and audit_events.created_at = e.created_at`)
  return sql`exists (${(await filtered(db, events, 'everything', filters)).select(sql`1`.as('one'))})`
}
