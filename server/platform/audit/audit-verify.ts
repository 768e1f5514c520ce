import type pg from 'pg'
import { type ChainRow, digestOf, genesisHash, hashOf, selectChainRows } from './audit-chain.ts'

/** A position in the chain: the number of a row and its hash. */
export interface AuditHead {
  seq: number
  /** Hex. */
  hash: string
}

export type AuditVerdict =
  /** `unsealed` events are written and have no place in the chain yet. */
  | { intact: true; head: AuditHead; unsealed: number }
  /** `seq` is the first broken row; the rows before it are intact. */
  | { intact: false; seq: number; id: string | undefined; reason: string }

type Client = Pick<pg.ClientBase, 'query'>
type Position = { seq: number; hash: Buffer }

const rowsAfter = `${selectChainRows} where c.seq > $1 order by c.seq limit $2`

/**
 * Recomputes the whole chain on one snapshot, without using the database's own functions.
 *
 * @param client a dedicated connection: the rows are read in batches inside one transaction
 * @param known a head that was logged earlier; it reveals rows that were cut off since then
 */
export async function verifyAuditChain(
  client: Client,
  { known, batch = 2000 }: { known?: AuditHead | undefined; batch?: number } = {},
): Promise<AuditVerdict> {
  await client.query('begin transaction isolation level repeatable read, read only')
  try {
    return await verify(client, known, batch)
  } finally {
    await client.query('rollback')
  }
}

async function verify(client: Client, known: AuditHead | undefined, batch: number): Promise<AuditVerdict> {
  let last: Position = { seq: 0, hash: genesisHash }
  for (;;) {
    const { rows } = await client.query<ChainRow>(rowsAfter, [last.seq, batch])
    for (const row of rows) {
      const reason = faultOf(row, last, known)
      if (reason) return broken(last, reason, row)
      last = { seq: row.seq, hash: row.hash }
    }
    if (rows.length < batch) break
  }
  return (await faultOfEnd(client, last, known)) ?? (await lookBesideChain(client, last))
}

const broken = (last: Position, reason: string, row?: ChainRow): AuditVerdict => ({
  intact: false,
  seq: last.seq + 1,
  id: row?.event_id,
  reason,
})

function faultOf(row: ChainRow, last: Position, known: AuditHead | undefined): string | undefined {
  if (row.seq !== last.seq + 1) return `the row is missing; the next one is ${row.seq}`
  if (!row.previous_hash.equals(last.hash)) return 'it does not follow the row before it'
  if (row.id === null) return 'the event is missing'
  if (row.digest && !digestOf(row).equals(row.digest)) return 'its content was changed'
  if (!hashOf(row).equals(row.hash)) return row.digest ? 'its place was changed' : 'its content was changed'
  if (known?.seq === row.seq && known.hash !== row.hash.toString('hex'))
    return 'it is not the row that was known at this place'
  return undefined
}

async function faultOfEnd(client: Client, last: Position, known: AuditHead | undefined) {
  const { rows: heads } = await client.query<Position>('select seq, hash from audit_head')
  const head = heads[0]
  if (!head) return broken(last, 'the head of the chain is missing')
  if (head.seq !== last.seq) return broken(last, `the chain ends here, and its head is row ${head.seq}`)
  if (!head.hash.equals(last.hash)) return broken(last, 'the head of the chain is not the hash of its last row')
  if (known && known.seq > last.seq) return broken(last, `the chain ends here, and row ${known.seq} was known`)
  return undefined
}

/** Looks for events that are neither in the chain nor wait for it: none gets there through an insert. */
async function lookBesideChain(client: Client, last: Position): Promise<AuditVerdict> {
  const { rows } = await client.query<{ unsealed: number; all: number }>(`
    select (select count(*) from audit_unsealed) as unsealed, (select count(*) from audit_events) as all`)
  const [{ unsealed, all }] = rows as [{ unsealed: number; all: number }]
  if (all !== last.seq + unsealed) {
    const { rows: strays } = await client.query<{ id: string }>(`
      select id from audit_events e
      where not exists (select from audit_chain c where c.event_id = e.id and c.created_at = e.created_at)
        and not exists (select from audit_unsealed u where u.event_id = e.id and u.created_at = e.created_at)
      order by created_at, id limit 1`)
    const id = strays[0]?.id
    return { intact: false, seq: last.seq + 1, id, reason: 'an event was added beside the chain' }
  }
  return { intact: true, head: { seq: last.seq, hash: last.hash.toString('hex') }, unsealed }
}
