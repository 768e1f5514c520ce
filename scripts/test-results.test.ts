import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'vestibule-flaky-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bin = join(root, 'node_modules/.bin')

/** Runs a suite of two real tests as the test command does: one always passes, the other one does what its code says. */
function runSuite(code: string, onCi: boolean): { said: string; named: string | undefined } {
  const own = mkdtempSync(join(folder, 'run-'))
  writeFileSync(join(own, 'some.test.js'), `test('always passes', () => {})\ntest('a test', async () => {${code}})\n`)
  const program = `
    import { spawnSync } from 'node:child_process'
    import { basename } from 'node:path'
    import { readVitest, suite, summarise } from '${join(root, 'scripts/test-results.mjs')}'
    const options = ['run', '--root=${own}', '--globals', '--reporter=json']
    await suite('suite', readVitest, (report, only = []) => {
      const which = only.map((file) => basename(file))
      return spawnSync('${bin}/vitest', [...options, '--outputFile=' + report, ...which]).status === 0
    })
    summarise()`
  const list = join(own, 'flaky.txt')
  const env = { PATH: `${bin}:${process.env.PATH}`, FOLDER: own, ...(onCi && { FLAKY_TESTS: list }) }
  const said = spawnSync('node', ['--input-type=module', '--eval', program], {
    cwd: root,
    env,
    encoding: 'utf8',
  }).stdout
  return { said, named: existsSync(list) ? readFileSync(list, 'utf8') : undefined }
}

const failsOnce = `
  const { existsSync, writeFileSync } = await import('node:fs')
  const note = process.env.FOLDER + '/ran'
  const ran = existsSync(note)
  writeFileSync(note, '')
  expect(ran).toBe(true)`

test('on CI, a test that passes when it runs alone is named as flaky and does not fail the run', () => {
  const { said, named } = runSuite(failsOnce, true)
  expect(said).toMatch(/flaky, passed when run alone .*some\.test\.js › a test\n\n2 passed, 0 failed\n$/)
  expect(named).toMatch(/some\.test\.js › a test\n$/)
})

test('on CI, a test that fails alone, too, fails the run', () => {
  const { said, named } = runSuite('expect(1).toBe(2)', true)
  expect(said).toMatch(/\n1 passed, 1 failed\n$/)
  expect(named).toBeUndefined()
})

test('elsewhere, a test that fails once fails the run', () => {
  expect(runSuite(failsOnce, false).said).toMatch(/\n1 passed, 1 failed\n$/)
})
