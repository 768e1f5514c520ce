import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'keep a copy that was restored by other means from sending anything; before its first server starts',
  options: {},
  run: ({ config, say }) =>
    withSystem({
      config,
      say,
      async work({ db, clock }) {
        await db
          .updateTable('installation')
          .set((row) => ({ quarantinedSince: row.fn.coalesce('quarantinedSince', row.val(clock())) }))
          .execute()
        say('This copy is in quarantine. Servers that run already must be started again.')
        return 0
      },
    }),
}
