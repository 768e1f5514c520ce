import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'

/** A separate portal with production settings and demo data, on a temporary database. */
export interface BenchPortal {
  url: string
  /** From the start of the process to the first 200. */
  startMs: number
  /** Of the server process. */
  pid: number
  /** Resident memory of the server process, without PostgreSQL; MB. */
  memory(): Promise<number>
  stop(): Promise<void>
}

const roomForLoad = {
  LIMIT_API: '9999999/60',
  LIMIT_DECISION: '9999999/60',
  LIMIT_AUTH_TYPE: '9999999/60',
  LIMIT_BEGUN_SIGN_IN: '9999999/60',
  LIMIT_ADDRESS_FAILURES: '9999999/60',
  LIMIT_ADDRESS_FAILURES_HOURLY: '9999999/60',
}

/**
 * @param settings on top; with `DATABASE_URL` that database is used and stays
 * @param root the working copy to start
 */
export async function startPortal(
  settings: Record<string, string> = {},
  root = join(import.meta.dirname, '..'),
): Promise<BenchPortal> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-bench-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const since = performance.now()
  const server = spawn(process.execPath, ['server/main.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
      ...roomForLoad,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  await firstAnswer(`${url}/health/live`, server)
  const startMs = performance.now() - since
  return {
    url,
    startMs,
    pid: server.pid ?? 0,
    memory: () => residentMemory(server),
    async stop() {
      server.kill('SIGTERM')
      await ended
      const cluster = await realpath(join(folder, 'postgres')).catch(() => undefined)
      for (const place of [cluster, folder]) if (place) await rm(place, { recursive: true, force: true })
    },
  }
}

async function firstAnswer(url: string, server: ChildProcess): Promise<void> {
  for (const since = performance.now(); performance.now() - since < 300_000; await wait(10)) {
    if (server.exitCode !== null) break
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error('the portal did not start')
}

async function residentMemory(server: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
