// `npm test`: every check there is; with --fast (`npm run check`) types, lint and the unit and API tests. A failing step does not keep the next from running; the last line sums them all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { prepareBrowser } from './browser.mjs'
import { findBinaries, installBinaries, startExternalPostgres } from './external-postgres.mjs'
import { packageScript, prepare, projectEnvironment, root, Unprepared } from './prepare.mjs'

const fast = process.argv.includes('--fast')
const reports = mkdtempSync(join(tmpdir(), 'vestibule-reports-'))
const total = { passed: 0, failed: 0 }
const failures = []
const count = ({ passed, failed }) => {
  total.passed += passed
  total.failed += failed
}
/** Notes what the end of the run repeats: with thousands of tests above it, that is where somebody looks first. */
const remember = (name, reason = '') => failures.push([name, ...reason.split('\n', 12)].join('\n    ').trimEnd())

/** Runs one program, its output shown; answers whether it ended well. */
function run(program, options, env = {}) {
  return (
    spawnSync(program, options, { cwd: root, stdio: 'inherit', env: { ...projectEnvironment(), ...env } }).status === 0
  )
}

function title(name) {
  console.log(`\n── ${name}`)
}

/** A step counts as one. */
function step(name, work) {
  title(name)
  let good = false
  try {
    good = work()
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    console.error(error.message)
  }
  if (!good) {
    console.error(`${name} failed`)
    remember(name)
  }
  count({ passed: good ? 1 : 0, failed: good ? 0 : 1 })
}

/** A suite counts its tests; one that ran none, or ended badly without a failed test, counts as a failure. */
function suite(name, read, work) {
  title(name)
  const report = join(reports, `${name.replaceAll(/[^a-z]+/g, '-')}.json`)
  const good = work(report)
  const found = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0, why: [] }
  for (const [test, reason] of found.why) remember(`${name} › ${test}`, reason)
  if (found.failed === 0 && (!good || found.passed === 0)) {
    const why = `${name} ${found.passed === 0 ? 'ran no test' : 'did not end well'}`
    console.error(why)
    remember(why)
    found.failed = 1
  }
  console.log(`${name}: ${found.passed} passed, ${found.failed} failed`)
  count(found)
}

// A file that does not load has no tests to count.
const readVitest = ({ numPassedTests, numFailedTests, testResults }) => ({
  passed: numPassedTests,
  failed:
    numFailedTests +
    testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
    ).length,
  why: testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      const file = relative(root, name)
      return failed.length === 0
        ? [[file, message]]
        : failed.map((test) => [`${file} › ${test.fullName}`, test.failureMessages.join('\n')])
    }),
})
// A test that needed a second try is not a test that passed.
const readPlaywright = ({ stats, errors, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + (stats.unexpected + stats.flaky === 0 ? errors.length : 0),
  why: [...errors.map(({ message }) => ['outside of a journey', message]), ...suites.flatMap(failedJourneys)],
})
function failedJourneys({ specs, suites = [] }) {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  return [
    ...failed.map(({ file, line, title, tests }) => [
      `${file}:${line} › ${title}`,
      stripVTControlCharacters(
        tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0]?.message ?? '',
      ),
    ]),
    ...suites.flatMap(failedJourneys),
  ]
}

const vitest = (report, options = [], env = {}) =>
  run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...options], env)

async function externalRun() {
  const name = 'API tests on an external PostgreSQL'
  if (process.env.TEST_DATABASE_URL) return
  if (!findBinaries() && process.env.CI) installBinaries(console.log)
  const binaries = findBinaries()
  if (!binaries) {
    title(name)
    const missing = 'left out: this machine has no postgresql-15 (apt install postgresql-15)'
    if (process.env.CI) {
      count({ passed: 0, failed: 1 })
      remember(`${name}: ${missing}`)
    }
    console.log(missing)
    return
  }
  const server = await startExternalPostgres(binaries)
  try {
    suite(name, readVitest, (report) =>
      // What runs beside a database: not the web app, nor the server's life with its embedded one.
      vitest(
        report,
        ['contract', 'web', 'test/process'].map((folder) => `--exclude=${folder}/**`),
        { TEST_DATABASE_URL: server.url },
      ),
    )
  } finally {
    server.stop()
  }
}

try {
  step('packages and web app', () => {
    prepare()
    return true
  })
  for (const part of ['server', 'web', 'e2e']) {
    step(`types: ${part}`, () => run('tsc', ['--project', `tsconfig.${part}.json`]))
  }
  step('lint', () => run('biome', ['check', '--error-on-warnings', '.']))
  step('styles', () => run('stylelint', ['web/**/*.css']))
  if (packageScript('check:size') && !fast) {
    step(
      'size budgets',
      () =>
        spawnSync(packageScript('check:size'), { cwd: root, shell: true, stdio: 'inherit', env: projectEnvironment() })
          .status === 0,
    )
  }
  suite('unit and API tests', readVitest, (report) => vitest(report))
  if (!fast) await externalRun()
  let browser
  if (!fast) {
    step('browser', () => {
      browser = prepareBrowser()
      return true
    })
  }
  if (browser !== undefined) {
    suite('browser journeys', readPlaywright, (report) =>
      run('playwright', ['test', '--reporter=list,json'], {
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        CHROMIUM_PATH: browser,
      }),
    )
  }
} finally {
  rmSync(reports, { recursive: true, force: true })
}

for (const failure of failures) console.log(`\n✗ ${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
