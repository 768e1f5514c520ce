import type pg from 'pg'
import type { Keys } from '../../secrets/keys.ts'
import { type AuditHead, type ChainRow, selectChainRows } from '../audit-chain.ts'
import { exportHeader, exportLine } from '../audit-export.ts'
import { openCheckpoint, signStatement } from '../checkpoint.ts'
import { readErasures } from '../erasures.ts'
import { type KeptFrom, removedBefore } from '../retention.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** The rows of the chain that a file gets. */
export interface RowsOfMonth {
  month: string
  /** The row before the first one. */
  previous: AuditHead
  last: AuditHead
  /** The last row of the chain when `last` was looked for: later ones may be of the month, too. */
  head: number
}

interface LinesOptions {
  keys: Keys
  /** What the database may have removed already. */
  removed: KeptFrom
  /** What is too old by the settings: it is left out, whether or not the database still has it. */
  kept: KeptFrom
}

/** Rows that one statement reads. */
const rowsAtATime = 2000

/** The lines of docs/audit-export.md for a part of the chain. Its checkpoint says after which row the part begins. */
export async function* linesOfMonth(
  client: Client,
  { previous, last }: RowsOfMonth,
  { keys, removed, kept }: LinesOptions,
): AsyncIterable<string> {
  const start = { startSeq: previous.seq, startHash: previous.hash, removedBefore: removedBefore(removed) }
  const checkpoint = await openCheckpoint(keys, await signStatement(keys, start))
  if (!checkpoint) throw new Error('a checkpoint cannot be opened')
  const concerned = (await readErasures(client, keys)).filter(({ erased }) =>
    erased.some(({ seq }) => seq > previous.seq && seq <= last.seq),
  )
  const statementOf = ({ signed, key }: (typeof concerned)[number]) => ({ signed, key })
  yield exportHeader({
    complete: true,
    head: last,
    checkpoint: { signed: checkpoint.signed, key: checkpoint.key },
    erasures: concerned.map(statementOf),
  })
  const tooOld = removedBefore(kept)
  for (let from = previous.seq; from < last.seq; from += rowsAtATime) {
    const { rows } = await client.query<ChainRow>(
      `${selectChainRows} where c.seq > $1 and c.seq <= $2 order by c.seq`,
      [from, Math.min(from + rowsAtATime, last.seq)],
    )
    const isTooOld = (row: ChainRow) => BigInt(row.microseconds) < BigInt(tooOld[row.family] ?? 0)
    yield rows.map((row) => exportLine(isTooOld(row) ? { ...row, id: null } : row)).join('')
  }
}
