import { sql } from 'kysely'
import type { AuditStreamForm } from '#contract/audit-streams/audit-streams.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import type { StreamedEvent } from './event-payload.ts'

const cellOf = (streamId: string, column: 'secret_sealed' | 'previous_secret_sealed') => ({
  table: 'audit_streams',
  column,
  row: streamId,
})
/** Who has read its secret is a super user today; what the operator's settings name needs nobody. */
export const stands = sql<boolean>`(kind <> 'webhook' or exists (
  select from users u where u.account_id = audit_streams.answers_for and u.super_user))`
const headSeq = sql<number>`(select seq from audit_head)`

/** The webhooks, the oldest first, with how many events wait for each. */
export async function listWebhooks(db: Db) {
  const rows = await db
    .selectFrom('auditStreams')
    .selectAll()
    .select(headSeq.as('headSeq'))
    .select(stands.as('stands'))
    .select(sql<string | null>`(select email from users u where u.account_id = audit_streams.answers_for)`.as('madeBy'))
    .where('kind', '=', 'webhook')
    .orderBy('streamId')
    .execute()
  return rows.map(({ headSeq, deliveredSeq, lastDeliveredAt, nextTryAt, failures, ...row }) => ({
    ...row,
    url: row.url ?? '',
    stopped: row.stopped as 'gone' | 'failed' | null,
    deliveredSeq: Number(deliveredSeq),
    waiting: Math.max(0, Number(headSeq) - Number(deliveredSeq)),
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    failures,
    nextTryAt: failures > 0 && !row.stopped && row.stands ? nextTryAt.toISOString() : null,
  }))
}

/** Finds and locks a webhook until the transaction ends. */
export const findWebhookForUpdate = (db: Db, streamId: string) =>
  db
    .selectFrom('auditStreams')
    .selectAll()
    .where('streamId', '=', streamId)
    .where('kind', '=', 'webhook')
    .forUpdate()
    .executeTakeFirst()

export async function insertWebhook(
  db: Db,
  keys: Keys,
  form: AuditStreamForm,
  { secret, now, answersFor }: { secret: string; now: Date; answersFor: string },
) {
  const streamId = newId()
  await db
    .insertInto('auditStreams')
    .values({
      streamId,
      kind: 'webhook',
      ...form,
      answersFor,
      secretSealed: seal(keys, 'fields', cellOf(streamId, 'secret_sealed'), secret),
      deliveredSeq: headSeq,
      nextTryAt: now,
    })
    .execute()
  return streamId
}

/** Replaces the secret by one that somebody reads, who answers for it from now on; the present one signs as well until then. */
export async function replaceSecret(
  db: Db,
  keys: Keys,
  {
    streamId,
    secret,
    present,
    until,
    answersFor,
  }: { streamId: string; secret: string; present: Buffer; until: Date; answersFor: string },
) {
  const old = await unseal(keys, cellOf(streamId, 'secret_sealed'), present)
  await db
    .updateTable('auditStreams')
    .set({
      answersFor,
      secretSealed: seal(keys, 'fields', cellOf(streamId, 'secret_sealed'), secret),
      previousSecretSealed: seal(keys, 'fields', cellOf(streamId, 'previous_secret_sealed'), old),
      previousSecretUntil: until,
    })
    .where('streamId', '=', streamId)
    .execute()
}

interface Sealed {
  streamId: string
  secretSealed: Buffer | null
  previousSecretSealed: Buffer | null
  previousSecretUntil: Date | null
}

/** The secrets that sign now: two while one is being replaced. */
export async function secretsOf(keys: Keys, { streamId, ...sealed }: Sealed, now: Date): Promise<string[]> {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = sealed
  const previous = previousSecretUntil && previousSecretUntil > now ? previousSecretSealed : null
  const found = await Promise.all([
    secretSealed && unseal(keys, cellOf(streamId, 'secret_sealed'), secretSealed),
    previous && unseal(keys, cellOf(streamId, 'previous_secret_sealed'), previous),
  ])
  return found.filter((secret) => secret !== null).map((secret) => secret.toString('utf8'))
}

/** Sends the events after this number next, and clears an error or a stop. */
export const restartStream = (db: Db, streamId: string, { deliveredSeq, now }: { deliveredSeq: number; now: Date }) =>
  db
    .updateTable('auditStreams')
    .set({ deliveredSeq, nextTryAt: now, failures: 0, lastProblem: null, stopped: null })
    .where('streamId', '=', streamId)
    .execute()

/** The last number before a moment. */
export async function seqBefore(db: Db, from: Date): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce((select min(seq) - 1 from audit_chain where created_at >= ${from}), (select seq from audit_head)) as seq
  `.execute(db)
  return Number(rows[0]?.seq ?? 0)
}

export const removeWebhook = (db: Db, streamId: string) =>
  db.deleteFrom('auditStreams').where('streamId', '=', streamId).execute()

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

/** The head of the audit chain. */
export const findHead = (db: Db) => db.selectFrom('auditHead').select(['seq', 'hash']).executeTakeFirstOrThrow()

/** The webhooks that have not stopped. */
export const listRunningWebhooks = (db: Db) =>
  db
    .selectFrom('auditStreams')
    .selectAll()
    .where('kind', '=', 'webhook')
    .where('stopped', 'is', null)
    .where(stands)
    .execute()
