import { readFileSync, statSync } from 'node:fs'
import type { Server } from '../deploy/cluster/database.ts'

/** A step of a fail-over, with when a server first said so, in milliseconds since the epoch. */
interface Step {
  what: string
  at: number
}

/** What Patroni and PostgreSQL write while another server takes over. */
const lines: readonly [what: string, line: RegExp][] = [
  // Who may become the primary asks the others how far they are.
  ['the primary is noticed to be gone', /Got response from|Request failed to/],
  ['another has the lock', /promoted self to leader/],
  ['PostgreSQL is asked to take over', /received promote request/],
  ['it has replayed everything', /selected new timeline ID/],
  ['it accepts writes', /database system is ready to accept connections/],
]

/** Reads what the servers of the database log from now on. */
export function readLogs(servers: readonly Server[]): { steps(): Step[]; writableAt(): number | undefined } {
  const files = servers.map(({ folder }) => ({ path: `${folder}.log`, from: statSync(`${folder}.log`).size }))

  function steps(): Step[] {
    const read = files.flatMap(({ path, from }) => readFileSync(path).subarray(from).toString('utf8').split('\n'))
    const found: Step[] = []
    for (const [what, line] of lines) {
      const after = found.at(-1)?.at ?? 0
      const times = read.filter((one) => line.test(one)).map(timeOf)
      // The old primary writes some of these lines, too, once it follows: later than the new one.
      const at = Math.min(...times.filter((time) => time >= after))
      if (Number.isFinite(at)) found.push({ what, at })
    }
    return found
  }
  return { steps, writableAt: () => steps().find(({ what }) => what === lines.at(-1)?.[0])?.at }
}

/** Both write the local time first: `2026-11-26 13:05:00,123` and `2026-11-26 13:05:00.123 UTC`. */
function timeOf(line: string): number {
  const [, day, time, fraction] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)[.,](\d{3})/.exec(line) ?? []
  return new Date(`${day}T${time}.${fraction}`).getTime()
}
