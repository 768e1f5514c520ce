import { sql } from 'kysely'
import type { CodeDelivery } from '#contract/sign-in/second-factor.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The state of an unsent message that is no longer needed. */
const withdrawn = { state: 'dropped', reason: 'a newer code was asked for', sealed: Buffer.alloc(0) } as const

/** The delivery state of the message with a code. A failed attempt counts as failed, even though the outbox will retry. */
export async function findCodeDelivery(db: Db, messageId: string): Promise<CodeDelivery> {
  const message = await db
    .selectFrom('outboxMessages')
    .select(['state', 'reason'])
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (message?.state === 'sent') return 'sent'
  return message?.state === 'queued' && message.reason === null ? 'queued' : 'failed'
}

/**
 * Withdraws an unsent SMS whose attempt failed, or that has been queued for more than `maxWait` seconds.
 *
 * @returns why it was not sent; undefined if it was sent, is still within `maxWait`, or is not an SMS
 */
export async function withdrawStuckSms(
  db: Db,
  messageId: string,
  { now, maxWait }: { now: Date; maxWait: number },
): Promise<'failed' | 'slow' | undefined> {
  const { rows } = await sql<{ failed: boolean }>`
    with stuck as (
      select id, state = 'failed' or reason is not null as failed from outbox_messages
      where id = ${messageId} and kind = 'sms' and state in ('queued', 'failed') for update)
    update outbox_messages m set state = 'dropped', reason = ${withdrawn.reason}, sealed = ${withdrawn.sealed},
      finished_at = ${now}
    from stuck where m.id = stuck.id
      and (stuck.failed or m.created_at <= ${new Date(now.getTime() - maxWait * 1000)})
    returning stuck.failed`.execute(db)
  const [stuck] = rows
  return stuck && (stuck.failed ? 'failed' : 'slow')
}

/** Withdraws a message whose code is no longer valid, if it still waits. */
export const withdrawCode = (db: Db, messageId: string, now: Date) =>
  db
    .updateTable('outboxMessages')
    .set({ ...withdrawn, finishedAt: now })
    .where('id', '=', messageId)
    .where('state', '=', 'queued')
    .execute()
