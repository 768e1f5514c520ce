import { Problem } from '#server/platform/problem.ts'
import { compare } from './comparison.ts'
import { type Filter, operators } from './filter-tree.ts'
import { type Attribute, locate, type Place } from './schema.ts'
import { readTokens, type Tokens } from './tokens.ts'
import { type Note, nameOf } from './value.ts'

/** Comparisons of one filter, and how deep its brackets go: each comparison is asked of every resource. */
const maxComparisons = 30
const maxDepth = 10

interface Reading {
  tokens: Tokens
  comparisons: number
  /** Gets the names that are not kept, and count as no value; without, they are refused. */
  notes: Note[] | undefined
}

/** What names mean here: those of a resource, or of one of several values. */
interface Scope {
  attributes: Readonly<Record<string, Attribute>>
  inside: readonly string[]
}

/**
 * Reads the filter of a list.
 *
 * @param notes gets the names that are not kept: they have no value (RFC 7644, 3.4.2.2)
 * @throws Problem 400 `scimInvalidFilter`
 */
export function readFilter(
  attributes: Readonly<Record<string, Attribute>>,
  written: unknown,
  notes: Note[] = [],
): Filter {
  const refuse = () => new Problem(400, 'scimInvalidFilter')
  if (written === undefined || written === '') return { op: 'always' }
  if (typeof written !== 'string') throw refuse()
  const tokens = readTokens(written, refuse)
  const filter = readAny({ tokens, comparisons: 0, notes }, { attributes, inside: [] }, 0)
  if (!tokens.isAtEnd()) throw refuse()
  return filter
}

/** Reads what stands in the brackets of a path, up to the closing one. */
export const readValueFilter = (attributes: Readonly<Record<string, Attribute>>, tokens: Tokens): Filter =>
  readAny({ tokens, comparisons: 0, notes: undefined }, { attributes, inside: [] }, 0)

function readAny(reading: Reading, scope: Scope, depth: number): Filter {
  if (depth > maxDepth) throw reading.tokens.refuse()
  return joined('or', reading, () => joined('and', reading, () => readTerm(reading, scope, depth)))
}

function joined(op: 'and' | 'or', { tokens }: Reading, read: () => Filter): Filter {
  const filters = [read()]
  while (tokens.nextWord() === op) {
    tokens.word()
    filters.push(read())
  }
  const [only] = filters
  return filters.length === 1 && only ? only : { op, filters }
}

function readTerm(reading: Reading, scope: Scope, depth: number): Filter {
  const { tokens } = reading
  if (tokens.take('(')) return readClosed(')', reading, scope, depth)
  const name = tokens.word()
  if (name.toLowerCase() === 'not' && tokens.take('('))
    return { op: 'not', filter: readClosed(')', reading, scope, depth) }
  if (tokens.take('[')) return readChosen(name, reading, scope, depth)
  return readComparison(name, reading, scope)
}

function readClosed(sign: ')' | ']', reading: Reading, scope: Scope, depth: number): Filter {
  const filter = readAny(reading, scope, depth + 1)
  if (!reading.tokens.take(sign)) throw reading.tokens.refuse()
  return filter
}

/** `emails[type eq "work"]`; Entra asks for `emails[type eq "work"].value eq "…"`, too. */
function readChosen(written: string, reading: Reading, scope: Scope, depth: number): Filter {
  const { tokens } = reading
  const place = find(written, reading, scope)
  const { many, kind, parts = {} } = place?.attribute ?? { kind: 'complex' }
  if (kind !== 'complex') throw tokens.refuse()
  const names = place?.names ?? []
  const inner = { attributes: parts, inside: many ? [] : [...scope.inside, ...names] }
  // What is in the brackets of a name that is not kept is not worth a note.
  const own = place ? reading : { ...reading, notes: [] }
  const chosen = readClosed(']', own, inner, depth)
  const isPart = tokens.nextWord()?.startsWith('.')
  const filter: Filter = isPart
    ? { op: 'and', filters: [chosen, readComparison(tokens.word().slice(1), own, inner)] }
    : chosen
  reading.comparisons = own.comparisons
  if (!place) return { op: 'never' }
  return many ? { op: 'some', name: names[0] ?? '', filter } : filter
}

function readComparison(written: string, reading: Reading, scope: Scope): Filter {
  const { tokens, notes } = reading
  if (++reading.comparisons > maxComparisons) throw tokens.refuse()
  const place = find(written, reading, scope)
  const op = operators.find((one) => one === tokens.nextWord())
  if (!op) throw tokens.refuse()
  tokens.word()
  const value = op === 'pr' ? null : tokens.literal()
  if (place) return compare(place, { op, value, inside: scope.inside, notes, refuse: tokens.refuse })
  const isMet = op === 'ne' ? value !== null : op === 'eq' && value === null
  return { op: isMet ? 'always' : 'never' }
}

function find(written: string, { tokens, notes }: Reading, { attributes }: Scope): Place | undefined {
  const place = locate(attributes, written)
  if (!place && !notes) throw tokens.refuse()
  if (!place) notes?.push({ attribute: nameOf(written), reason: 'unknown' })
  return place
}
