import { resolve } from 'node:path'
import { readBackupFile } from '#server/backup/backup-file.ts'
import { loadBackup } from '#server/backup/load.ts'
import { systemClock } from '#server/platform/clock.ts'
import { prepareDatabase } from '#server/prepare-database.ts'
import { type Command, UsageError } from './command.ts'
import { readPassphrase } from './passphrase.ts'

export const command: Command = {
  usage: '<file> [--passphrase-file <file>]',
  summary: 'load a backup into an empty database; the copy sends nothing until `quarantine end`',
  options: { 'passphrase-file': { type: 'string' } },
  positionals: 1,
  async run({ config, values, positionals: [file], say }) {
    if (!file) throw new UsageError('give the file to load')
    const content = readBackupFile(resolve(file), readPassphrase(values['passphrase-file']))
    const database = await prepareDatabase(config, say)
    try {
      const { rows, createdAt, portal } = await loadBackup(database.ownerUrl, { content, now: systemClock() })
      say(`Restored ${rows} rows as of ${createdAt}, written by version ${portal}.`)
      say('The copy is in quarantine: it sends nothing and runs no jobs until `npm run admin -- quarantine end`.')
      say('Start it with the master key of the portal that wrote the backup.')
      return 0
    } finally {
      await database.stop()
    }
  },
}
