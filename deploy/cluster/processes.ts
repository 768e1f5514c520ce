import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from '#server/embedded-postgres/root-base.ts'

const execute = promisify(execFile)

/** What runs for a cluster: each process has a log in its folder. */
export interface Processes {
  /** @param of whose log it writes, such as the name of a machine */
  start(of: string, program: string, options: readonly string[], as?: Account, env?: Record<string, string>): void
  /** Ends all of one machine at once. */
  kill(of: string): Promise<void>
  /** From now on all of one machine says nothing, until it is killed. */
  stop(of: string): void
  /** Asks these programs to end, and waits until they have. */
  end(...programs: string[]): Promise<void>
}

/** @param started is told of each process */
export function createProcesses(folder: string, started?: (pid: number) => void): Processes {
  let running: { of: string; program: string; child: ChildProcess }[] = []
  async function send(signal: NodeJS.Signals, isMeant: (one: { of: string; program: string }) => boolean) {
    const meant = running.filter(isMeant)
    running = running.filter((one) => !meant.includes(one))
    const left = meant.filter(({ child }) => child.exitCode === null && child.signalCode === null)
    const ended = left.map(({ child }) => once(child, 'close'))
    for (const { child } of left) child.kill(signal)
    await Promise.all(ended)
  }
  return {
    start(of, program, options, as, env) {
      const log = openSync(join(folder, `${of}.log`), 'a')
      const child = spawn(program, options, {
        ...as,
        cwd: folder,
        stdio: ['ignore', log, log],
        env: { PATH: process.env.PATH, ...env },
      })
      if (child.pid) started?.(child.pid)
      running.push({ of, program, child })
    },
    kill: (machine) => send('SIGKILL', ({ of }) => of === machine),
    stop(machine) {
      for (const { of, child } of running) if (of === machine) child.kill('SIGSTOP')
    },
    end: (...programs) => send('SIGTERM', ({ program }) => programs.includes(program)),
  }
}

/** Runs a program to its end; resolves with what it printed. */
export async function runAs(
  account: Account | undefined,
  folder: string,
  program: string,
  options: readonly string[],
): Promise<string> {
  const settings = { ...account, cwd: folder, env: { PATH: process.env.PATH } }
  return (await execute(program, options, settings)).stdout
}
