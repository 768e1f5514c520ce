import { readFileSync } from 'node:fs'
import { UsageError } from './command.ts'

/** The first line of the file. @throws UsageError when it cannot be read or is short */
export function readPassphrase(path: string | boolean | undefined): string | undefined {
  if (typeof path !== 'string') return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--passphrase-file cannot be read: ${(error as Error).message}`)
  }
  const [line = ''] = text.split(/\r?\n/)
  if (line.length < 12) throw new UsageError('the passphrase is the first line of the file, with 12 characters or more')
  return line
}
