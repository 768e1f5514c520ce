import { resolve } from 'node:path'
import { readPrivateText } from '#server/platform/private-file.ts'
import { WrongValue } from '#server/platform/wrong-value.ts'
import { UsageError } from './command.ts'

/** The first line of the file. @throws UsageError when it cannot be read, is short, or others may read it */
export function readPassphrase(path: string | boolean | undefined): string | undefined {
  if (typeof path !== 'string') return undefined
  try {
    const [line = ''] = readPrivateText(resolve(path)).split(/\r?\n/)
    if (line.length >= 12) return line
    throw new UsageError('the passphrase is the first line of the file, with 12 characters or more')
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    throw new UsageError(`--passphrase-file ${error.message}`)
  }
}
