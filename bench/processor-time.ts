import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

interface Times {
  parent: number
  /** Seconds. */
  own: number
  /** Of children that have ended. */
  ended: number
}

function timesOf(process: number | string): Times | undefined {
  try {
    // The name in brackets may hold anything: the fields count from the last bracket.
    const [, , ...fields] = readFileSync(`/proc/${process}/stat`, 'latin1').replace(/^.*\)/s, '- -').split(' ')
    const at = (index: number) => Number(fields[index - 3])
    return {
      parent: at(4),
      own: (at(14) + at(15)) / ticksPerSecond,
      ended: (at(16) + at(17)) / ticksPerSecond,
    }
  } catch {
    // It has ended since the folder was read.
    return undefined
  }
}

/** The processor time of a process, in seconds, user and system. */
export const processorTime = (pid: number): number => timesOf(pid)?.own ?? 0

/** The same of its main thread alone: without hashes, garbage collection and compilation beside it. */
export const mainThreadTime = (pid: number): number => timesOf(`${pid}/task/${pid}`)?.own ?? 0

/** The same for a whole PostgreSQL server on this machine: the postmaster and everything that it started. */
export function postgresTime(postmaster: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    const times = /^[0-9]+$/.test(name) ? timesOf(Number(name)) : undefined
    return times ? [{ pid: Number(name), ...times }] : []
  })
  return all
    .filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
    .reduce((sum, { pid, own, ended }) => sum + own + (pid === postmaster ? ended : 0), 0)
}

/** The process id of the postmaster behind a connection on this machine. */
export async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return timesOf(rows[0]?.pid ?? 0)?.parent ?? 0
  } finally {
    await client.end()
  }
}
