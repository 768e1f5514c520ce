import { createRenderers } from '#server/mails/renderers.ts'
import { deliverMessage } from '#server/platform/messages/deliver-message.ts'
import type { Mailer } from '#server/platform/messages/mailer.ts'
import { messageCell, type SealedMessage } from '#server/platform/messages/outbox.ts'
import type { Sms } from '#server/platform/messages/sms.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import type { TestApp } from './test-app.ts'

const noMailer = {
  send: async () => {
    throw new Error('no mail server in this test')
  },
  close: async () => {},
}

/** The queued messages, for tests about their content and delivery. */
export function outboxOf(portal: TestApp) {
  const { db, keys, clock, log, config } = portal.system

  /** The queued messages to an address or number, newest first, with the values of their templates. */
  async function messagesTo(recipient: string) {
    const rows = await db
      .selectFrom('outboxMessages')
      .selectAll()
      .where('recipient', '=', recipient)
      .orderBy('id', 'desc')
      .execute()
    return Promise.all(
      rows.map(async ({ sealed, ...row }) => {
        if (sealed.length === 0) return { ...row, values: {} }
        const content = await unseal(keys, messageCell(row.id), sealed)
        return { ...row, values: (JSON.parse(content.toString('utf8')) as SealedMessage).values }
      }),
    )
  }

  return {
    messagesTo,
    /** The most recent code. */
    codeSentTo: async (recipient: string) => String((await messagesTo(recipient))[0]?.values.code),
    /** Delivers one message like the queue. @returns false if the attempt failed and will be retried */
    deliver: (id: string, sms: Sms, mailer: Mailer = noMailer): Promise<boolean> =>
      deliverMessage({ db, keys, clock, log, render: createRenderers({ config, db, log }), mailer, sms }, id).then(
        () => true,
        () => false,
      ),
  }
}
