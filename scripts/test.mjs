// `npm test`: what proves the product to a newcomer, in minutes; --rest (`npm run test:rest`): everything else; --all
// (`npm run test:all`): both; --fast (`npm run check`): types, lint and the quick unit and API tests. CONTRIBUTING.md says what is
// where. A failing step does not keep the next from running; the last line sums them all.
import { spawn } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { prepareBrowser } from './browser.mjs'
import { installPackages } from './debian-packages.mjs'
import { findBinaries, startExternalPostgres } from './external-postgres.mjs'
import { packageScript, prepare, projectEnvironment, root } from './prepare.mjs'
import { count, readPlaywright, readVitest, step, suite, summarise, title } from './test-results.mjs'

const has = (option) => process.argv.includes(option)
const fast = has('--fast')
/** Whether the part of `npm test` runs, and the rest. */
const first = !has('--rest')
const rest = has('--rest') || has('--all')

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
const firstChecks = [
  ...['server', 'web', 'e2e'].map((part) => {
    const note = `node_modules/.cache/typescript/${part}.tsbuildinfo`
    return [`types: ${part}`, 'tsc', ['--project', `tsconfig.${part}.json`, '--incremental', '--tsBuildInfoFile', note]]
  }),
  ['lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['styles', 'stylelint', ['web/**/*.css']],
]
const otherChecks = [
  ['size budgets', packageScript('check:size'), [], { shell: true }],
  ['known vulnerabilities', process.execPath, ['scripts/advisories.mjs']],
]
const checks = [...(first ? firstChecks : []), ...(rest ? otherChecks : [])]

async function runChecks() {
  const results = []
  for (const [name, program, options, settings] of checks)
    results.push({ name, ...(await run(program, options, { stdio: 'pipe', ...settings })) })
  return results
}

const reporter = 'scripts/progress-reporter.mjs'

/** @param only files, which then run one at a time */
const vitest = async (report, only, config, env) => {
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${report}`]
  const which = only ? [...only, '--maxWorkers=1'] : []
  return (await run('vitest', ['run', ...reporters, '--config', config, ...which], { env })).good
}

async function testOnPostgres15(progress) {
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
  const env = { ...progress, TEST_DATABASE_URL: server.url }
  try {
    await suite(name, readVitest, (report, only) => vitest(report, only, 'vitest.postgres-15.config.ts', env))
  } finally {
    server.stop()
  }
}

/** @param which Playwright's options that choose journeys */
async function testInBrowser(name, which, progress) {
  let browser
  await step('browser', () => {
    browser = prepareBrowser()
    return true
  })
  if (browser === undefined) return
  await suite(name, readPlaywright, async (report, only) => {
    const env = { ...progress, PLAYWRIGHT_JSON_OUTPUT_FILE: report, CHROMIUM_PATH: browser }
    const again = only ? [...only, '--workers=1'] : []
    return (await run('playwright', ['test', `--reporter=./${reporter},json`, ...which, ...again], { env })).good
  })
}

// Proxies, a pooler and services of others, for test/process; what renders the chart, for test/chart.
const forLongTests = [
  'haproxy',
  'nginx-light',
  'pgbouncer',
  'apache2',
  'libapache2-mod-auth-openidc',
  'python3-authlib',
  'python3-requests',
  'golang-go',
  'golang-github-masterminds-sprig-dev',
  'golang-gopkg-yaml.v3-dev',
]

// Elsewhere than on CI its tests are left out without it.
if (process.env.CI) installPackages('python3', 'prometheus', ...(rest ? ['postgresql-15', ...forLongTests] : []))
await step('packages and web app', () => {
  prepare()
  return true
})

const api = (name, config) => (progress) =>
  suite(name, readVitest, (report, only) => vitest(report, only, config, progress))
/** What runs, with the seconds that it takes on two idle cores. */
const plan = [
  fast && [55, api('quick unit and API tests', 'vitest.check.config.ts')],
  first && !fast && [110, api('unit and API tests', 'vitest.main.config.ts')],
  first && !fast && [40, (progress) => testInBrowser('main journeys', ['--grep=@main'], progress)],
  rest && [180, api('longer unit and API tests', 'vitest.rest.config.ts')],
  rest && [50, testOnPostgres15],
  rest && [380, (progress) => testInBrowser('browser journeys', ['--grep-invert=@main'], progress)],
].filter(Boolean)

let checked = runChecks()
for (const [index, [seconds, work]] of plan.entries()) {
  const after = plan.slice(index + 1).reduce((sum, [each]) => sum + each, 0)
  await work({ STEP_SECONDS: String(seconds), SECONDS_AFTER: String(after) })
  for (const { name, good, output } of await checked)
    await step(name, () => {
      process.stdout.write(output)
      return good
    })
  checked = []
}
summarise()
