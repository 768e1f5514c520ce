import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '#contract/roles.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database.ts'
import type { JsonObject } from './database-types.ts'
import { newId } from './ids.ts'
import type { Keys } from './keys.ts'
import { queueSchema } from './queues.ts'
import { seal } from './sealing.ts'

/** A mail or SMS to be sent once the transaction that asks for it has committed. */
export interface Message {
  template: string
  /** Exactly one address (mail) or number in E.164 (SMS), and whose it is. */
  to: { address: string; accountId?: string }
  language: Language
  /** What the template needs: links, codes, names. Sealed in the database, gone once the message has left. */
  values: JsonObject
  /** A message that has not left by then is dropped: an expired code only confuses. */
  uselessAfter?: Date
}

/** Mail and SMS as rows of the transaction: rolled back with it, and never lost after it. */
export interface Outbox {
  /** @returns the id of the message */
  mail(db: Db, message: Message): Promise<string>
  /** @returns the id of the message */
  sms(db: Db, message: Message): Promise<string>
  /** Queues a message that failed once more; one that has become useless meanwhile is dropped. @returns false where there is none */
  resend(db: Db, id: string): Promise<boolean>
}

export type MessageKind = 'mail' | 'sms'

/** The cell of a message's sealed values. */
export const messageCell = (id: string) => ({ table: 'outbox_messages', column: 'sealed', row: id })

/** What is sealed. The address is in it too: a changed recipient in the table gets nothing. */
export interface SealedMessage {
  address: string
  values: JsonObject
}

/** One address and nothing that a mail server could read as a second one. */
const isOneAddress: Record<MessageKind, RegExp> = {
  mail: /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+$/u,
  sms: /^\+[1-9][0-9]{6,14}$/,
}

/** Messages are queued on what is passed with them: a database that is not a transaction gets one of its own for each. */
export function createOutbox({ keys, clock }: { keys: Keys; clock: Clock }): Outbox {
  const queue = createSender()

  async function add(
    trx: Db,
    kind: MessageKind,
    { template, to, language, values, uselessAfter }: Message,
  ): Promise<string> {
    if (!isOneAddress[kind].test(to.address))
      throw new Error(`${kind} ${template} is not addressed to exactly one recipient`)
    const id = newId()
    const content: SealedMessage = { address: to.address, values }
    await trx
      .insertInto('outboxMessages')
      .values({
        id,
        kind,
        template,
        language,
        recipient: to.address,
        accountId: to.accountId ?? null,
        sealed: seal(keys, 'outbox', messageCell(id), JSON.stringify(content)),
        createdAt: clock(),
        uselessAfter: uselessAfter ?? null,
      })
      .execute()
    await queue(trx, kind, id)
    return id
  }

  return {
    mail: (on, message) => together(on, (trx) => add(trx, 'mail', message)),
    sms: (on, message) => together(on, (trx) => add(trx, 'sms', message)),
    resend: (on, id) =>
      together(on, async (trx) => {
        const message = await trx
          .updateTable('outboxMessages')
          .set({ state: 'queued', reason: null, finishedAt: null })
          .where('id', '=', id)
          .where('state', '=', 'failed')
          .returning('kind')
          .executeTakeFirst()
        if (message) await queue(trx, message.kind, id)
        return message !== undefined
      }),
  }
}

/** The row and its job stand or fall together, also where the caller has no transaction of its own. */
const together = <Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Puts jobs into the queue's table. Nothing runs for it: it neither polls nor holds a connection. */
function createSender(): (trx: Db, kind: MessageKind, id: string) => Promise<void> {
  const sending = new AsyncLocalStorage<Db>()
  const open = async () => {
    // Loaded with the first message: it takes a tenth of a second that the start can do without.
    const { PgBoss, fromKysely } = await import('pg-boss')
    const boss = new PgBoss({
      // All that it asks goes by the transaction of the message. The first time it looks the queue up, too: with a
      // connection of its own for that, transactions that hold all the others would wait for it, and it for them.
      db: {
        executeSql: (text, values) => fromKysely(sending.getStore() as Db).executeSql(text, values),
      },
      schema: queueSchema,
      migrate: false,
      supervise: false,
      schedule: false,
    })
    return (trx: Db, kind: MessageKind, id: string) => sending.run(trx, () => boss.send(kind, { id }))
  }
  let opening: ReturnType<typeof open> | undefined
  return async (trx, kind, id) => {
    opening ??= open()
    const send = await opening
    await send(trx, kind, id)
  }
}
