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

/** A suite counts its tests; one that ran none, or ended badly without a failed test, counts as a failure. */
export async function suite(name, read, work) {
  title(name)
  const report = join(reports, `${name.replaceAll(/[^a-z]+/g, '-')}.json`)
  const good = await work(report)
  const found = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0, why: [] }
  for (const entry of found.why) entry[0] = `${name} › ${entry[0]}`
  if (found.failed === 0 && (!good || found.passed === 0)) {
    const why = `${name} ${found.passed === 0 ? 'ran no test' : 'did not end well'}`
    console.error(why)
    found.why.push([why])
    found.failed = 1
  }
  console.log(`${name}: ${found.passed} passed, ${found.failed} failed`)
  count(found)
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
  }
  if (file) writeFileSync(file, JSON.stringify({ ...total, failures }))
  for (const failure of failures) console.log(`\n✗ ${failure}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
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

// A flaky test counts as failed.
export const readPlaywright = ({ stats, errors, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + (stats.unexpected + stats.flaky === 0 ? errors.length : 0),
  why: [...errors.map(({ message }) => ['outside of a journey', message]), ...suites.flatMap(failedJourneys)],
})

/** Name, first error and what the page showed then. */
function failedJourneys({ specs, suites = [] }) {
  const found = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  return [
    ...found.map(({ file, line, title: name, tests }) => {
      const results = tests.flatMap((test) => test.results)
      const error = results.flatMap(({ errors }) => errors)[0]?.message ?? ''
      return [`${file}:${line} › ${name}`, `${stripVTControlCharacters(error)}\n${pageOf(results)}`, 80]
    }),
    ...suites.flatMap(failedJourneys),
  ]
}

const pageOf = (results) =>
  results
    .flatMap(({ attachments }) => attachments)
    .filter(({ name, path }) => name === 'error-context' && path && existsSync(path))
    .slice(0, 1)
    .map(({ path }) => readFileSync(path, 'utf8').split('```yaml').at(1) ?? '')
    .join('')
