import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { startServerProcess, temporaryDataDir } from './server-process.ts'

const root = join(import.meta.dirname, '..', '..')
const generated = /^(node_modules|dist|data|release|test-results|playwright-report|\.git|\.cache)$/

test('the portal builds and starts in a folder whose path has a space, å, a comma, an apostrophe and a percent sign', {
  timeout: 240_000,
}, async () => {
  const parent = mkdtempSync(join(tmpdir(), "Mina program å, Ann's 100%20 "))
  const cleared = cleanUpOnExit({ folders: [parent] })
  const folder = join(parent, 'vestibule')
  cpSync(root, folder, { recursive: true, filter: (file) => !generated.test(relative(root, file)) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { dataDir, remove } = temporaryDataDir(parent)
  try {
    const program = `import('./scripts/prepare.mjs').then(({ prepare }) => prepare())`
    await promisify(execFile)(process.execPath, ['--eval', program], { cwd: folder })
    const server = await startServerProcess({ folder, dataDir })
    await server.ready
    const page = await fetch(`${server.url}/login`, { redirect: 'manual' })
    expect(page.status).toBe(303)
    const html = await (await fetch(`${server.url}/reset-password`)).text()
    const [script] = /\/assets\/[\w-]+\.js/.exec(html) ?? []
    expect((await fetch(`${server.url}${script}`)).headers.get('content-type')).toContain('javascript')
    server.signal('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
  } finally {
    remove()
    rmSync(parent, { recursive: true })
    cleared()
  }
})
