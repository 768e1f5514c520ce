import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Mutant, read } from './candidates.ts'
import { findStatements } from './sql.ts'
import { isProduct, root } from './test-runs.ts'
import { type FunctionRange, readSource } from './typescript.ts'

/** Which functions each test file reaches, as last measured. */
export interface Reach {
  /** Hashes of the product's files then: of one that has changed since, only the file counts, not the function. */
  sources: Record<string, string>
  tests: Record<string, { hash: string; milliseconds: number; reached: string[] }>
}

const stored = join(root, '.cache/mutants-reach.json')
const hashOf = (file: string) => createHash('sha256').update(read(file)).digest('hex').slice(0, 16)
const productFiles = () => globSync('server/**/*.ts', { cwd: root }).filter(isProduct)

/** What is stored, without the test files that have changed. */
export function readReach(): Reach {
  let reach: Reach = { sources: {}, tests: {} }
  try {
    reach = JSON.parse(readFileSync(stored, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  for (const [test, { hash }] of Object.entries(reach.tests))
    if (!globSync(test, { cwd: root }).length || hashOf(test) !== hash) delete reach.tests[test]
  return reach
}

/** Adds what a test file has reached. */
export function noteReach(reach: Reach, test: string, reached: readonly string[], milliseconds: number): void {
  // Numbers of functions count in the files of one moment.
  for (const file of productFiles()) reach.sources[file] ??= hashOf(file)
  reach.tests[test] = { hash: hashOf(test), milliseconds, reached: [...reached] }
  mkdirSync(dirname(stored), { recursive: true })
  writeFileSync(stored, JSON.stringify(reach))
}

/** The test files that reach a mutant, the nearest and fastest first. */
export function testsFor(reach: Reach, mutant: Mutant): string[] {
  const names = mutant.statement ? namesOf(mutant.statement.name) : undefined
  const wanted = names ? mentions(reach, names) : sitesOf(reach, mutant)
  const reaches = (test: string) => {
    const { reached } = reach.tests[test] as Reach['tests'][string]
    return reached.some((site) => wanted.some((one) => (one.endsWith(':') ? site.startsWith(one) : site === one)))
  }
  const folders = dirname(mutant.file).split('/')
  const nearness = (test: string) => {
    if (names) return names.find((name) => read(test).includes(name)) ? 1 : 0
    const own = test.split('/')
    const differs = folders.findIndex((folder, at) => folder !== own[at])
    return differs < 0 ? folders.length : differs
  }
  return Object.keys(reach.tests)
    .filter(reaches)
    .map((test) => ({ test, near: nearness(test), takes: reach.tests[test]?.milliseconds ?? 0 }))
    .sort((one, other) => other.near - one.near || one.takes - other.takes)
    .map(({ test }) => test)
}

/** The functions that a mutant is in; of a constant of the file, those that name it. */
function sitesOf(reach: Reach, { file, start }: Mutant): string[] {
  const site = siteOf(reach, file, start)
  const isInside = ({ start: from, end }: FunctionRange) => from <= start && start < end
  if (!site.endsWith(':') || readSource(file, read(file)).functions.some(isInside)) return [site]
  const [, exported, name] =
    [
      ...read(file)
        .slice(0, start)
        .matchAll(/^(export )?const (\w+)/gm),
    ].at(-1) ?? []
  const sites = name ? mentions(reach, [name], exported ? undefined : [file]).filter((one) => one !== site) : []
  return sites.length > 0 ? sites : [site]
}

/** The innermost function around a place, or the whole file where there is none, or where it ran while it was loaded. */
function siteOf(reach: Reach, file: string, at: number): string {
  const ranges = readSource(file, read(file)).functions.map((range, number) => ({ ...range, number }))
  const inner = ranges
    .filter(({ start, end }) => start <= at && at < end)
    .sort((one, other) => one.end - one.start - (other.end - other.start))
  const isAsMeasured = reach.sources[file] === hashOf(file)
  const reached = (number: number) =>
    Object.values(reach.tests).some((test) => test.reached.includes(`${file}:${number}`))
  const site = isAsMeasured ? inner.find(({ number }) => reached(number)) : undefined
  return `${file}:${site?.number ?? ''}`
}

/** A view or function, and all views, functions and tables whose use leads to it. */
function namesOf(name: string): string[] {
  const files = globSync('server/schema/*.sql', { cwd: root }).map((file) => read(file))
  const users = files.flatMap((source) =>
    findStatements(source).map(({ name: user, start, end }) => ({ user, text: source.slice(start, end) })),
  )
  const triggers = files.flatMap((source) =>
    [...source.matchAll(/^create (?:constraint )?trigger [^;]*? on (\w+)[^;]*execute function (\w+)/gm)].map(
      ([, user = '', called = '']) => ({ user, text: called }),
    ),
  )
  const names = new Set([name])
  for (const known of names)
    for (const { user, text } of [...users, ...triggers]) if (new RegExp(`\\b${known}\\b`).test(text)) names.add(user)
  return [...names]
}

/** The functions of the product that name a constant, or something of the schema. */
function mentions(reach: Reach, names: readonly string[], files = productFiles()): string[] {
  const camel = names.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
  const pattern = new RegExp(`\\b(${[...names, ...camel].join('|')})\\b`, 'g')
  const sites = new Set<string>()
  for (const file of files)
    if (!file.endsWith('database-types.ts'))
      for (const { index } of read(file).matchAll(pattern)) sites.add(siteOf(reach, file, index))
  return [...sites]
}
