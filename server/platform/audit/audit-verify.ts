import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A position in the chain: the number of a row and its hash. */
export interface AuditHead {
  seq: number
  /** Hex. */
  hash: string
}

export type AuditVerdict =
  | { intact: true; head: AuditHead }
  /** `seq` is the first broken row; the rows before it are intact. */
  | { intact: false; seq: number; id: string | undefined; reason: string }

interface Row {
  seq: number
  id: string
  name: string
  actor_id: string | null
  actor: string | null
  target_id: string | null
  target: string | null
  organizations: string
  changes: string
  request_id: string | null
  microseconds: string
  previous_hash: Buffer
  hash: Buffer
}

const rowsAfter = `
  select seq, id, name, actor_id, actor, target_id, target, array_to_string(organization_ids, ' ') as organizations,
    changes::text as changes, request_id, (extract(epoch from created_at) * 1000000)::bigint::text as microseconds,
    previous_hash, hash
  from audit_events where seq > $1 order by seq limit $2`

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The hash that the first row refers to; the migration that created the table uses the same text. */
const genesisHash = sha256('vestibule audit chain')

/**
 * Recomputes the whole chain on one snapshot, without using the database's own functions.
 *
 * @param client a dedicated connection: the rows are read in batches inside one transaction
 * @param known a head that was logged earlier; it reveals rows that were cut off since then
 */
export async function verifyAuditChain(
  client: Pick<pg.ClientBase, 'query'>,
  { known, batch = 2000 }: { known?: AuditHead | undefined; batch?: number } = {},
): Promise<AuditVerdict> {
  await client.query('begin transaction isolation level repeatable read, read only')
  try {
    return await verify(client, known, batch)
  } finally {
    await client.query('rollback')
  }
}

async function verify(
  client: Pick<pg.ClientBase, 'query'>,
  known: AuditHead | undefined,
  batch: number,
): Promise<AuditVerdict> {
  let last: { seq: number; hash: Buffer } = { seq: 0, hash: genesisHash }
  const broken = (reason: string, row?: Row): AuditVerdict => ({
    intact: false,
    seq: last.seq + 1,
    id: row?.id,
    reason,
  })
  for (;;) {
    const { rows } = await client.query<Row>(rowsAfter, [last.seq, batch])
    for (const row of rows) {
      if (row.seq !== last.seq + 1) return broken(`the row is missing; the next one is ${row.seq}`)
      if (!row.previous_hash.equals(last.hash)) return broken('it does not follow the row before it', row)
      if (!sha256(last.hash, bytesOf(row)).equals(row.hash)) return broken('its content was changed', row)
      if (known?.seq === row.seq && known.hash !== row.hash.toString('hex'))
        return broken('it is not the row that was known at this place', row)
      last = { seq: row.seq, hash: row.hash }
    }
    if (rows.length < batch) break
  }
  const { rows: heads } = await client.query<{ seq: number; hash: Buffer }>('select seq, hash from audit_head')
  const head = heads[0]
  if (!head) return broken('the head of the chain is missing')
  if (head.seq !== last.seq) return broken(`the chain ends here, and its head is row ${head.seq}`)
  if (!head.hash.equals(last.hash)) return broken('the head of the chain is not the hash of its last row')
  if (known && known.seq > last.seq) return broken(`the chain ends here, and row ${known.seq} was known`)
  return { intact: true, head: { seq: last.seq, hash: last.hash.toString('hex') } }
}

/** The bytes that are hashed: every field is prefixed with its length, so that no two rows give the same bytes. */
function bytesOf(row: Row): string {
  const fields = [
    String(row.seq),
    row.id,
    row.name,
    row.actor_id,
    row.actor,
    row.target_id,
    row.target,
    row.organizations,
    row.changes,
    row.request_id,
    row.microseconds,
  ]
  return fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(',')
}
