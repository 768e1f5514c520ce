import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'list the data keys with their states',
  options: {},
  async run({ config, say }) {
    await withSystem({
      config,
      say,
      async work({ db }) {
        const keys = await db
          .selectFrom('keys')
          .select(['purpose', 'state', 'stateSince', 'id'])
          .orderBy('purpose')
          .orderBy('stateSince', 'desc')
          .execute()
        for (const { purpose, state, stateSince, id } of keys) {
          say(`${purpose.padEnd(12)} ${state.padEnd(9)} since ${stateSince.toISOString()}  ${id}`)
        }
      },
    })
    return 0
  },
}
