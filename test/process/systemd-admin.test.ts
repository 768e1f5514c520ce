import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { commandsIn } from '../containers/container.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

/** A machine with the unit, where systemd is not the first process: `systemd-run` does itself what some properties say. */
async function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-systemd-'))
  cleanUpOnExit({ folders: [folder] })
  const database = await createTestDatabase()
  for (const name of ['bin', 'credentials', 'state', 'etc']) mkdirSync(join(folder, name))
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  const settings = [
    `DATABASE_URL=${database.appUrl}`,
    `DATABASE_OWNER_URL=${database.ownerUrl}`,
    ...['BASE_URL=https://portal.example.com', 'SMTP_URL=smtps://mail.example.com'],
  ]
  file('etc/settings', `${settings.join('\n')}\n`, 0o600)
  file('etc/passphrase', 'correct horse battery staple\n', 0o600)
  for (const key of ['key', 'key-next']) file(`etc/${key}`, randomBytes(32).toString('base64'), 0o600)
  // A unit names its program without blanks, which the folder of this test may have.
  const program = join(folder, 'program')
  symlinkSync(root, program)
  const node = process.execPath.replace(root, program)
  const moved = (text: string) =>
    text
      .replaceAll('/etc/vestibule/master-key', join(folder, 'etc', 'key'))
      .replaceAll('/etc/vestibule', join(folder, 'etc'))
      .replaceAll('/var/lib/vestibule', join(folder, 'state'))
      .replaceAll('/var/cache/vestibule', join(folder, 'state'))
      .replaceAll('/opt/vestibule', program)
      .replaceAll('/usr/bin/node', node)
  const dropIn = `# /etc/systemd/system/vestibule.service.d/override.conf
[Service]
LoadCredential=master-key-next:/etc/vestibule/master-key-next
Environment=COMPANY_NAME=Nordvik \\
  MASTER_KEY_NEXT_FILE=%d/master-key-next
MemoryMax=1G
`
  file('unit', moved(read('deploy/systemd/vestibule.service') + dropIn), 0o600)
  file('bin/systemctl', `#!/bin/sh\n[ "$*" = "cat vestibule.service" ] && cat ${folder}/unit\n`, 0o700)
  file(
    'bin/systemd-run',
    `#!${node}\n${read('test/process/stand-in-systemd-run.mjs').replace('FOLDER', folder)}`,
    0o700,
  )
  const run = (command: string) =>
    promisify(execFile)(
      'sh',
      ['-c', moved(command).replace(/\bvestibule-admin/, `${program}/deploy/systemd/vestibule-admin`)],
      {
        env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      },
    )
  return { folder, run }
}

test('every command of the documentation for systemd runs with the settings and the key of the unit', {
  timeout: 240_000,
}, async () => {
  const commands = commandsIn(read('docs/deployment.md'), 'systemd')
  expect(commands.length).toBeGreaterThan(3)
  const { folder, run } = await machine()
  for (const command of commands) {
    const { stdout } = await run(command)
    expect(stdout, command).not.toBe('')
    if (command.includes('create-super-user')) expect(stdout).toContain('anna@example.com is a super user now.')
    if (command.includes('backup')) expect(stdout).toContain(', encrypted.')
    if (command.includes('replace-master')) expect(stdout).toMatch(/Sealed with the new master key: \d+\./)
  }
  const properties: string[] = JSON.parse(readFileSync(join(folder, 'properties'), 'utf8'))
  expect(properties).toEqual(
    expect.arrayContaining(['DynamicUser=yes', 'User=vestibule', 'ProtectSystem=strict', 'MemoryMax=1G']),
  )
  expect(properties.join('\n')).not.toMatch(/^(Exec|Restart|Kill|Timeout)|%/m)
  // A word with a blank, a quote or a dollar arrives as it was given.
  const reason = `Anna's word: "paid $5"`
  const promoted = `vestibule-admin create-super-user --email bo@example.com --first-name '${reason.replaceAll("'", `'\\''`)}'`
  expect((await run(promoted)).stdout).toContain('bo@example.com is a super user now.')
  expect(JSON.parse(readFileSync(join(folder, 'words'), 'utf8')).at(-1)).toBe(reason)
  // A failure is the command's own.
  await expect(run('vestibule-admin no-such-command')).rejects.toMatchObject({ code: 2 })
  await expect(run('VESTIBULE_SERVICE=other.service vestibule-admin help')).rejects.toMatchObject({ code: 1 })
})

test.skipIf(!hasSystemd)('systemd takes each property that a command gets', { timeout: 60_000 }, async () => {
  const { folder, run } = await machine()
  await run('vestibule-admin help')
  const properties: string[] = JSON.parse(readFileSync(join(folder, 'properties'), 'utf8'))
  const unit = join(folder, 'command.service')
  const verify = (lines: string[]) => {
    writeFileSync(unit, `[Service]\nExecStart=/bin/true\n${lines.join('\n')}\n`)
    return spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' }).stderr
  }
  const complaints = (lines: string[]) =>
    verify(lines)
      .split('\n')
      .filter((line) => line.includes('command.service:'))
  expect(complaints(['DynamicUser=perhaps'])).not.toEqual([])
  expect(complaints(properties)).toEqual([])
})
