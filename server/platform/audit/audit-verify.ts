import type pg from 'pg'
import type { Keys } from '../secrets/keys.ts'
import { type AuditHead, type ChainRow, genesisHash, selectChainRows } from './audit-chain.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { erasedBySeq, readErasures } from './erasures.ts'
import { faultOf } from './row-fault.ts'

export type AuditVerdict =
  /** `unsealed` events are written and have no place in the chain yet. */
  | { intact: true; head: AuditHead; unsealed: number }
  /** `seq` is the first broken row; the rows before it are intact. */
  | { intact: false; seq: number; id: string | undefined; reason: string }

type Client = Pick<pg.ClientBase, 'query'>

interface VerifyOptions {
  /** Heads that were logged earlier: they reveal rows that were cut off since then. */
  known?: readonly AuditHead[]
  /**
   * Rows that are read at once. So few that the database reads on while they are hashed, and that requests do not wait for them.
   */
  batch?: number
  /** The row that an earlier check ended with: what is before it is not read again. */
  after?: AuditHead | undefined
  /** The keys that sign checkpoints. Without them a log from which old events were removed is not intact. */
  keys?: Keys | undefined
}

/**
 * Recomputes the chain on one snapshot, without using the database's own functions.
 *
 * @param client a dedicated connection: the rows are read in batches inside one transaction
 */
export async function verifyAuditChain(client: Client, options: VerifyOptions = {}): Promise<AuditVerdict> {
  await client.query('begin transaction isolation level repeatable read, read only')
  try {
    return await verify(client, options)
  } finally {
    await client.query('rollback')
  }
}

async function verify(client: Client, { known = [], after, batch = 200, keys }: VerifyOptions): Promise<AuditVerdict> {
  const start = await readStart(client, keys)
  let last: AuditHead = { seq: start?.startSeq ?? 0, hash: start?.startHash ?? genesisHash }
  if (start === null) return broken(last, 'old events were removed, and no key of this portal signed that')
  const goesOn = after !== undefined && after.seq > last.seq
  if (goesOn) last = after
  const since = goesOn ? await readMoment(client, after) : undefined
  if (goesOn && !since) return broken({ ...after, seq: after.seq - 1 }, 'it is not the row that was verified')
  const knownAt = new Map(known.map(({ seq, hash }) => [seq, hash]))
  const isOther = ({ seq, hash }: AuditHead) => (knownAt.get(seq) ?? hash) !== hash
  if (isOther(last)) return broken(last, `row ${last.seq} is not the one that was known`)
  let present = 0
  const erased = erasedBySeq(keys ? await readErasures(client, keys) : [])
  // Planned for its first rows: in order, and not sorted when all are read.
  await client.query('set local cursor_tuple_fraction = 0')
  await client.query(
    `declare chain_rows no scroll cursor for ${selectChainRows} where c.seq > ${last.seq} order by c.seq`,
  )
  const readNext = () => client.query<ChainRow>(`fetch ${batch} from chain_rows`)
  let reading = readNext()
  for (;;) {
    const { rows } = await reading
    if (rows.length === 0) break
    // The database reads the next rows while these are hashed.
    reading = readNext()
    reading.catch(() => {})
    for (const row of rows) {
      const reason = faultOf(row, last, { start, erased: erased.get(row.seq) })
      if (reason) return broken(last, reason, row)
      if (isOther(row)) return broken(last, 'it is not the row that was known at this place', row)
      last = { seq: row.seq, hash: row.hash }
      if (row.id !== null) present++
    }
  }
  return (
    (await faultOfEnd(client, last, known)) ??
    (await (since ? lookBesideNewRows(client, last, since) : lookBesideChain(client, last, present)))
  )
}

/** The moment of a row, as text; undefined where the row is missing or another one. */
async function readMoment(client: Client, { seq, hash }: AuditHead): Promise<string | undefined> {
  const { rows } = await client.query<{ moment: string }>(
    `select created_at::text as moment from audit_chain where seq = $1 and hash = decode($2, 'hex')`,
    [seq, hash],
  )
  return rows[0]?.moment
}

/** The checkpoint that the chain begins with: undefined where nothing was removed, null where it is not signed by us. */
export async function readStart(client: Client, keys: Keys | undefined): Promise<Checkpoint | undefined | null> {
  const { rows } = await client.query<{ signed: string }>(
    'select signed from audit_checkpoints order by number desc limit 1',
  )
  if (!rows[0]) return undefined
  return (keys && (await openCheckpoint(keys, rows[0].signed))) ?? null
}

const broken = (last: AuditHead, reason: string, row?: Pick<ChainRow, 'event_id'>): AuditVerdict => ({
  intact: false,
  seq: last.seq + 1,
  id: row?.event_id,
  reason,
})

async function faultOfEnd(client: Client, last: AuditHead, known: readonly AuditHead[]) {
  const { rows: heads } = await client.query<AuditHead>(`select seq, encode(hash, 'hex') as hash from audit_head`)
  const head = heads[0]
  if (!head) return broken(last, 'the head of the chain is missing')
  if (head.seq !== last.seq) return broken(last, `the chain ends here, and its head is row ${head.seq}`)
  if (head.hash !== last.hash) return broken(last, 'the head of the chain is not the hash of its last row')
  const missed = known.find(({ seq }) => seq > last.seq)
  if (missed) return broken(last, `the chain ends here, and row ${missed.seq} was known`)
  return undefined
}

/** Looks for events that are neither in the chain nor wait for it: none gets there through an insert. */
async function lookBesideChain(client: Client, last: AuditHead, present: number): Promise<AuditVerdict> {
  const { rows } = await client.query<{ unsealed: number; all: number }>(`
    select (select count(*) from audit_events where not sealed) as unsealed,
      (select count(*) from audit_events) as all`)
  const [{ unsealed, all }] = rows as [{ unsealed: number; all: number }]
  // None where a removal is under way: it deletes an event before its place.
  const stray = all === present + unsealed ? undefined : await findStray(client)
  return stray ? broken(last, besideChain, { event_id: stray }) : { intact: true, head: last, unsealed }
}

/** The same among the events since a moment: what a check costs grows with these alone. */
async function lookBesideNewRows(client: Client, last: AuditHead, since: string): Promise<AuditVerdict> {
  const stray = await findStray(client, since)
  if (stray) return broken(last, besideChain, { event_id: stray })
  const { rows } = await client.query<{ unsealed: number }>(
    'select count(*) as unsealed from audit_events where not sealed',
  )
  return { intact: true, head: last, unsealed: rows[0]?.unsealed ?? 0 }
}

const besideChain = 'an event was added beside the chain'

async function findStray(client: Client, since = '-infinity'): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `select id from audit_events e
    where sealed and created_at >= $1
      and not exists (select from audit_chain c where c.event_id = e.id and c.created_at = e.created_at)
    order by created_at, id limit 1`,
    [since],
  )
  return rows[0]?.id
}
