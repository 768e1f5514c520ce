import { resolve } from 'node:path'
import { writeBackupFile } from '#server/backup/backup-file.ts'
import { dump } from '#server/backup/dump.ts'
import { currentManifest } from '#server/backup/manifest.ts'
import { systemClock } from '#server/platform/clock.ts'
import { prepareDatabase } from '#server/prepare-database.ts'
import { type Command, UsageError } from './command.ts'
import { readPassphrase } from './passphrase.ts'

export const command: Command = {
  usage: '<file> [--passphrase-file <file>]',
  summary: 'write all data as of one moment to a new file, also while servers run; the master key is not in it',
  options: { 'passphrase-file': { type: 'string' } },
  positionals: 1,
  async run({ config, values, positionals: [file], say }) {
    if (!file) throw new UsageError('give the file to write')
    const passphrase = readPassphrase(values['passphrase-file'])
    const database = await prepareDatabase(config, say)
    try {
      const content = dump(database.ownerUrl, currentManifest(systemClock()))
      const size = await writeBackupFile(resolve(file), { content, passphrase })
      say(`${resolve(file)}: ${(size / 1e6).toFixed(1)} MB, ${passphrase ? 'encrypted' : 'not encrypted'}.`)
      say('It needs the master key of this portal, which is not in it: keep that elsewhere.')
      return 0
    } finally {
      await database.stop()
    }
  },
}
