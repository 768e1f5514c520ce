import { createRenderers } from '#server/features/email-templates/renderers.ts'
import { deliverMessage } from '#server/platform/deliver-message.ts'
import { messageCell, type SealedMessage } from '#server/platform/outbox.ts'
import { open } from '#server/platform/sealing.ts'
import type { Sms } from '#server/platform/sms.ts'
import type { TestApp } from './test-app.ts'

const noMailer = {
  send: async () => {
    throw new Error('no mail server in this test')
  },
  close: async () => {},
}

/** What waits to be sent, for tests about what it says and about what becomes of it. */
export function outboxOf(portal: TestApp) {
  const { db, keys, clock, log, config } = portal.system

  /** What is to be sent to an address or a number, newest first, with the values that its template gets. */
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
        const content = await open(keys, messageCell(row.id), sealed)
        return { ...row, values: (JSON.parse(content.toString('utf8')) as SealedMessage).values }
      }),
    )
  }

  return {
    messagesTo,
    /** The code that was sent last. */
    codeSentTo: async (recipient: string) => String((await messagesTo(recipient))[0]?.values.code),
    /** Tries to deliver one message, as the queue does; false where the try failed and there will be another. */
    deliver: (id: string, sms: Sms): Promise<boolean> =>
      deliverMessage({ db, keys, clock, log, render: createRenderers(config), mailer: noMailer, sms }, id).then(
        () => true,
        () => false,
      ),
  }
}
