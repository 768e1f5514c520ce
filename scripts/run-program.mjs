import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { projectEnvironment, Unprepared } from './prepare.mjs'

/** Runs a program of the project: forwards signals to it, and exits with its exit code. */
export function runProgram(program, options) {
  const child = spawn(program, options, { stdio: 'inherit', env: projectEnvironment() })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(error.message)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

/** Exits with one line when something is missing on the machine. */
export function orEnd(work) {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
