// Cleans up what a test run started once the run itself is gone, even after kill -9: its pipe to this process closes then.
// Plain JavaScript, because scripts/test.mjs uses it with any Node and before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)
const patience = 10_000
let watchdog
let count = 0

/**
 * @param started `pid`: a process that shuts down cleanly on SIGTERM; `cluster`: the data folder of a PostgreSQL that may
 *   run; `folders`: folders to remove afterwards, including the targets of links
 * @returns a function to call after an orderly clean-up
 */
export function cleanUpOnExit(started) {
  watchdog ??= startWatchdog()
  const id = ++count
  watchdog.stdin.write(`${JSON.stringify([id, started])}\n`)
  return () => void watchdog.stdin.write(`${JSON.stringify([id])}\n`)
}

function startWatchdog() {
  const child = spawn(process.execPath, [self], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  child.stdin.unref()
  return child
}

async function watch() {
  const started = new Map()
  for await (const line of createInterface({ input: process.stdin })) {
    const [id, what] = JSON.parse(line)
    if (what) started.set(id, what)
    else started.delete(id)
  }
  const left = [...started.values()]
  // Stop servers first: a running server would start its PostgreSQL again.
  await Promise.all(left.map(({ pid }) => end(pid, 'SIGTERM')))
  await Promise.all(left.map(({ cluster }) => end(postmasterOf(cluster), 'SIGQUIT')))
  for (const folder of left.flatMap(({ folders = [] }) => folders)) remove(folder)
}

async function end(pid, signal) {
  const late = Date.now() + patience
  for (let next = signal; pid && send(pid, next); next = Date.now() > late ? 'SIGKILL' : 0) await wait(50)
}

/** True if the process still exists. */
function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function postmasterOf(cluster) {
  const file = cluster && join(cluster, 'postmaster.pid')
  return file && existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined
}

function remove(folder) {
  if (!existsSync(folder)) return
  rmSync(realpathSync(folder), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

if (process.argv[1] === self) await watch()
