import { hash } from 'node:crypto'

/** A row of the chain with the content of its event, each field in the text that is hashed. Hashes are hex. */
export interface ChainRow {
  seq: number
  family: string
  event_id: string
  /** Of the content. */
  digest: string
  previous_hash: string
  hash: string
  /** The moment of the event since 1970. */
  microseconds: string
  /** Null where the event is missing. */
  id: string | null
  name: string
  actor_id: string | null
  actor: string | null
  target_id: string | null
  target: string | null
  organizations: string
  changes: string
  request_id: string | null
  /** Null for erased events. */
  salt: string | null
}

/** A position in the chain: the number of a row and its hash. */
export interface AuditHead {
  seq: number
  /** Hex. */
  hash: string
}

/** Selects `ChainRow`s, which have the alias `c`; a condition and an order follow. */
export const selectChainRows = `
  select c.seq, c.family, c.event_id, encode(c.digest, 'hex') as digest, encode(c.previous_hash, 'hex') as previous_hash,
    encode(c.hash, 'hex') as hash,
    (extract(epoch from c.created_at) * 1000000)::bigint::text as microseconds,
    e.id, name, actor_id, actor, target_id, target, array_to_string(organization_ids, ' ') as organizations,
    changes::text as changes, request_id, salt::text as salt
  from audit_chain c left join audit_events e on e.id = c.event_id and e.created_at = c.created_at and e.sealed`

const sha256 = (content: string | Buffer) => hash('sha256', content, 'hex')

/** The hash that the first row refers to; `server/schema/audit-chain.sql` has the same text. */
export const genesisHash = sha256('vestibule audit chain')

// Every field is prefixed with its length, so that no two rows give the same bytes.
const bytesOf = (...fields: (string | null)[]) =>
  fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(',')

const contentOf = (row: ChainRow) =>
  bytesOf(
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
    ...(row.salt === null ? [] : [row.salt]),
  )

/** The digest of an event's content. */
export const digestOf = (row: ChainRow): string => sha256(contentOf(row))

/** The hash of a row, over the one before it. */
export const hashOf = (row: ChainRow): string =>
  sha256(
    Buffer.concat([
      Buffer.from(row.previous_hash, 'hex'),
      Buffer.from(bytesOf(String(row.seq), row.family, row.microseconds, row.digest)),
    ]),
  )
