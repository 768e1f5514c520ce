import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Language } from '#contract/roles.ts'
import type { Clock } from './clock.ts'
import type { DB, JsonObject } from './database-types.ts'
import type { Keys } from './keys.ts'
import { type Mailer, MailFailure } from './mailer.ts'
import { type MessageKind, messageCell, type SealedMessage } from './outbox.ts'
import { open } from './sealing.ts'
import { type Sms, SmsFailure } from './sms.ts'

/** Writes what a message says. The floor knows no templates. */
export interface Renderers {
  mail(template: string, language: Language, values: JsonObject): { subject: string; text: string; html: string }
  sms(template: string, language: Language, values: JsonObject): string
}

/** What a delivery needs: where the messages are, who writes them, who carries them. */
export interface DeliveryOptions {
  db: Kysely<DB>
  keys: Keys
  clock: Clock
  render: Renderers
  mailer: Mailer
  sms: Sms
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/** Milliseconds between attempts to note that a message has left; 13 seconds in all. */
const pauses = [100, 200, 400, 800, 1600, 3200, 6400]

/** Milliseconds of one try. Less than its job may take (queues.ts): no second try begins while the first goes on. */
export const longestTry = 100_000

/**
 * Delivers one message of the outbox. May be called again for the same one: what has left does not leave twice, unless
 * the process dies between the mail server's answer and the note of it.
 *
 * @throws Error when another try may help; what cannot be helped is noted as failed
 */
export async function deliverMessage(options: DeliveryOptions, id: string): Promise<void> {
  const { db, clock } = options
  // Counted before the try, so that one that takes the process down counts too.
  const message = await db
    .updateTable('outboxMessages')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning(['id', 'kind', 'template', 'recipient', 'language', 'sealed', 'uselessAfter', 'attempts', 'reason'])
    .executeTakeFirst()
  if (!message) return
  const finish = async (state: 'sent' | 'dropped' | 'failed', reason: string | null) => {
    await db
      .updateTable('outboxMessages')
      // What failed keeps its values: an operator may send it again.
      .set({ state, reason, finishedAt: clock(), ...(state === 'failed' ? {} : { sealed: Buffer.alloc(0) }) })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .execute()
  }

  if (message.uselessAfter && message.uselessAfter <= clock()) {
    // What the last try met stays to be told; without a try there is nothing to tell beyond the state.
    await finish('dropped', message.reason)
    return
  }
  const left = message.uselessAfter ? message.uselessAfter.getTime() - clock().getTime() : longestTry
  try {
    await send(options, message, AbortSignal.timeout(Math.min(left, longestTry)))
  } catch (error) {
    const reason = reasonOf(error)
    const { kind, template, attempts } = message
    if (!canBeRetried(error)) {
      options.log.error({ outboxId: id, kind, template, attempts, reason }, 'a message could not be sent')
      await finish('failed', reason)
      return
    }
    options.log.warn({ outboxId: id, kind, template, attempts, reason }, 'a message will be tried again')
    await db.updateTable('outboxMessages').set({ reason }).where('id', '=', id).where('state', '=', 'queued').execute()
    // The queue keeps this text for its own record: it names nobody.
    throw new Error(`${kind} ${id}: ${reason}`)
  }
  // It has left: a database that is away for a moment must not have it leave again.
  for (const pause of pauses) {
    try {
      return await finish('sent', null)
    } catch (error) {
      options.log.warn({ outboxId: id, err: error }, 'that a message has left is noted in a moment')
      await wait(pause)
    }
  }
  await finish('sent', null)
}

/** Notes that the last try is used up: the message waits for an operator. */
export async function giveUpMessage({ db, clock, log }: DeliveryOptions, id: string): Promise<void> {
  log.error({ outboxId: id }, 'a message was given up after its last try')
  await db
    .updateTable('outboxMessages')
    .set((row) => ({
      state: 'failed',
      finishedAt: clock(),
      reason: row.fn.coalesce('reason', row.val('no try ended')),
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
  sealed: Buffer
}

/** It was changed after it was queued, or cannot be written: no try will ever help. */
class Hopeless extends Error {}

async function send({ keys, render, mailer, sms }: DeliveryOptions, row: Row, signal: AbortSignal): Promise<void> {
  const { id, kind, template, language, recipient } = row
  const content = await open(keys, messageCell(id), row.sealed).catch((error: Error) => {
    throw new Hopeless(`its values do not open: ${error.message}`)
  })
  const { address, values } = JSON.parse(content.toString('utf8')) as SealedMessage
  if (address !== recipient) throw new Hopeless('its recipient was changed')
  if (kind === 'sms') {
    const text = written(template, () => render.sms(template, language, values))
    return sms.send({ to: address, text, signal })
  }
  const mail = written(template, () => render.mail(template, language, values))
  return mailer.send({ id, to: address, language, ...mail, signal })
}

function written<Result>(template: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    throw new Hopeless(`${template} cannot be written: ${(error as Error).message}`)
  }
}

const canBeRetried = (error: unknown) =>
  error instanceof Hopeless ? false : error instanceof MailFailure || error instanceof SmsFailure ? error.retry : true

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300)
