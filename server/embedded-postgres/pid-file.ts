import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Location } from './location.ts'
import { clusterFolder } from './programs.ts'

/** The content of `postmaster.pid`. */
export interface Postmaster {
  pid: number
  port: number
  socketFolder: string
  ready: boolean
}

/** The running PostgreSQL of a location; undefined if there is none, even if a crash left a pid file. */
export function findRunning(place: Location): Postmaster | undefined {
  const lines = readPidFile(place)
  if (!lines) return undefined
  const [pid, , , port, socketFolder = '', , , status = ''] = lines
  const command = commandOf(Number(pid))
  // The pid may have been reused; on Linux the command line shows whether it is our PostgreSQL.
  if (!command || (process.platform === 'linux' && !command.includes(`\0${clusterFolder(place)}\0`))) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, ready: status.trim() === 'ready' }
}

function readPidFile(place: Location): string[] | undefined {
  try {
    return readFileSync(join(clusterFolder(place), 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The command line of a process; undefined when there is no such process. */
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
 * Removes the pid file if its pid belongs to another program, as after a reboot, because PostgreSQL would not start. If
 * the pid is unused, PostgreSQL handles the file itself, and also detects leftover child processes.
 */
export function removeReusedPidFile(place: Location): void {
  const command = commandOf(Number(readPidFile(place)?.[0]))
  if (command && !command.includes('postgres')) rmSync(join(clusterFolder(place), 'postmaster.pid'))
}

/**
 * Removes the pid file of a PostgreSQL that is a zombie process.
 *
 * @returns whether the file was removed
 */
export function removeStalePidFile(place: Location): boolean {
  const pid = Number(readPidFile(place)?.[0])
  // Only zombies and kernel threads have an empty command line.
  if (process.platform !== 'linux' || commandOf(pid) !== '') return false
  rmSync(join(clusterFolder(place), 'postmaster.pid'))
  return true
}
