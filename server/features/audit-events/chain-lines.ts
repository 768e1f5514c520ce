import { type ChainRow, selectChainRows } from '#server/platform/audit/audit-chain.ts'
import { exportHeader, exportLine } from '#server/platform/audit/audit-export.ts'
import { openCheckpoint } from '#server/platform/audit/checkpoint.ts'
import { readErasures } from '#server/platform/audit/erasures.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { System } from '#server/platform/system.ts'
import { findPlaces } from './event-rows.ts'
import { type EventFilters, toSearch } from './event-search.ts'

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
  const search = complete ? null : await toSearch(db, 'everything', filters)
  if (search === undefined) return
  for (let from = 0; from < head.seq; from += placesAtATime) {
    const places = { from, to: Math.min(from + placesAtATime, head.seq) }
    const found = search && (await findPlaces(db, search, places))
    if (found?.length === 0) continue
    const { rows } = await pool.query<ChainRow>(
      `${selectChainRows} where c.seq > $1 and c.seq <= $2 and ($3::bigint[] is null or c.seq = any ($3)) order by c.seq`,
      [places.from, places.to, found],
    )
    yield rows.map((row) => exportLine({ ...row, seq: Number(row.seq) })).join('')
  }
}
