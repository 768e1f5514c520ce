import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readRoom } from '#server/platform/database/schema.ts'
import stored from './equivalent.json' with { type: 'json' }
import { type Change, findStatements, mutateSql, type Statement } from './sql.ts'
import { type ChangedFile, isProduct, root } from './test-runs.ts'
import { readSource } from './typescript.ts'

/** A mutant that can be tried. */
export interface Mutant extends ChangedFile {
  line: number
  /** The lines that it changes, and what becomes of them, each with single blanks. */
  before: string
  after: string
  /** The view or function of the schema that it changes. */
  statement?: Statement
}

/** Mutants that nobody could notice, with the reason; `before` and `after` as a run prints them. */
export const equivalent: { file: string; before: string; after: string; why: string }[] = stored

/** Where a bug gives somebody a right, or lets somebody in. */
const rooms = /^server\/(credentials|oidc\/storage|accounts|features\/(scim|groups|decisions))\/.*\.ts$/
const schema =
  /^server\/schema\/(access|factors|group-access|groups|invitations|memberships|organizations|passkeys|people|recoveries|roles|scim|service-roles|sessions|shared)\.sql$/
/** Elsewhere: the clauses that keep one organisation's data from another. */
const isolates = ({ file, text, before }: Mutant) =>
  /\.repository\.ts$/.test(file) && text === '' && /organization_?id/i.test(before)

/** The text of a file of the project: of the schema, with what it takes from the contract. */
export const read = (file: string): string =>
  file.startsWith('server/schema/') ? readRoom(basename(file, '.sql')) : readFileSync(join(root, file), 'utf8')

/** The files of the product that are searched for mutants, from the project's folder. */
export const mutatedFiles = (): string[] =>
  globSync(['server/**/*.ts', 'server/schema/*.sql'], { cwd: root })
    .filter((file) => schema.test(file) || (isProduct(file) && (rooms.test(file) || /\.repository\.ts$/.test(file))))
    .sort()

/** All mutants of a file, with those that change nothing that anybody could notice. */
export function mutantsOf(file: string): Mutant[] {
  const source = read(file)
  if (!file.endsWith('.sql')) {
    const all = readSource(file, source).mutants.map((change) => describe(file, source, change))
    return rooms.test(file) ? all : all.filter(isolates)
  }
  return findStatements(source).flatMap((statement) =>
    mutateSql(source, [statement.start, statement.end]).map((change) => ({
      ...describe(file, source, change),
      statement,
    })),
  )
}

function describe(file: string, source: string, change: Change): Mutant {
  const { start, end, text } = change
  const first = source.lastIndexOf('\n', start - 1) + 1
  const next = source.indexOf('\n', end)
  const last = next < 0 ? source.length : next
  const inOne = (lines: string) => lines.replace(/\s+/g, ' ').trim()
  return {
    ...{ ...change, file, line: source.slice(0, start).split('\n').length },
    before: inOne(source.slice(first, last)),
    after: inOne(source.slice(first, start) + text + source.slice(end, last)),
  }
}

/** Why nobody could notice a mutant; undefined for one that a test must kill. */
export const whyEquivalent = (mutant: Mutant): string | undefined =>
  equivalent.find(
    ({ file, before, after }) => file === mutant.file && before === mutant.before && after === mutant.after,
  )?.why

/** A sample in an order that a seed decides: the same mutants for the same source and seed. */
export function sample(mutants: readonly Mutant[], seed: string, most: number): Mutant[] {
  const place = ({ file, before, after, line }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, line, before, after]))
      .digest('hex')
  return mutants
    .map((mutant) => ({ mutant, key: place(mutant) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, most)
    .map(({ mutant }) => mutant)
}
