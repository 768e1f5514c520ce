// `npm test`: every check there is; with --fast (`npm run check`) types, lint and the quick unit and API tests (CONTRIBUTING.md
// says what it leaves out). A failing step does not keep the next from running; the last line sums them all.
import { spawn } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { prepareBrowser } from './browser.mjs'
import { installPackages } from './debian-packages.mjs'
import { findBinaries, startExternalPostgres } from './external-postgres.mjs'
import { packageScript, prepare, projectEnvironment, root } from './prepare.mjs'
import { count, readPlaywright, readVitest, step, suite, summarise, title } from './test-results.mjs'

const fast = process.argv.includes('--fast')

// Temporary databases are faster in memory, where there is room for them; a container may have only 64 MB.
const memory = '/dev/shm'
if (!process.env.TMPDIR && existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize > 4 * 2 ** 30) process.env.TMPDIR = memory
}

/** Runs one program; returns whether it succeeded, and its output unless that is already shown. */
function run(program, options, { env = {}, stdio = 'inherit', shell = false } = {}) {
  const child = spawn(program, options, { cwd: root, stdio, shell, env: { ...projectEnvironment(), ...env } })
  const cleared = cleanUpOnExit({ pid: child.pid })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ good: false, output: error.message }))
    child.once('close', (code) => {
      cleared()
      resolve({ good: code === 0, output })
    })
  })
}

/** Checks without database or browser, which run one after the other, in parallel to the tests. */
const checks = [
  ...['server', 'web', 'e2e'].map((part) => {
    const note = `node_modules/.cache/typescript/${part}.tsbuildinfo`
    return [`types: ${part}`, 'tsc', ['--project', `tsconfig.${part}.json`, '--incremental', '--tsBuildInfoFile', note]]
  }),
  ['lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['styles', 'stylelint', ['web/**/*.css']],
  ...(fast
    ? []
    : [
        ['size budgets', packageScript('check:size'), [], { shell: true }],
        ['known vulnerabilities', process.execPath, ['scripts/advisories.mjs']],
      ]),
]

async function runChecks() {
  const results = []
  for (const [name, program, options, settings] of checks)
    results.push({ name, ...(await run(program, options, { stdio: 'pipe', ...settings })) })
  return results
}

const vitest = async (report, options = [], env = {}) => {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return (await run('vitest', ['run', ...reporters, ...options], { env })).good
}

async function testOnPostgres15() {
  const name = 'API tests on PostgreSQL 15'
  if (process.env.TEST_DATABASE_URL) return
  const binaries = findBinaries()
  if (!binaries) {
    title(name)
    const missing = 'left out: this machine has no postgresql-15 (apt install postgresql-15)'
    if (process.env.CI) count({ passed: 0, failed: 1, why: [[`${name}: ${missing}`]] })
    console.log(missing)
    return
  }
  const server = await startExternalPostgres(binaries)
  const config = ['--config', 'vitest.postgres-15.config.ts']
  try {
    await suite(name, readVitest, (report) => vitest(report, config, { TEST_DATABASE_URL: server.url }))
  } finally {
    server.stop()
  }
}

async function testInBrowser() {
  let browser
  await step('browser', () => {
    browser = prepareBrowser()
    return true
  })
  if (browser === undefined) return
  await suite('browser journeys', readPlaywright, async (report) => {
    // Without a language Chromium cannot name a download with a letter beyond ASCII.
    const { LANG = 'C.UTF-8' } = process.env
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, CHROMIUM_PATH: browser, LANG }
    return (await run('playwright', ['test', '--reporter=list,json'], { env })).good
  })
}

// Proxies, a pooler and services of others, for test/process.
const forProcesses = [
  'haproxy',
  'nginx-light',
  'pgbouncer',
  'apache2',
  'libapache2-mod-auth-openidc',
  'python3-authlib',
  'python3-requests',
]

// Elsewhere than on CI its tests are left out without it.
if (process.env.CI)
  installPackages(...(fast ? [] : ['postgresql-15']), 'python3', 'prometheus', ...(fast ? [] : forProcesses))
await step('packages and web app', () => {
  prepare()
  return true
})
const checked = runChecks()
const quick = fast ? ['--config', 'vitest.check.config.ts'] : []
await suite('unit and API tests', readVitest, (report) => vitest(report, quick))
for (const { name, good, output } of await checked)
  await step(name, () => {
    process.stdout.write(output)
    return good
  })
if (!fast) {
  await testOnPostgres15()
  await testInBrowser()
}
summarise()
