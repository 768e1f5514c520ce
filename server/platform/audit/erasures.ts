import type pg from 'pg'
import type { Keys } from '../secrets/keys.ts'
import { openStatement, type SignedStatement } from './checkpoint.ts'

/** An event whose content is no longer the one that was sealed. Hashes in hex. */
export interface ErasedEvent {
  seq: number
  /** Of its row of the chain, which stays. */
  hash: string
  /** Of what is left of it. */
  digest: string
}

/** A list of erased events, signed, so that only the portal can say so. */
export type Erasure = SignedStatement & { erased: ErasedEvent[] }

/** The signed lists, the oldest first. One that no key of this portal signed is left out. */
export async function readErasures(client: Pick<pg.ClientBase, 'query'>, keys: Keys): Promise<Erasure[]> {
  const { rows } = await client.query<{ signed: string }>('select signed from audit_erasures order by number')
  const opened = await Promise.all(rows.map(({ signed }) => openStatement(keys, signed)))
  return opened.filter((one): one is Erasure => one !== undefined && 'erased' in one)
}

/** The erased events by their place; of an event that was erased twice the last digest counts. */
export const erasedBySeq = (erasures: readonly Erasure[]): ReadonlyMap<number, ErasedEvent> =>
  new Map(erasures.flatMap(({ erased }) => erased.map((event) => [event.seq, event])))
