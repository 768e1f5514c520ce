import type { Problem } from '#server/platform/problem.ts'
import type { Filter, operators } from './filter-tree.ts'
import { hasPersonalNumber } from './personal-number.ts'
import type { Place } from './schema.ts'
import { isStorable, type Note, readBoolean } from './value.ts'

interface Comparison {
  op: (typeof operators)[number]
  value: string | number | boolean | null
  /** Of a value with parts in which the names are looked for. */
  inside: readonly string[]
  notes: Note[] | undefined
  refuse: () => Problem
}

/** One comparison, as the attribute is compared. @throws what `refuse` gives where the two do not fit */
export function compare(place: Place, comparison: Comparison): Filter {
  const { op, value, inside } = comparison
  const { attribute } = place
  if (op === 'ne') return { op: 'not', filter: compare(place, { ...comparison, op: 'eq' }) }
  // No value is null (RFC 7643, 2.5).
  if (op === 'eq' && value === null) return { op: 'not', filter: compare(place, { ...comparison, op: 'pr' }) }
  if (place.list) {
    const [name = '', ...names] = place.names
    const filter = { ...place, names, list: undefined, attribute: { ...attribute, many: false } }
    return {
      op: 'some',
      name,
      filter: names.length === 0 && op === 'pr' ? { op: 'always' } : compare(filter, comparison),
    }
  }
  const names = [...inside, ...place.names]
  if (op === 'pr') return { op, names }
  if (attribute.kind === 'complex') {
    const { value: inner } = attribute.parts ?? {}
    if (!inner) throw comparison.refuse()
    return compare({ attribute: inner, names: [...place.names, 'value'] }, comparison)
  }
  const read = readOperand(place, comparison)
  return read === undefined ? { op: 'never' } : { op, names, attribute, value: read }
}

/** @returns undefined for what no attribute ever holds */
function readOperand(
  { attribute: { kind }, names }: Place,
  { op, value, notes, refuse }: Comparison,
): string | boolean | undefined {
  if (kind === 'boolean') {
    const flag = readBoolean(value)
    if (flag === undefined || op !== 'eq') throw refuse()
    return flag
  }
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !isStorable(text)) throw refuse()
  if (kind === 'dateTime') {
    const time = new Date(text)
    if (Number.isNaN(time.getTime()) || op === 'co' || op === 'sw' || op === 'ew') throw refuse()
    return time.toISOString()
  }
  if (!hasPersonalNumber(text)) return text
  notes?.push({ attribute: names.join('.'), reason: 'personalNumber' })
  return undefined
}
