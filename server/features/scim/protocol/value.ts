import type { ScimReason } from '#contract/scim/scim.ts'
import { Problem } from '#server/platform/problem.ts'
import { hasPersonalNumber } from './personal-number.ts'
import { type Attribute, findAttribute } from './schema.ts'

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

/** A name as the log has it: what follows a bracket may be a value, and so may the name itself. */
export function nameOf(written: string): string {
  const [name = ''] = written.slice(0, 200).split('[')
  return hasPersonalNumber(name) ? '?' : name.replaceAll(/[^\w:.$-]/g, '').slice(0, 100)
}

/** Whether the database takes a text. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

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
  if (attribute.strict) return readStrictly(value)
  if (value === null || value === undefined || value === '') return undefined
  if (attribute.many) {
    const list = (Array.isArray(value) ? value : [value]).slice(0, maxValues)
    const read = list.map((one) => readValue({ ...attribute, many: false }, one, notes, path))
    const kept = read.filter((one) => one !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  const single = unwrapped(value)
  if (attribute.kind === 'boolean') return readBoolean(single) ?? refuse('wrongType')
  if (attribute.kind === 'complex') {
    const parts = isObject(single) ? single : typeof single === 'string' ? { value: single } : undefined
    const read = parts && readAttributes(attribute.parts ?? {}, parts, notes, `${path}.`)
    if (!read) return refuse('wrongType')
    return Object.keys(read).length > 0 ? read : undefined
  }
  const text = typeof single === 'number' ? String(single) : single
  if (typeof text !== 'string') return refuse('wrongType')
  if (text.length > (attribute.most ?? maxText) || !isStorable(text)) throw new Problem(400, 'scimInvalidValue')
  return hasPersonalNumber(text) ? refuse('personalNumber') : text
}

/** Entra wraps a single value into a list now and then. */
const unwrapped = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value)

/** What is in doubt must not pass for yes: somebody who has left would stay in, or come back. */
function readStrictly(value: unknown): boolean {
  const flag = readBoolean(unwrapped(value))
  if (flag === undefined) throw new Problem(400, 'scimInvalidValue')
  return flag
}

/** Entra sends `"True"` and `"False"`: a text that counts as true would leave somebody active who has left. */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}
