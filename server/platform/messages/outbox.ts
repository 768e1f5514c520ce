import type { Language } from '#contract/roles.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { JsonObject } from '../database/database-types.ts'
import { sendJob } from '../database/send-job.ts'
import { withTransaction } from '../database/transactions.ts'
import { newId } from '../ids.ts'
import type { Keys } from '../secrets/keys.ts'
import { seal } from '../secrets/sealing.ts'

/** A mail or SMS, sent after its transaction has committed. */
export interface Message {
  template: string
  /** Exactly one address (mail) or E.164 number (SMS), and the account that it belongs to. */
  to: { address: string; accountId?: string }
  language: Language
  /** The organisation that it is about: it has the texts and the sender of that one. */
  organizationId?: string | null
  /** Values for the template: links, codes, names. Encrypted in the database, deleted once the message is sent. */
  values: JsonObject
  /** A message that was not sent by then is dropped: an expired code would only confuse. */
  uselessAfter?: Date
}

/** Transactional outbox: messages are rolled back with their transaction, and never lost after its commit. */
export interface Outbox {
  /** @returns the id of the message */
  mail(db: Db, message: Message): Promise<string>
  /** @returns the id of the message */
  sms(db: Db, message: Message): Promise<string>
  /** Queues a failed message again; it is dropped if it has expired. @returns false if there is no such message */
  resend(db: Db, id: string): Promise<boolean>
}

export type MessageKind = 'mail' | 'sms'

/** The cell of a message's encrypted values. */
export const messageCell = (id: string) => ({ table: 'outbox_messages', column: 'sealed', row: id })

/** The encrypted content. It includes the address, so that a recipient changed in the table is detected. */
export interface SealedMessage {
  address: string
  values: JsonObject
}

/** Matches a single address, without anything that a mail server could read as a second one. */
const isOneAddress: Record<MessageKind, RegExp> = {
  mail: /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+$/u,
  sms: /^\+[1-9][0-9]{6,14}$/,
}

/** Creates the outbox. It queues in the given transaction, or opens one where there is none. */
export function createOutbox({ keys, clock }: { keys: Keys; clock: Clock }): Outbox {
  async function add(
    trx: Db,
    kind: MessageKind,
    { template, to, language, organizationId, values, uselessAfter }: Message,
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
        organizationId: organizationId ?? null,
        sealed: seal(keys, 'outbox', messageCell(id), JSON.stringify(content)),
        createdAt: clock(),
        uselessAfter: uselessAfter ?? null,
      })
      .execute()
    await sendJob(trx, kind, id)
    return id
  }

  return {
    mail: (on, message) => withTransaction(on, (trx) => add(trx, 'mail', message)),
    sms: (on, message) => withTransaction(on, (trx) => add(trx, 'sms', message)),
    resend: (on, id) =>
      withTransaction(on, async (trx) => {
        const message = await trx
          .updateTable('outboxMessages')
          .set({ state: 'queued', reason: null, finishedAt: null })
          .where('id', '=', id)
          .where('state', '=', 'failed')
          .returning('kind')
          .executeTakeFirst()
        if (message) await sendJob(trx, message.kind, id)
        return message !== undefined
      }),
  }
}
