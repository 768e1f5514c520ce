// `npm run mutants -- --most 60 --seed today --files server/credentials --tests server/,test/isolation`: changes one thing in
// the source, runs the tests that reach it, and says whether one fails. No file is written but .cache/mutants-reach.json.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Mutant, mutantsOf, mutatedFiles, read, sample, whyEquivalent } from './candidates.ts'
import { noteReach, readReach, testsFor } from './reach.ts'
import { type Outcome, openTestRuns } from './test-runs.ts'

const { values: options } = parseArgs({
  options: {
    most: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    files: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
    list: { type: 'boolean', default: false },
  },
})
const split = (list: string) => list.split(',').filter((one) => one !== '')

const wanted = split(options.files)
const files = mutatedFiles().filter(
  (file) => wanted.length === 0 || wanted.some((one) => file.includes(one.replace(/:\d+$/, ''))),
)
/** A line, as a run names it, stands for itself alone. */
const isWanted = ({ file, line }: Mutant) =>
  wanted.length === 0 ||
  wanted.some((one) => (one.includes(':') ? `${file}:${line}`.endsWith(one) : file.includes(one)))
const all = files.flatMap(mutantsOf).filter(isWanted)
const noticeable = all.filter((mutant) => whyEquivalent(mutant) === undefined)
const chosen = sample(noticeable, options.seed, Number(options.most))
console.log(
  `${chosen.length} of ${noticeable.length} mutants in ${files.length} files; ${all.length - noticeable.length} equivalent`,
)
const show = ({ file, line, before, after }: Mutant) => `${file}:${line}\n    - ${before}\n    + ${after}`
if (options.list) {
  for (const mutant of chosen) console.log(`  ${show(mutant)}`)
  process.exit()
}

const runs = await openTestRuns()
const tests = (await runs.files(split(options.tests))).filter((test) => !/^(test\/process|web)\//.test(test))
const reach = readReach()
const unknown = tests.filter((test) => !reach.tests[test])
if (unknown.length > 0) {
  console.log(`Measuring what ${unknown.length} of ${tests.length} test files reach …`)
  await runs.measure(unknown, (test, reached, milliseconds) => noteReach(reach, test, reached, milliseconds))
}
for (const test of Object.keys(reach.tests)) if (!tests.includes(test)) delete reach.tests[test]
// The server with the templates starts with the first test.
await runs.run(Object.keys(reach.tests).slice(0, 1), 120)

const alive: Mutant[] = []
let killed = 0
let invalid = 0
for (const mutant of chosen) {
  const begin = Date.now()
  const reaching = testsFor(reach, mutant)
  const outcome = await attempt(mutant, reaching)
  const took = `${((Date.now() - begin) / 1000).toFixed(0)} s`
  if (outcome === 'invalid') {
    invalid++
    console.log(`invalid ${show(mutant)}`)
  } else if (outcome.failed) {
    killed++
    console.log(`killed, ${took}: ${show(mutant)}\n    by ${outcome.failed}`)
  } else {
    alive.push(mutant)
    console.log(`ALIVE after ${outcome.passed.length} of ${reaching.length} test files, ${took}: ${show(mutant)}`)
  }
}
await runs.close()
console.log(`\n${killed} killed, ${alive.length} alive, ${invalid} not valid`)
for (const mutant of alive) console.log(`  ${show(mutant)}`)
process.exit(alive.length > 0 ? 1 : 0)

async function attempt(mutant: Mutant, tests: string[]): Promise<Outcome | 'invalid'> {
  if (!mutant.statement) return runs.run(tests, Number(options.seconds), mutant)
  const { start, end } = mutant.statement
  const source = read(mutant.file)
  const changed = source.slice(start, mutant.start) + mutant.text + source.slice(mutant.end, end)
  if (!(await exchange(changed))) return 'invalid'
  try {
    return await runs.run(tests, Number(options.seconds))
  } finally {
    await exchange(source.slice(start, end))
  }
}

/** Replaces a view or function in the databases that tests are copied from. @returns whether PostgreSQL takes it */
async function exchange(statement: string): Promise<boolean> {
  for (const connectionString of runs.templates()) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      await client.query(statement.replace(/^create /, 'create or replace '))
    } catch {
      return false
    } finally {
      await client.end()
    }
  }
  return true
}
