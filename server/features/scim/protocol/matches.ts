import type { Filter, Operator } from './filter-tree.ts'
import { isObject, type Json } from './value.ts'

/** As the database compares texts (`folded`). */
export const folded = (text: string): string => text.toLowerCase().normalize('NFC')

/** Whether a value, or a resource, meets a filter. */
export function matches(one: Json, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(one, each))
    case 'or':
      return filter.filters.some((each) => matches(one, each))
    case 'not':
      return !matches(one, filter.filter)
    case 'some': {
      const list = one[filter.name]
      return Array.isArray(list) && list.some((each) => isObject(each) && matches(each, filter.filter))
    }
    case 'always':
    case 'never':
      return filter.op === 'always'
    case 'pr':
      return valueAt(one, filter.names) !== undefined
    default: {
      const value = valueAt(one, filter.names)
      if (typeof value !== typeof filter.value) return false
      if (typeof value !== 'string' || typeof filter.value !== 'string') return value === filter.value
      const read = filter.attribute.exact ? (text: string) => text : folded
      return compared[filter.op](read(value), read(filter.value))
    }
  }
}

const compared: Record<Operator, (one: string, other: string) => boolean> = {
  eq: (one, other) => one === other,
  co: (one, other) => one.includes(other),
  sw: (one, other) => one.startsWith(other),
  ew: (one, other) => one.endsWith(other),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
}

const valueAt = (one: Json, names: readonly string[]): unknown =>
  names.reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), one)

/** The value that a filter describes, of which there is none yet: what all its `eq` say. Undefined for any other filter. */
export function describedBy(filter: Filter): Json | undefined {
  if (filter.op === 'always' || filter.op === 'never') return {}
  if (filter.op === 'eq' && filter.names[0] !== undefined) return { [filter.names[0]]: filter.value }
  if (filter.op !== 'and') return undefined
  const each = filter.filters.map(describedBy)
  return each.every((one) => one !== undefined) ? Object.assign({}, ...each) : undefined
}
