// Reads the reports of the programs of `npm test` and counts them. Plain JavaScript, because nothing is installed yet.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root, Unprepared } from './prepare.mjs'

const reports = mkdtempSync(join(tmpdir(), 'vestibule-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const total = { passed: 0, failed: 0 }
const failures = []
const flaky = []

/** More failures than this are a fault of the product or of the machine: they are not run again. */
const mostRunAgain = 20

/** Adds passed and failed tests, with the reason for each failure; the end of the run repeats them. */
export function count({ passed, failed, why }) {
  total.passed += passed
  total.failed += failed
  for (const [name, reason = '', longest = 12] of why)
    failures.push([name, ...reason.split('\n', longest)].join('\n    ').trimEnd())
}

export function title(name) {
  console.log(`\n── ${name}`)
}

/** A step counts as one. */
export async function step(name, work) {
  title(name)
  let good = false
  try {
    good = await work()
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    console.error(error.message)
  }
  if (!good) console.error(`${name} failed`)
  count({ passed: good ? 1 : 0, failed: good ? 0 : 1, why: good ? [] : [[name]] })
}

/**
 * A suite counts its tests; one that ran none, or ended badly without a failed test, counts as a failure. With FLAKY_TESTS,
 * a file that CI names, what failed runs once more alone: when all of it passes then, it is flaky and does not fail the run.
 *
 * @param work runs the suite, or only the places in its second argument; writes the report, and says whether it ended well
 */
export async function suite(name, read, work) {
  title(name)
  const found = await runSuite(name, read, work)
  const { again } = found
  if (process.env.FLAKY_TESTS && again.length > 0 && again.length <= mostRunAgain) {
    title(`${name}: what failed, once more alone`)
    const second = await runSuite(`${name} again`, read, (report) => work(report, again))
    if (second.good && second.passed > 0) {
      flaky.push(...found.why.map(([test]) => test))
      Object.assign(found, { good: true, passed: found.passed + found.failed, failed: 0, why: [] })
    }
  }
  for (const entry of found.why) entry[0] = `${name} › ${entry[0]}`
  if (found.failed === 0 && (!found.good || found.passed === 0)) {
    const why = `${name} ${found.passed === 0 ? 'ran no test' : 'did not end well'}`
    console.error(why)
    found.why.push([why])
    found.failed = 1
  }
  console.log(`${name}: ${found.passed} passed, ${found.failed} failed`)
  count(found)
}

async function runSuite(name, read, work) {
  const report = join(reports, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.json`)
  const good = await work(report)
  const nothing = { passed: 0, failed: 0, why: [], again: [] }
  return { ...(existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : nothing), good }
}

/**
 * The last lines of the run: repeats every failure, because thousands of lines precede them. With TEST_RESULTS, a file, it
 * adds what an earlier run wrote there, so that the last line sums both.
 */
export function summarise() {
  const { TEST_RESULTS: file } = process.env
  if (file && existsSync(file)) {
    const earlier = JSON.parse(readFileSync(file, 'utf8'))
    total.passed += earlier.passed
    total.failed += earlier.failed
    failures.unshift(...earlier.failures)
    flaky.unshift(...earlier.flaky)
  }
  if (file) writeFileSync(file, JSON.stringify({ ...total, failures, flaky }))
  for (const failure of failures) console.log(`\n✗ ${failure}`)
  if (flaky.length > 0) sayFlaky()
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

/** Names what passed only when it ran alone, here and in the file. */
function sayFlaky() {
  const { FLAKY_TESTS: file } = process.env
  writeFileSync(file, flaky.map((test) => `${test}\n`).join(''))
  console.log(`\nflaky, passed when run alone (also in ${file}): ${flaky.join('; ')}`)
}

// A file that does not load has no tests to count.
export const readVitest = ({ numPassedTests, numFailedTests, testResults }) => ({
  passed: numPassedTests,
  failed:
    numFailedTests +
    testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
    ).length,
  again: testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name)),
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

export const readPlaywright = ({ stats, errors, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + (stats.unexpected + stats.flaky === 0 ? errors.length : 0),
  // What went wrong outside of a journey has no place that could be run again.
  again: errors.length > 0 ? [] : suites.flatMap(failedJourneys).map(({ file, line }) => `${file}:${line}`),
  why: [
    ...errors.map(({ message }) => ['outside of a journey', message]),
    ...suites.flatMap(failedJourneys).map(whyItFailed),
  ],
})

const failedJourneys = ({ specs, suites = [] }) => [
  ...specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky')),
  ...suites.flatMap(failedJourneys),
]

/** Name, first error and what the page showed then. */
function whyItFailed({ file, line, title: name, tests }) {
  const results = tests.flatMap((test) => test.results)
  const error = results.flatMap(({ errors }) => errors)[0]?.message ?? ''
  return [`${file}:${line} › ${name}`, `${stripVTControlCharacters(error)}\n${pageOf(results)}`, 80]
}

const pageOf = (results) =>
  results
    .flatMap(({ attachments }) => attachments)
    .filter(({ name, path }) => name === 'error-context' && path && existsSync(path))
    .slice(0, 1)
    .map(({ path }) => readFileSync(path, 'utf8').split('```yaml').at(1) ?? '')
    .join('')
