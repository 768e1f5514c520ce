import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { placeAt } from '#test/temporary-postgres.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { chartRenderer, renderChart, type Values } from '../chart/render.ts'
import { runInPod } from './cluster.ts'
import { commandsIn, mayMount } from './container.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/deployment.md')
const timeout = 300_000
const newKey = () => randomBytes(32).toString('base64')
const passphrase = 'correct horse battery staple\n'
if (process.env.CI && !mayMount) throw new Error('this account may not mount')

/** A folder with stand-ins in its `bin`, where the shell finds them. */
function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-machine-'))
  cleanUpOnExit({ folders: [folder] })
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'bin'))
  for (const name of ['docker', 'kubectl', 'helm']) {
    const program = join(root, 'test', 'containers', `${name}.ts`)
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
      mode: 0o755,
    })
  }
  return folder
}

/** Runs a line of the documentation as it stands. */
const run = (line: string, cwd: string, folder: string, env: Record<string, string>) =>
  promisify(execFile)('sh', ['-euc', line], {
    cwd,
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, ...env },
  })

function expectDone(line: string, stdout: string): void {
  if (line.includes('create-super-user')) expect(stdout).toContain('anna@example.com is a super user now.')
  if (line.includes(' backup ')) expect(stdout).toMatch(/MB, encrypted\./)
  if (line.includes('quarantine')) expect(stdout).toMatch(/quarantine/i)
  if (line.includes('replace-master')) expect(stdout).toMatch(/Sealed with the new master key: \d+\./)
  if (line.includes(' restore ')) expect(stdout).toMatch(/Restored \d+ rows/)
}

