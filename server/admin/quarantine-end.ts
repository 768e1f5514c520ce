import { endQuarantine } from '#server/backup/end-quarantine.ts'
import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '[--send-queued]',
  summary: 'let a restored copy send; what the backup had queued is not sent again, unless --send-queued says so',
  options: { 'send-queued': { type: 'boolean' } },
  run: ({ config, values, say }) =>
    withSystem({
      config,
      say,
      async work({ db, clock }) {
        const ended = await endQuarantine(db, { now: clock(), sendQueued: values['send-queued'] === true })
        if (!ended) {
          say('This copy is not in quarantine.')
          return 1
        }
        say('The quarantine has ended. Servers notice within seconds.')
        if (ended.withheld > 0)
          say(`Not sent again: ${ended.withheld}. outbox list names them, outbox resend sends one of them.`)
        return 0
      },
    }),
}
