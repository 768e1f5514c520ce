import { isPlaceholderSsn, normalizedSsn, ssnProblem } from '#contract/fields/ssn-rules.ts'
import type { ScimReason } from '#contract/scim/scim.ts'
import { Problem } from '#server/platform/problem.ts'
import { type Attribute, findAttribute } from './user-schema.ts'

export type Json = Record<string, unknown>
/** An attribute that was left out, and why: never its value. */
export interface Note {
  attribute: string
  reason: ScimReason
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const maxText = 1000
/** Of one attribute, however they come. */
export const maxValues = 50

/** Directories send `roles` and entitlements; only people here give access (product-rules 15). */
const grants = new Set(['roles', 'entitlements', 'groups'])
const ofProtocol = new Set(['schemas', 'id', 'meta'])
const nameOf = (written: string) => written.replaceAll(/[^\w:.$-]/g, '').slice(0, 100)

/** Also in the short form, with the hyphen that tells it from other numbers. */
const isPersonalNumber = (text: string) =>
  !isPlaceholderSsn(text) &&
  [text, ...(/^\s*\d{6}[-+]\d{4}\s*$/.test(text) ? [`19${text.replace('+', '-')}`, `20${text}`] : [])].some(
    (one) => ssnProblem(normalizedSsn(one)) === undefined,
  )

/**
 * Reads the attributes of a resource as directories write them: names in any case, `"True"` for a boolean, a text where an
 * object is meant, null for nothing, a single value where several are meant.
 *
 * @param notes gets what is left out
 */
export function readAttributes(
  attributes: Readonly<Record<string, Attribute>>,
  body: Json,
  notes: Note[],
  inside = '',
): Json {
  const read: Json = {}
  for (const [written, value] of Object.entries(body)) {
    if (inside === '' && ofProtocol.has(written.toLowerCase())) continue
    const found = findAttribute(attributes, written)
    if (!found) {
      notes.push({ attribute: inside + nameOf(written), reason: reasonOf(written, inside) })
      continue
    }
    const [name, attribute] = found
    const kept = readValue(attribute, value, notes, inside + name)
    if (kept !== undefined) read[name] = kept
  }
  return read
}

const reasonOf = (written: string, inside: string): ScimReason =>
  inside === '' && grants.has(written.toLowerCase()) ? 'grantsNothing' : 'unknown'

/** Reads one value. @returns undefined for none, and for one that is left out */
export function readValue(attribute: Attribute, value: unknown, notes: Note[], path: string): unknown {
  const refuse = (reason: ScimReason) => {
    notes.push({ attribute: path, reason })
    return undefined
  }
  if (value === null || value === undefined || value === '') return undefined
  if (attribute.many) {
    const list = (Array.isArray(value) ? value : [value]).slice(0, maxValues)
    const read = list.map((one) => readValue({ ...attribute, many: false }, one, notes, path))
    const kept = read.filter((one) => one !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  // Entra wraps a single value into a list now and then.
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (attribute.kind === 'boolean') return readBoolean(single) ?? refuse('wrongType')
  if (attribute.kind === 'complex') {
    const parts = isObject(single) ? single : typeof single === 'string' ? { value: single } : undefined
    const read = parts && readAttributes(attribute.parts ?? {}, parts, notes, `${path}.`)
    if (!read) return refuse('wrongType')
    return Object.keys(read).length > 0 ? read : undefined
  }
  const text = typeof single === 'number' ? String(single) : single
  if (typeof text !== 'string') return refuse('wrongType')
  if (isPersonalNumber(text)) return refuse('personalNumber')
  if (text.length > (attribute.most ?? maxText) || text.includes('\u0000') || !text.isWellFormed())
    throw new Problem(400, 'scimInvalidValue')
  return text
}

/** Entra sends `"True"` and `"False"`: a text that counts as true would leave somebody active who has left. */
function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}
