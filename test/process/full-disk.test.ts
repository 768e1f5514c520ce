import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLosses } from '../torture/find-losses.ts'
import { countOf, noLimits, ownerUrlOf, verifyChain } from '../torture/torture.ts'
import { startWriters } from '../torture/writers.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

// Only root may mount a small disk.
const isRoot = process.getuid?.() === 0
const timeout = 120_000
const env = { DEMO: 'on', LOG_LEVEL: 'error', ...noLimits, LIMIT_TOKEN_LOOKUP: '9999999/60' }
let place: ReturnType<typeof temporaryDataDir>
let disk: string
let server: ServerProcess
beforeAll(async () => {
  if (!isRoot) return
  place = temporaryDataDir()
  // PostgreSQL's account must get through to the disk.
  chmodSync(place.dataDir, 0o755)
  disk = join(place.dataDir, 'postgres')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0700', 'tmpfs', disk])
  server = await startServerProcess({ dataDir: place.dataDir, env })
  await server.ready
}, timeout)
afterAll(async () => {
  server?.signal('SIGTERM')
  await server?.ended
  if (disk) execFileSync('umount', [disk])
  place?.remove()
}, timeout)

const status = (path: string) =>
  fetch(server.url + path, { signal: AbortSignal.timeout(15_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )

/** Takes all space that is left, and what is freed meanwhile. */
function fillDisk(ballast: string): void {
  const file = openSync(ballast, 'a')
  try {
    for (const size of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(size)
      try {
        while (writeSync(file, block) === size);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(file)
  }
}

test.skipIf(!isRoot)(
  'a disk that fills up under load loses nothing, and is used again when there is space',
  {
    timeout,
  },
  async () => {
    const writers = await startWriters(server.url, 'full')
    const acknowledged = () => writers.ledger.invited.length
    await expect.poll(acknowledged, { timeout: 20_000 }).toBeGreaterThan(10)

    const ballast = join(disk, 'ballast')
    const since = Date.now()
    const seen = new Set<number>()
    while (Date.now() - since < Number(process.env.FAULT_SECONDS ?? 5) * 1000) {
      fillDisk(ballast)
      expect(await status('/health/live')).toBe(200)
      seen.add(await status('/api/invites?token=none'))
      await wait(200)
    }
    const refused = [...writers.failures]
    expect(refused.length).toBeGreaterThan(5)
    expect(refused.filter((one) => !/ answered 503\b/.test(one))).toEqual([])
    expect([...seen].filter((one) => one !== 404 && one !== 503)).toEqual([])
    expect(server.output()).toContain('No space left on device')

    rmSync(ballast)
    const freed = Date.now()
    await expect.poll(() => status('/health/ready'), { timeout: 10_000 }).toBe(200)
    const before = acknowledged()
    await expect.poll(acknowledged, { timeout: 10_000 }).toBeGreaterThan(before + 5)
    if (process.env.FAULT_SECONDS) console.log({ refused: refused.length, seen, msUntilWritesGoOn: Date.now() - freed })
    await writers.stop()
    expect(await findLosses(await ownerUrlOf(place.dataDir), writers.ledger)).toEqual([])
    expect(await verifyChain(place.dataDir, env)).toEqual([])
    if (process.env.FAULT_SECONDS) console.log({ acknowledged: countOf(writers.ledger) })
  },
)
