import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { startServerProcess, temporaryDataDir } from './server-process.ts'

// Only root may mount a small disk, and CI is root.
const isRoot = process.getuid?.() === 0
if (process.env.CI && !isRoot) throw new Error('this account may not mount')
const timeout = 120_000
const mounted: string[] = []
afterEach(() => {
  for (const disk of mounted.splice(0)) execFileSync('umount', [disk])
})

function mount(disk: string, size: string): void {
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', disk])
  mounted.push(disk)
}

/** Takes what is left of a disk, but for this many bytes. */
function fill(ballast: string, butFor: number): void {
  const file = openSync(ballast, 'w')
  try {
    const block = Buffer.alloc(4096)
    while (writeSync(file, block) === block.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  closeSync(file)
  truncateSync(ballast, statSync(ballast).size - butFor)
}

describe.runIf(isRoot)('a disk that is full', () => {
  // As PostgreSQL's first files, a part of one, its databases, and its log are what no longer fits.
  test.each(['1m', '20m', '30m'])(
    'is said by the first start, of one of %s, and the next start with more begins anew',
    { timeout },
    async (size) => {
      const { dataDir, remove } = temporaryDataDir()
      chmodSync(dataDir, 0o755)
      const disk = join(dataDir, 'postgres')
      mount(disk, size)
      try {
        const refused = await startServerProcess({ dataDir, env: { DEMO: 'off' } })
        refused.ready.catch(() => {})
        expect(await refused.ended).toBe(1)
        expect(refused.output()).toMatch(/Vestibule cannot start: .*the disk is full: /)
        expect(refused.output()).not.toMatch(/^\s+at /m)
        execFileSync('mount', ['-o', 'remount,size=600m', disk])
        const server = await startServerProcess({ dataDir, env: { DEMO: 'off' } })
        await server.ready
        server.signal('SIGTERM')
        expect(await server.ended).toBe(0)
      } finally {
        for (const one of mounted.splice(0)) execFileSync('umount', [one])
        remove()
      }
    },
  )

  test('is said by a backup, which leaves no file, and there is one when there is space', { timeout }, async () => {
    const { dataDir, remove } = temporaryDataDir()
    const database = await createTestDatabase({ withKeys: true })
    const disk = join(dataDir, 'backups')
    mount(disk, '256k')
    const file = join(disk, 'portal.backup')
    const backup = () =>
      spawnSync(process.execPath, [join(import.meta.dirname, '../../server/admin.ts'), 'backup', file], {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: database.appUrl,
          DATABASE_OWNER_URL: database.ownerUrl,
          MASTER_KEY: randomBytes(32).toString('base64'),
        },
      })
    try {
      // Nothing fits, and then a part.
      for (const space of [0, 4096]) {
        fill(join(disk, 'ballast'), space)
        const { status, stdout, stderr } = backup()
        expect({ status, stderr, stdout }).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('the disk is full'),
        })
        expect(stderr.trim().split('\n')).toHaveLength(1)
        expect(readdirSync(disk)).toEqual(['ballast'])
      }
      rmSync(join(disk, 'ballast'))
      expect(backup()).toMatchObject({ status: 0 })
    } finally {
      for (const one of mounted.splice(0)) execFileSync('umount', [one])
      await database.drop()
      remove()
    }
  })
})
