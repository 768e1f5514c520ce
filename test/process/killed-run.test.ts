import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

let temporary: string
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'vestibule-doomed-'))
  // As root, PostgreSQL runs as another account, which needs access to this folder.
  chmodSync(temporary, 0o755)
})
afterEach(() => rmSync(temporary, { recursive: true, force: true }))

/** The PostgreSQL servers with their data below the temporary folder of the run. */
const postmasters = () =>
  readdirSync(temporary)
    .flatMap((name) => ['cluster', 'postgres/cluster', 'data'].map((data) => join(temporary, name, data)))
    .map((data) => join(data, 'postmaster.pid'))
    .filter((file) => existsSync(file))
    .map((file) => Number(readFileSync(file, 'utf8').split('\n', 1)[0]))

const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

test('a killed test run leaves no PostgreSQL, no server and no files behind', async () => {
  const run = spawn(process.execPath, [join(import.meta.dirname, 'doomed-run.mjs')], {
    env: { PATH: process.env.PATH, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void run.kill('SIGKILL'))
  const [server] = await Promise.race([once(run.stdout, 'data'), once(run, 'exit')])
  const started = [...postmasters(), Number(server)]
  expect(started.length).toBeGreaterThan(2)
  expect(started.filter(isAlive)).toEqual(started)
  run.kill('SIGKILL')
  await expect.poll(() => started.filter(isAlive)).toEqual([])
  await expect.poll(() => readdirSync(temporary)).toEqual([])
})
