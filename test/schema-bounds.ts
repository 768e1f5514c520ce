import type { $ZodType } from 'zod/v4/core'

interface Check {
  check: string
  abort?: boolean
  format?: string
  pattern?: RegExp
}
type Def = Record<string, unknown> & { type: string; checks?: { _zod: { def: Check } }[] }

/** What a schema lets in without a bound, or reads before its bound. */
export interface Unbounded {
  path: string
  why: string
}

/** Types in which nothing is left to bound. */
const closed = ['enum', 'literal', 'boolean', 'null', 'undefined', 'never', 'transform']
const wrappers = ['optional', 'nullable', 'default', 'prefault', 'readonly', 'nonoptional', 'catch']

/** Walks what callers may send: texts and lists without a length, numbers without a range, any keys, anything at all. */
export function unboundedIn(schema: unknown, path = ''): Unbounded[] {
  const def = (schema as $ZodType)._zod.def as unknown as Def
  const inside = (part: unknown, step = '') => unboundedIn(part, path + step)
  const found = (why: string | undefined) => (why ? [{ path, why }] : [])
  if (closed.includes(def.type)) return []
  if (wrappers.includes(def.type)) return inside(def.innerType)
  switch (def.type) {
    case 'string':
      return found(longText(def))
    case 'number':
    case 'int':
      return found(largeNumber(def))
    case 'array':
      return [...found(late(checksOf(def))), ...inside(def.element, '[]')]
    case 'object':
      // Without a catch-all, what is not declared is refused or left out unread.
      return [
        ...(def.catchall ? inside(def.catchall, '.*') : []),
        ...Object.entries(def.shape as object).flatMap(([name, part]) => inside(part, `.${name}`)),
      ]
    case 'union':
      return (def.options as unknown[]).flatMap((part) => inside(part))
    case 'pipe':
      return inside(def.in)
    default:
      return found(`${def.type} has no bound`)
  }
}

const checksOf = ({ checks = [] }: Def) => checks.map((check) => check._zod.def)

/** Formats whose pattern has no room for a long text. */
const ofFixedLength = ['uuid', 'date']

function longText(def: Def): string | undefined {
  if (ofFixedLength.includes(def.format as string)) return undefined
  const checks = checksOf(def)
  // Its pattern is the check that comes first, and is linear (`linear-patterns.test.ts`).
  if (def.format === 'datetime') return checks.some(isLimit) ? undefined : 'no length'
  return late(checks)
}

/** The length comes before every other check, which is not made when the text or list is too long. */
function late(checks: Check[]): string | undefined {
  const [first, ...others] = checks
  if (!first || !(isLimit(first) || (first.pattern && isShort(first.pattern))))
    return 'its length is not the first check'
  return others.length === 0 || first.abort ? undefined : 'what is too long is read by other checks'
}

const isLimit = ({ check }: Check) => check === 'max_length' || check === 'length_equals'

/** Anchored, and without a repetition that has no end. */
const isShort = ({ source, multiline }: RegExp) =>
  source.startsWith('^') && source.endsWith('$') && !multiline && !/[*+]|\{\d+,\}/.test(source)

function largeNumber(def: Def): string | undefined {
  const checks = checksOf(def).map(({ check }) => check)
  // Integers are safe ones.
  return def.format === 'safeint' || (checks.includes('less_than') && checks.includes('greater_than'))
    ? undefined
    : 'no range'
}
