import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Language } from '#contract/roles.ts'
import type { Clock } from '../clock.ts'
import type { DB, JsonObject } from '../database/database-types.ts'
import type { Keys } from '../secrets/keys.ts'
import { unseal } from '../secrets/sealing.ts'
import { type Mailer, MailFailure, type MailToSend } from './mailer.ts'
import { type MessageKind, messageCell, type SealedMessage } from './outbox.ts'
import { forgetRefusal, rememberRefusal } from './refused-addresses.ts'
import { type Sms, SmsFailure } from './sms.ts'

/** What a message is rendered from. */
export interface MessageToRender {
  template: string
  language: Language
  values: JsonObject
  accountId: string | null
  organizationId: string | null
}

/** Renders the content of a message. The templates belong to a feature. */
export interface Renderers {
  mail(message: MessageToRender): Promise<Pick<MailToSend, 'subject' | 'text' | 'html' | 'sender'>>
  sms(message: MessageToRender): Promise<string>
}

/** The dependencies of a delivery. */
export interface DeliveryOptions {
  db: Kysely<DB>
  keys: Keys
  clock: Clock
  render: Renderers
  mailer: Mailer
  sms: Sms
  /** Told that the mail server cannot be reached. */
  mailLost?: () => void
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/** Milliseconds between retries of storing that a message was sent; 13 seconds in total. */
const retryDelays = [100, 200, 400, 800, 1600, 3200, 6400]

/** Time-out of one attempt in milliseconds. Shorter than the job's time-out (queues.ts), so that attempts never overlap. */
export const maxAttemptMs = 100_000

/**
 * Delivers one message of the outbox. Safe to call again: a message is sent only once, unless the process dies between the
 * response of the mail server and storing it.
 *
 * @throws Error when a retry may help; a permanent failure is stored as failed
 */
export async function deliverMessage(options: DeliveryOptions, id: string): Promise<void> {
  const { db, clock } = options
  // Counted before the attempt, so that an attempt that crashes the process counts too.
  const message = await db
    .updateTable('outboxMessages')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning(['id', 'kind', 'template', 'recipient', 'language', 'accountId', 'organizationId'])
    .returning(['sealed', 'uselessAfter', 'attempts', 'reason'])
    .executeTakeFirst()
  if (!message) return
  const finish = async (state: 'sent' | 'dropped' | 'failed', reason: string | null) => {
    await db
      .updateTable('outboxMessages')
      // A failed message keeps its values, so that an operator can resend it.
      .set({ state, reason, finishedAt: clock(), ...(state === 'failed' ? {} : { sealed: Buffer.alloc(0) }) })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .execute()
  }

  if (message.uselessAfter && message.uselessAfter <= clock()) {
    // Keep the reason of the last attempt, if there was one.
    await finish('dropped', message.reason)
    return
  }
  const left = message.uselessAfter ? message.uselessAfter.getTime() - clock().getTime() : maxAttemptMs
  try {
    await send(options, message, AbortSignal.timeout(Math.min(left, maxAttemptMs)))
  } catch (error) {
    const reason = reasonOf(error)
    const { kind, template, attempts } = message
    if (error instanceof MailFailure && error.refusedAddress)
      await rememberRefusal(db, { address: message.recipient, now: clock() })
    if (error instanceof MailFailure && error.unreachable) options.mailLost?.()
    if (!canBeRetried(error)) {
      options.log.error({ outboxId: id, kind, template, attempts, reason }, 'a message could not be sent')
      await finish('failed', reason)
      return
    }
    options.log.warn({ outboxId: id, kind, template, attempts, reason }, 'a message will be tried again')
    await db.updateTable('outboxMessages').set({ reason }).where('id', '=', id).where('state', '=', 'queued').execute()
    // pg-boss stores this text, so it contains no personal data.
    throw new Error(`${kind} ${id}: ${reason}`)
  }
  // The message is sent. Retry storing that, so that a short database outage does not send it twice.
  for (const pause of retryDelays) {
    try {
      if (message.kind === 'mail') await forgetRefusal(db, message.recipient)
      return await finish('sent', null)
    } catch (error) {
      options.log.warn({ outboxId: id, err: error }, 'a sent message could not be marked as sent; retrying')
      await wait(pause)
    }
  }
  await finish('sent', null)
}

/** Marks a message as failed after its last retry; an operator can resend it. */
export async function giveUpMessage({ db, clock, log }: DeliveryOptions, id: string): Promise<void> {
  log.error({ outboxId: id }, 'a message was given up after its last try')
  await db
    .updateTable('outboxMessages')
    .set((row) => ({
      state: 'failed',
      finishedAt: clock(),
      reason: row.fn.coalesce('reason', row.val('no attempt completed')),
    }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()
}

interface Row {
  id: string
  kind: MessageKind
  template: string
  recipient: string
  language: Language
  accountId: string | null
  organizationId: string | null
  sealed: Buffer
}

/** The message was tampered with or cannot be rendered: a retry cannot help. */
class PermanentFailure extends Error {}

async function send({ keys, render, mailer, sms }: DeliveryOptions, row: Row, signal: AbortSignal): Promise<void> {
  const { id, kind, template, language, recipient, accountId, organizationId } = row
  const content = await unseal(keys, messageCell(id), row.sealed).catch((error: Error) => {
    throw new PermanentFailure(`its values cannot be decrypted: ${error.message}`)
  })
  const { address, values } = JSON.parse(content.toString('utf8')) as SealedMessage
  if (address !== recipient) throw new PermanentFailure('its recipient was changed')
  const message = { template, language, values, accountId, organizationId }
  const failed = (error: Error) => {
    throw new PermanentFailure(`${template} cannot be rendered: ${error.message}`)
  }
  if (kind === 'sms') return sms.send({ to: address, text: await render.sms(message).catch(failed), signal })
  return mailer.send({ id, to: address, language, ...(await render.mail(message).catch(failed)), signal })
}

const canBeRetried = (error: unknown) =>
  error instanceof PermanentFailure
    ? false
    : error instanceof MailFailure || error instanceof SmsFailure
      ? error.retry
      : true

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300)
