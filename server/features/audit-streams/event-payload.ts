import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** A sealed event, with ids and without names, addresses and numbers of people. */
export interface StreamedEvent {
  seq: number
  id: string
  name: string
  createdAt: Date
  actorId: string | null
  targetId: string | null
  organizationIds: string[]
  requestId: string | null
}

/** Sealed events in order, from a number on. Events that were removed because of their age are left out. */
export async function readSealedEvents(
  db: Db,
  { from, limit }: { from: number; limit: number },
): Promise<StreamedEvent[]> {
  const { rows } = await sql<StreamedEvent>`
    select c.seq, e.id, e.name, e.created_at, e.actor_id, e.target_id, e.organization_ids, e.request_id
    from audit_chain c join audit_events e on e.id = c.event_id and e.created_at = c.created_at
    where c.seq >= ${from} order by c.seq limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

/** The body of a webhook, and the message of the other streams. */
export const payloadOf = ({ name, createdAt, seq, id, ...ids }: StreamedEvent): string =>
  JSON.stringify({ type: `audit.${name}`, timestamp: createdAt.toISOString(), data: { seq, eventId: id, ...ids } })
