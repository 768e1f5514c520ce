import { sql } from 'kysely'
import { type ChainRow, selectChainRows } from '#server/platform/audit/audit-chain.ts'
import { exportHeader, exportLine } from '#server/platform/audit/audit-export.ts'
import { openCheckpoint } from '#server/platform/audit/checkpoint.ts'
import { readErasures } from '#server/platform/audit/erasures.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { System } from '#server/platform/system.ts'
import { conditionsOf, type EventFilters } from './event-conditions.repository.ts'

/** Places of the chain that one statement reads. */
const placesAtATime = 2000

/**
 * The lines of docs/audit-export.md: everything from the first row to the head, or the rows whose events match, in order.
 * For those who read everything: what is left out of an event would break its hash.
 */
export async function* chainLines({ db, pool, keys }: Pick<System, 'db' | 'pool' | 'keys'>, filters: EventFilters) {
  await sealAuditEvents(db, { waits: true })
  const { rows: heads } = await pool.query<{ seq: string; hash: string }>(
    `select seq, encode(hash, 'hex') as hash from audit_head`,
  )
  const head = { seq: Number(heads[0]?.seq), hash: heads[0]?.hash ?? '' }
  const complete = Object.values(filters).every((filter) => filter === undefined)
  const { rows: checkpoints } = await pool.query<{ signed: string }>(
    'select signed from audit_checkpoints order by number desc limit 1',
  )
  const opened = checkpoints[0] && (await openCheckpoint(keys, checkpoints[0].signed))
  const erasures = (await readErasures(pool, keys)).map(({ signed, key }) => ({ signed, key }))
  yield exportHeader({ complete, head, erasures, checkpoint: opened && { signed: opened.signed, key: opened.key } })
  const condition = complete ? sql`true` : await conditionsOf(db, 'everything', filters)
  const { sql: where, parameters } = condition.compile(db)
  const [after, upTo] = [parameters.length + 1, parameters.length + 2]
  const statement = `${selectChainRows} where ${where} and c.seq > $${after} and c.seq <= $${upTo} order by c.seq`
  for (let from = 0; from < head.seq; from += placesAtATime) {
    const { rows } = await pool.query<ChainRow>(statement, [
      ...parameters,
      from,
      Math.min(from + placesAtATime, head.seq),
    ])
    if (rows.length > 0) yield rows.map((row) => exportLine({ ...row, seq: Number(row.seq) })).join('')
  }
}
