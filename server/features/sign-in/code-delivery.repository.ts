import { type ExpressionBuilder, sql } from 'kysely'
import type { CodeDelivery } from '#contract/second-factor.ts'
import type { Db } from '#server/platform/database.ts'
import type { DB } from '#server/platform/database-types.ts'

/** Of a message that has neither left nor will be needed. */
const withdrawn = { state: 'dropped', reason: 'a newer code was asked for', sealed: Buffer.alloc(0) } as const

/** How far the message with a code has come. A try that failed counts as failed, though there will be others. */
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
 * Withdraws an SMS that has not left: one whose try failed, or that has waited for longer than anybody does.
 *
 * @returns why it had not; undefined where it has left, or is none
 */
export async function withdrawStuckSms(
  db: Db,
  messageId: string,
  { now, patience }: { now: Date; patience: number },
): Promise<'failed' | 'slow' | undefined> {
  const { rows } = await sql<{ failed: boolean }>`
    with stuck as (
      select id, state = 'failed' or reason is not null as failed from outbox_messages
      where id = ${messageId} and kind = 'sms' and state in ('queued', 'failed') for update)
    update outbox_messages m set state = 'dropped', reason = ${withdrawn.reason}, sealed = ${withdrawn.sealed},
      finished_at = ${now}
    from stuck where m.id = stuck.id
      and (stuck.failed or m.created_at <= ${new Date(now.getTime() - patience * 1000)})
    returning stuck.failed`.execute(db)
  const [stuck] = rows
  return stuck && (stuck.failed ? 'failed' : 'slow')
}

const waiting = ({ eb, and }: ExpressionBuilder<DB, 'outboxMessages'>) =>
  and([eb('template', '=', 'login-code'), eb('state', '=', 'queued')])

/** Keeps codes from being sent that stopped working before they left. */
export const withdrawCodes = (db: Db, accountId: string, now: Date) =>
  db
    .updateTable('outboxMessages')
    .set({ ...withdrawn, finishedAt: now })
    .where('accountId', '=', accountId)
    .where(waiting)
    .execute()
