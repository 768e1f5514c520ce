import { type SpawnOptions, spawn } from 'node:child_process'
import { constants, fchownSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseStartError, type Place } from './embedded-postgres-place.ts'

/** The folder of the data itself. */
export const clusterOf = (place: Place): string => join(place.base, 'cluster')

/**
 * Opens a file in the place for writing and gives it to the account. As root nothing is followed there: the folder
 * belongs to a lesser account, which could point a name elsewhere.
 *
 * @returns the file descriptor
 */
export function openOwned(place: Place, name: string, mode: 'append' | 'create'): number {
  const kind = mode === 'append' ? constants.O_APPEND : constants.O_EXCL
  const flags = constants.O_WRONLY | constants.O_CREAT | kind | (constants.O_NOFOLLOW ?? 0)
  const file = openSync(join(place.base, name), flags, 0o600)
  if (place.account) fchownSync(file, place.account.uid, place.account.gid)
  return file
}

/** How every program of PostgreSQL is run. */
export const childOptions = (place: Place): SpawnOptions => ({
  cwd: place.base,
  // The account that asks may speak any language; the messages that are read here are English.
  env: { PATH: process.env.PATH, SYSTEMROOT: process.env.SYSTEMROOT, LC_ALL: 'C', TZ: 'UTC' },
  ...(place.account ?? {}),
})

/**
 * Runs one of PostgreSQL's programs to its end.
 *
 * @returns what it printed
 * @throws DatabaseStartError with its last complaint
 */
export function run(place: Place, command: string, options: string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(place.engine, 'bin', command), options, { ...childOptions(place), stdio: 'pipe' })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (error) => reject(new DatabaseStartError(`${command}: ${error.message}`)))
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new DatabaseStartError(`${command}: ${explain(lastLine(output))}`)),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** The last complaint in an output, or its last line; a full disk comes first, because the rest follows from it. */
export function lastLine(text: string): string {
  const lines = text.trim().split('\n')
  const last = (pattern: RegExp) => lines.findLast((line) => pattern.test(line))
  return (last(/no space left/i) ?? last(/error|fatal|panic|denied|could not/i) ?? lines.at(-1) ?? '').trim()
}

/** The last complaint of the last start in a log file. */
export function lastFatal(log: string): string {
  const text = readFileSync(log, 'utf8')
  return lastLine(text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL'))))
}

/** Puts the cause in front that an operator can do something about. */
export function explain(line: string): string {
  if (/no space left/i.test(line)) return `the disk is full: ${line}`
  if (/permission denied/i.test(line)) return `the account may not write there: ${line}`
  return line
}
