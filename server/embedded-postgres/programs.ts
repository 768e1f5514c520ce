import { type SpawnOptions, spawn } from 'node:child_process'
import { constants, fchownSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseStartError, type Location } from './location.ts'

/** The data folder of the cluster. */
export const clusterFolder = (place: Location): string => join(place.base, 'cluster')

/**
 * Opens a file for writing and gives it to the account. Symbolic links are not followed: when running as root, the folder
 * belongs to a less privileged account, which could redirect a file.
 *
 * @returns the file descriptor
 */
export function openOwnedFile(place: Location, name: string, mode: 'append' | 'create'): number {
  const kind = mode === 'append' ? constants.O_APPEND : constants.O_EXCL
  const flags = constants.O_WRONLY | constants.O_CREAT | kind | (constants.O_NOFOLLOW ?? 0)
  const file = openSync(join(place.base, name), flags, 0o600)
  if (place.account) fchownSync(file, place.account.uid, place.account.gid)
  return file
}

/** Options to run PostgreSQL's programs. */
export const childOptions = (place: Location): SpawnOptions => ({
  cwd: place.base,
  // The C locale, because we parse English messages.
  env: { PATH: process.env.PATH, SYSTEMROOT: process.env.SYSTEMROOT, LC_ALL: 'C', TZ: 'UTC' },
  ...(place.account ?? {}),
})

/**
 * Runs one of PostgreSQL's programs to its end.
 *
 * @returns what it printed
 * @throws DatabaseStartError with its last error message
 */
export function runProgram(place: Location, command: string, options: string[], input = ''): Promise<string> {
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
      code === 0
        ? resolve(output)
        : reject(new DatabaseStartError(`${command}: ${explainFailure(findLastError(output))}`)),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** PostgreSQL names a short write without the system's own words for it. */
const fullDisk = /no space left|wrote only \d+ of \d+ bytes|quota exceeded/i

/** The last error in an output, or its last line. A full disk takes precedence, because it causes other errors. */
export function findLastError(text: string): string {
  const lines = text.trim().split('\n')
  const last = (pattern: RegExp) => lines.findLast((line) => pattern.test(line))
  return (last(fullDisk) ?? last(/error|fatal|panic|denied|could not/i) ?? lines.at(-1) ?? '').trim()
}

/** The last error of the last start in a log file. */
export function readLastError(log: string): string {
  const text = readFileSync(log, 'utf8')
  return findLastError(text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL'))))
}

/** Adds a cause that an operator can fix. */
export function explainFailure(line: string): string {
  if (fullDisk.test(line)) return `the disk is full: ${line}`
  if (/permission denied/i.test(line)) return `the account may not write there: ${line}`
  return line
}
