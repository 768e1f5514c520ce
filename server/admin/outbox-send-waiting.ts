import { sendWaiting } from '#server/platform/messages/send-waiting.ts'
import type { Command } from './command.ts'
import { sayOutcome } from './outbox-outcome.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'send mail and SMS that wait for their next try now, as after an outage, and say what became of them',
  options: {},
  run: ({ config, say }) =>
    withSystem({
      config,
      say,
      async work({ db, quarantine }) {
        if (quarantine.isActive()) {
          say('This copy is in quarantine and sends nothing: quarantine end releases it.')
          return 1
        }
        const ids = await sendWaiting(db, ['mail', 'sms'])
        say(`Waited for their next try: ${ids.length}.`)
        if (ids.length > 0) await sayOutcome(ids, { db, say })
        return 0
      },
    }),
}
