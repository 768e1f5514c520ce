import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { plainClient } from '../database/plain-client.ts'
import type { Keys } from '../secrets/keys.ts'
import { type ChainRow, digestOf, selectChainRows } from './audit-chain.ts'
import { signStatement } from './checkpoint.ts'

/** The pseudonym that replaces the address. It uses the end of the id, which is random; the beginning is a timestamp. */
export const pseudonymOf = (subjectId: string): string => `erased:${subjectId.slice(-8).toLowerCase()}`

// A signed list of this many events has some 200 KB.
const listed = 1000

/**
 * Replaces the address of a deleted person with a pseudonym in the whole audit log, and removes the values that
 * identify the person. The signed list of these events keeps the chain verifiable.
 *
 * @param db a transaction
 */
export async function erasePerson(db: Db, keys: Keys, subjectId: string, now: Date): Promise<void> {
  const { rows: changed } = await sql<{ id: string }>`
    select id from erase_from_audit_events(${subjectId}, ${pseudonymOf(subjectId)}) as erased (id)`.execute(db)
  const client = plainClient(db)
  for (let from = 0; from < changed.length; from += listed) {
    const ids = changed.slice(from, from + listed).map(({ id }) => id)
    const { rows } = await client.query<ChainRow>(`${selectChainRows} where c.event_id = any ($1) order by c.seq`, [
      ids,
    ])
    const erased = rows.map((row) => ({ seq: Number(row.seq), hash: row.hash, digest: digestOf(row) }))
    const signed = await signStatement(keys, { erased })
    await sql`select keep_audit_erasure(${signed}, ${now})`.execute(db)
  }
}
