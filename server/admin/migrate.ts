import { prepareDatabase } from '#server/prepare-database.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: '',
  summary: 'migrate the database to this version, as every start does; older processes may go on serving',
  options: {},
  async run({ config, say }) {
    const database = await prepareDatabase(config, say)
    await database.stop()
    say('The database has the tables of this version.')
    return 0
  },
}
