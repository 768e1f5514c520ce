import { type ChainRow, genesisHash } from './audit-chain.ts'

/** What the first line of an export says (docs/audit-export.md). */
export interface ExportHeader {
  /** Whether it has every event there is, so that a gap is a fault. */
  complete: boolean
  /** The signed checkpoint that the chain begins with, where old events were removed. */
  checkpoint?: { signed: string; key: object } | undefined
  /** Signed lists of events whose content was erased. */
  erasures?: readonly { signed: string; key: object }[]
  /** The last row that is in the chain. */
  head: { seq: number; hash: string }
}

const line = (value: object) => `${JSON.stringify(value)}\n`

/** The first line of an export. */
export const exportHeader = ({ complete, checkpoint, erasures = [], head }: ExportHeader): string =>
  line({
    format: 'vestibule-audit-export-2',
    complete,
    genesis: genesisHash,
    checkpoint: checkpoint ?? null,
    erasures,
    head,
  })

/** A line of an export: every field in the text that was hashed. */
export function exportLine(row: ChainRow): string {
  const place = {
    seq: row.seq,
    family: row.family,
    microseconds: row.microseconds,
    previousHash: row.previous_hash,
    digest: row.digest,
    hash: row.hash,
  }
  if (row.id === null) return line({ ...place, removed: true })
  return line({
    ...place,
    id: row.id,
    name: row.name,
    actorId: row.actor_id,
    actor: row.actor,
    targetId: row.target_id,
    target: row.target,
    organizationIds: row.organizations,
    changes: row.changes,
    requestId: row.request_id,
    salt: row.salt,
  })
}

/** The row that a line of an export was made of. */
export function chainRowOf(text: string): ChainRow {
  const line = JSON.parse(text)
  return {
    seq: line.seq,
    family: line.family,
    microseconds: line.microseconds,
    previous_hash: line.previousHash,
    digest: line.digest,
    hash: line.hash,
    event_id: line.id ?? '',
    id: line.removed ? null : line.id,
    name: line.name,
    actor_id: line.actorId,
    actor: line.actor,
    target_id: line.targetId,
    target: line.target,
    organizations: line.organizationIds,
    changes: line.changes,
    request_id: line.requestId,
    salt: line.salt,
  }
}
