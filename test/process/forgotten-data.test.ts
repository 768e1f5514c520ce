import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { ownerUrlOf } from '../torture/torture.ts'
import { postgresPid, startServerProcess, temporaryDataDir } from './server-process.ts'

const root = join(import.meta.dirname, '..', '..')
const timeout = 240_000

test('a data folder that was deleted is forgotten: the next start has a database and a key of its own', {
  timeout,
}, async () => {
  const { dataDir, remove } = temporaryDataDir()
  const serve = async (end: NodeJS.Signals) => {
    const server = await startServerProcess({ dataDir })
    await server.ready
    server.signal(end)
    await server.ended
    return server.output()
  }
  // Killed: its PostgreSQL goes on, and a start in the same folder would attach to it.
  await serve('SIGKILL')
  const pid = postgresPid(dataDir)
  const base = realpathSync(join(dataDir, 'postgres'))
  rmSync(dataDir, { recursive: true })
  try {
    const output = await serve('SIGTERM')
    if (process.getuid?.() === 0) {
      expect(realpathSync(join(dataDir, 'postgres'))).not.toBe(base)
      expect(output).toContain(`rm -rf ${base} removes it`)
    }
    // It is named once, and a start with the same folder says nothing.
    expect(await serve('SIGTERM')).not.toContain('rm -rf')
  } finally {
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
    remove()
    rmSync(base, { recursive: true, force: true })
  }
})

test('a demo of an earlier version begins again as its message says', { timeout }, async () => {
  const { dataDir, remove } = temporaryDataDir()
  const first = await startServerProcess({ dataDir })
  await first.ready
  const owner = new pg.Client({ connectionString: await ownerUrlOf(dataDir) })
  await owner.connect()
  await owner.query(`update migrations set sha256 = repeat('0', 64); comment on table migrations is null`)
  await owner.end()
  first.signal('SIGTERM')
  await first.ended
  const base = realpathSync(join(dataDir, 'postgres'))
  try {
    const refused = await startServerProcess({ dataDir })
    refused.ready.catch(() => {})
    expect(await refused.ended).toBe(1)
    const [, folder = ''] = /for the demo, delete (.+) and start again/.exec(refused.output()) ?? []
    expect(folder).toBe(dataDir)
    rmSync(folder, { recursive: true })
    const again = await startServerProcess({ dataDir })
    await again.ready
    again.signal('SIGTERM')
    await again.ended
  } finally {
    remove()
    rmSync(base, { recursive: true, force: true })
  }
})

test('a start that fails leaves no data folder', { timeout }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'vestibule-none-'))
  const dataDir = join(parent, 'data')
  const admin = (env: Record<string, string>, ...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'server', 'admin.ts'), ...words], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
      encoding: 'utf8',
    })
  for (const [env, ...words] of [
    [{}, 'create-super-user'],
    [{}, 'no-such-command'],
    [{ PORT: 'none' }, 'keys', 'list'],
    [{ DATABASE_URL: 'postgres://a:b/c@d/e' }, 'keys', 'list'],
  ] as [Record<string, string>, ...string[]][]) {
    expect(admin(env, ...words).status).not.toBe(0)
    expect(existsSync(dataDir)).toBe(false)
  }
  // As in a release, which brings no PostgreSQL: this machine is another one.
  const file = join(root, 'server', 'embedded-postgres', 'embedded-postgres.ts')
  const program = `const { startEmbeddedPostgres } = await import(${JSON.stringify(file)})
    Object.defineProperty(process, 'arch', { value: 'none' })
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, say() {} }).catch(({ message }) => console.log(message))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(stdout).toContain('set DATABASE_URL')
  expect(existsSync(dataDir)).toBe(false)
  execFileSync('rmdir', [parent])
})
