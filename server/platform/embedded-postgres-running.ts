import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './embedded-postgres-place.ts'
import { clusterOf } from './embedded-postgres-programs.ts'

/** What `postmaster.pid` says. */
export interface Postmaster {
  pid: number
  port: number
  socketFolder: string
  ready: boolean
}

/** The running PostgreSQL of a place, or undefined: a file that a killed machine left behind does not count. */
export function findRunning(place: Place): Postmaster | undefined {
  const lines = readPidFile(place)
  if (!lines) return undefined
  const [pid, , , port, socketFolder = '', , , status = ''] = lines
  const command = commandOf(Number(pid))
  // The file names whoever has the number now; Linux tells whether that is our PostgreSQL.
  if (!command || (process.platform === 'linux' && !command.includes(`\0${clusterOf(place)}\0`))) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, ready: status.trim() === 'ready' }
}

function readPidFile(place: Place): string[] | undefined {
  try {
    return readFileSync(join(clusterOf(place), 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The command line of a process; undefined when there is none of that number. */
function commandOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    process.kill(pid, 0)
    return 'postgres'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'postgres' : undefined
  }
}

/**
 * After a restart of the machine the number in the file may belong to any other process, and PostgreSQL would not
 * start. Where nobody has the number, PostgreSQL itself judges better: it also sees processes that outlived it.
 */
export function forgetReusedNumber(place: Place): void {
  const command = commandOf(Number(readPidFile(place)?.[0]))
  if (command && !command.includes('postgres')) rmSync(join(clusterOf(place), 'postmaster.pid'))
}

/**
 * Removes the note of a PostgreSQL that is dead but still has its number.
 *
 * @returns whether that was so
 */
export function forgetDead(place: Place): boolean {
  const pid = Number(readPidFile(place)?.[0])
  // Only a dead process, or one of the system's own, has no command line.
  if (process.platform !== 'linux' || commandOf(pid) !== '') return false
  rmSync(join(clusterOf(place), 'postmaster.pid'))
  return true
}