describe.runIf(mayMount)('in containers, every admin command of the documentation', () => {
  let url: string
  let stop: () => void
  let relay: Server
  const host = `127.${randomBytes(3).join('.')}`
  beforeAll(async () => {
    const base = mkdtempSync(join(tmpdir(), 'vestibule-place-'))
    cleanUpOnExit({ folders: [base] })
    const { engine } = await placeAt(base)
    const { startExternalPostgres } = await import(join(root, 'scripts', 'external-postgres.mjs'))
    ;({ url, stop } = await startExternalPostgres(join(engine, 'bin')))
    const { port } = new URL(url)
    relay = createServer((socket) => {
      const other = connect(Number(port), '127.0.0.1')
      socket.pipe(other).pipe(socket)
      socket.on('error', () => other.destroy())
      other.on('error', () => socket.destroy())
    })
    await new Promise<void>((listening) => relay.listen(5432, host, listening))
  }, timeout)
  afterAll(() => {
    relay?.close()
    stop?.()
  })

  const asSuperuser = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }

  test('runs in deploy/compose', { timeout }, async () => {
    const folder = machine()
    const here = join(folder, 'deploy', 'compose')
    cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
    const set = (file: string, values: Record<string, string>) => {
      const text = read(`deploy/compose/${file}.example`)
      writeFileSync(
        join(here, file),
        text.replace(/^(\w+)=.*$/gm, (line, name) => (name in values ? `${name}=${values[name]}` : line)),
      )
    }
    set('.env', { DATABASE_PASSWORD: 'nodes', OWNER_PASSWORD: 'owner', SUPERUSER_PASSWORD: 'super' })
    set('settings.env', {})
    for (const name of ['master-key', 'master-key-next']) {
      writeFileSync(join(here, name), newKey(), { mode: 0o400 })
      chownSync(join(here, name), 65532, 65532)
    }
    const [, override = ''] = /^```yaml compose\.override\.yaml\n([\s\S]*?)^```$/m.exec(page) ?? []
    writeFileSync(join(here, 'compose.override.yaml'), override)
    mkdirSync(join(folder, 'srv'))
    writeFileSync(join(folder, 'srv', 'passphrase'), passphrase)
    const [, roles = ''] = /<<'SQL'\n([\s\S]*?)^SQL$/m.exec(read('deploy/compose/roles.sh')) ?? []
    for (const statement of roles.replace(":'owner'", "'owner'").replace(":'nodes'", "'nodes'").split(';\n'))
      if (statement) await asSuperuser(statement)
    const lines = commandsIn(page, 'compose')
    expect(lines.length).toBeGreaterThan(5)
    const env = { POSTGRES: host }
    for (const line of lines) {
      if (line.includes(' restore ')) {
        await asSuperuser('drop database vestibule with (force)')
        await asSuperuser('create database vestibule owner vestibule_owner')
      }
      expectDone(line, (await run(line.replaceAll('/srv/', `${folder}/srv/`), here, folder, env)).stdout)
    }
    await expect(
      run('docker compose run --rm migrate server/admin.ts no-such', here, folder, env),
    ).rejects.toMatchObject({
      code: 2,
    })
    await asSuperuser('drop database vestibule with (force)')
  })

  test.runIf(chartRenderer())(
    'runs in Kubernetes, where only the job of the chart has the rights of the owner',
    { timeout },
    async () => {
      for (const role of ['portal_owner', 'portal']) await asSuperuser(`create role ${role} login`)
      const addressesOf = async (name: string) => {
        await asSuperuser(`create database ${name} owner portal_owner`)
        const as = (role: string) => Object.assign(new URL(url), { username: role, pathname: `/${name}` }).href
        return { app: { DATABASE_URL: as('portal') }, owner: { DATABASE_OWNER_URL: as('portal_owner') } }
      }
      const { app, owner } = await addressesOf('portal')
      const folder = machine()
      cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
      const secret = (name: string, data: Record<string, string>) => {
        mkdirSync(join(folder, 'secrets', name), { recursive: true })
        for (const [key, text] of Object.entries(data)) writeFileSync(join(folder, 'secrets', name, key), text)
      }
      secret('vestibule', { ...app, SMTP_URL: 'smtps://mail.example.com' })
      secret('owner', owner)
      secret('keys', { now: newKey(), next: newKey() })
      secret('backup', { passphrase })
      // As fsGroup makes it.
      mkdirSync(join(folder, 'claims', 'backups'), { recursive: true })
      chownSync(join(folder, 'claims', 'backups'), 0, 65532)
      chmodSync(join(folder, 'claims', 'backups'), 0o2775)
      const values: Values = {
        migrationSecret: 'owner',
        settings: { TRUSTED_PROXIES: '10.42.7.0/24', COMPANY_NAME: 'Nordvik "AB" $(HOME)' },
        secretFiles: {
          MASTER_KEY_FILE: { secret: 'keys', key: 'now' },
          MASTER_KEY_NEXT_FILE: { secret: 'keys', key: 'next' },
          BACKUP_PASSPHRASE_FILE: { secret: 'backup', key: 'passphrase' },
        },
        extraVolumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'backups' } }],
        extraVolumeMounts: [{ name: 'backups', mountPath: '/backups' }],
      }
      writeFileSync(join(folder, 'portal.yaml'), stringify(values, { version: '1.1' }))
      const objects = renderChart(values)
      writeFileSync(join(folder, 'objects.json'), JSON.stringify(objects))
      // As before the first node.
      const migration = objects.find(({ kind }) => kind === 'Job')
      expect(runInPod(folder, migration?.spec.template)).toMatchObject({ status: 0 })
      const env = { CLUSTER: folder }
      const lines = commandsIn(page, 'kubernetes')
      expect(lines.length).toBeGreaterThan(7)
      const admin = 'kubectl exec deploy/portal -- /nodejs/bin/node server/admin.ts'
      const restore = 'restore /backups/2026-11-23.backup --passphrase-file /secrets/BACKUP_PASSPHRASE_FILE'
      for (const line of lines) {
        if (line.includes('adminCommand')) {
          const copy = await addressesOf('copy')
          secret('vestibule', copy.app)
          // A node has not the rights.
          await expect(run(`${admin} ${restore}`, folder, folder, env)).rejects.toThrow(/permission denied|may not/)
          secret('owner', copy.owner)
        }
        const { stdout, stderr } = await run(line, folder, folder, env)
        expect(stderr).not.toContain('BACKUP_PASSPHRASE_FILE')
        if (line.startsWith('kubectl exec')) expectDone(line, stdout)
        if (line.includes('kubectl logs')) expectDone(' restore ', stdout)
      }
      await expect(run(`${admin} no-such`, folder, folder, env)).rejects.toMatchObject({ code: 2 })
    },
  )
})
