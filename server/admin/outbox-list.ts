import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

const states = ['queued', 'failed', 'dropped'] as const

export const command: Command = {
  usage: '[--all]',
  summary: 'list mail and SMS that failed; --all also those that wait or were dropped',
  options: { all: { type: 'boolean' } },
  async run({ config, values, say }) {
    await withSystem({
      config,
      say,
      async work({ db }) {
        const messages = await db
          .selectFrom('outboxMessages')
          .select(['id', 'kind', 'template', 'recipient', 'state', 'attempts', 'reason', 'createdAt'])
          .where('state', 'in', values.all ? [...states] : ['failed'])
          .orderBy('createdAt')
          .execute()
        if (messages.length === 0) say('Nothing to show.')
        for (const { id, kind, template, recipient, state, attempts, reason, createdAt } of messages) {
          const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`
          say(
            `${id}  ${createdAt.toISOString()}  ${state.padEnd(7)} ${kind.padEnd(4)} ${template} to ${recipient}, ${tries}${reason ? `: ${reason}` : ''}`,
          )
        }
      },
    })
    return 0
  },
}
