import { isDeepStrictEqual } from 'node:util'
import { Problem } from '#server/platform/problem.ts'
import { describedBy, matches } from './matches.ts'
import { type Path, readPath } from './path.ts'
import { type Attribute, findAttribute, isOfServer } from './schema.ts'
import { isObject, type Json, maxValues, type Note, nameOf, readValue } from './value.ts'

const maxOperations = 1000
/** In characters. */
const maxPath = 1000
/** Of all paths of a request together, in characters: each is read twice, and asked of up to 50 values. */
const maxPaths = 100_000

/** One operation as the directory wrote it. */
export interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

/**
 * Reads the operations of a PATCH (RFC 7644, 3.5.2), whatever the case of `op`, as Entra writes it.
 *
 * @throws Problem 400
 */
export function readOperations(body: Json): Operation[] {
  const [, list] = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations') ?? []
  if (!Array.isArray(list) || list.length === 0) throw new Problem(400, 'scimInvalidSyntax')
  const operations = list.map((one: unknown): Operation => {
    const op = isObject(one) && typeof one.op === 'string' ? one.op.toLowerCase() : ''
    if (!isObject(one) || (op !== 'add' && op !== 'replace' && op !== 'remove'))
      throw new Problem(400, 'scimInvalidSyntax')
    const { path = null } = one
    if (path !== null && (typeof path !== 'string' || path.length > maxPath)) throw new Problem(400, 'scimInvalidPath')
    return { op, path: path || undefined, value: one.value }
  })
  checkSize(operations)
  return operations
}

function checkSize(operations: readonly Operation[]): void {
  const length = operations.reduce((sum, { path = '' }) => sum + path.length, 0)
  if (operations.length > maxOperations || length > maxPaths) throw new Problem(400, 'scimInvalidSyntax')
}

/** Changes a resource by the operations of a PATCH. @returns the resource afterwards */
export function patchResource(
  attributes: Readonly<Record<string, Attribute>>,
  before: Json,
  operations: readonly Operation[],
  notes: Note[],
): Json {
  const after = structuredClone(before)
  const single = operations.flatMap((one) => withPaths(attributes, one))
  checkSize(single)
  for (const operation of single) apply(attributes, after, operation, notes)
  return after
}

/** An operation without a path has an object, whose names are paths (`{"name.givenName": "…"}`). */
function withPaths(attributes: Readonly<Record<string, Attribute>>, operation: Operation): Operation[] {
  const { op, path, value } = operation
  if (path !== undefined) return [operation]
  if (!isObject(value)) throw noPath(op)
  return Object.entries(value).flatMap(([name, one]): Operation[] => {
    if (isOfServer(name)) return []
    // An object changes the parts that it has, and no others.
    const [found, attribute] = findAttribute(attributes, name) ?? []
    if (attribute?.kind === 'complex' && !attribute.many && isObject(one))
      return Object.entries(one).map(([part, inner]) => ({ op, path: `${found}${joint(found)}${part}`, value: inner }))
    return [{ op, path: name, value: one }]
  })
}

/** RFC 7644, 3.5.2.2. */
export const noPath = (op: Operation['op']): Problem =>
  new Problem(400, op === 'remove' ? 'scimNoTarget' : 'scimInvalidValue')

const joint = (name = '') => (name.startsWith('urn:') ? ':' : '.')

function apply(
  attributes: Readonly<Record<string, Attribute>>,
  resource: Json,
  { op, path: written = '', value }: Operation,
  notes: Note[],
): void {
  if (isOfServer(written)) throw new Problem(400, 'scimMutability')
  const path = readPath(attributes, written)
  if (!path) {
    notes.push({ attribute: nameOf(written), reason: 'unknown' })
    return
  }
  if (path.attribute.many) changeList(resource, path, op, value, notes)
  else changeSingle(resource, path, op, value, notes)
}

function changeSingle(resource: Json, { attribute, names }: Path, op: Operation['op'], value: unknown, notes: Note[]) {
  const [name = '', ...inner] = names
  if (op === 'remove' && (attribute.strict || name === 'userName')) throw new Problem(400, 'scimMutability')
  const target = inner.length > 0 ? partOf(resource, name, inner.slice(0, -1)) : resource
  const last = inner.at(-1) ?? name
  const read = op === 'remove' ? undefined : readValue(attribute, value, notes, names.join('.'))
  const isRefused = read === undefined && op !== 'remove' && value !== null && value !== ''
  // A value that is left out changes nothing.
  if (isRefused) return
  // What a value with parts does not name stays (RFC 7644, 3.5.2.1 and 3.5.2.3).
  const isMerged = attribute.kind === 'complex' && isObject(read) && isObject(target[last])
  if (read === undefined) delete target[last]
  else target[last] = isMerged ? { ...(target[last] as Json), ...(read as Json) } : read
  removeEmpty(resource, name)
}

/** The object of a part, made where there is none. */
function partOf(resource: Json, name: string, inner: readonly string[]): Json {
  let target = resource
  for (const step of [name, ...inner]) {
    if (!isObject(target[step])) target[step] = {}
    target = target[step] as Json
  }
  return target
}

function removeEmpty(resource: Json, name: string): void {
  const value = resource[name]
  if (!isObject(value)) return
  for (const part of Object.keys(value)) removeEmpty(value, part)
  if (Object.keys(value).length === 0) delete resource[name]
}

function changeList(resource: Json, path: Path, op: Operation['op'], value: unknown, notes: Note[]): void {
  const { attribute, names, filter, part } = path
  const [name = ''] = names
  const present = (Array.isArray(resource[name]) ? resource[name] : []) as Json[]
  const isMeant = (one: Json) => !filter || matches(one, filter)
  let next: Json[]
  if (part !== undefined || filter) {
    next = changeChosen(present, path, isMeant, op, value, notes)
  } else if (op === 'remove') {
    // Without a value everything; Entra sends those that are meant as a list.
    const gone = Array.isArray(value) ? readValue(attribute, value, [], name) : undefined
    next = gone ? present.filter((one) => !(gone as Json[]).some((sent) => isOne(sent, one))) : []
  } else {
    const read = (readValue(attribute, value, notes, name) ?? []) as Json[]
    next = op === 'replace' ? read : [...present.filter((one) => !read.some((sent) => isOne(sent, one))), ...read]
  }
  // Each operation compares with all that are there: without a limit a directory would hold up everybody else.
  if (next.length > maxValues) throw new Problem(400, 'scimInvalidValue')
  if (next.length > 0) resource[name] = onePrimary(next, present)
  else delete resource[name]
}

/** `emails[type eq "work"].value`, `emails[type eq "work"]`, `emails.value`. */
function changeChosen(
  present: readonly Json[],
  { attribute, names, filter, part }: Path,
  isMeant: (one: Json) => boolean,
  op: Operation['op'],
  value: unknown,
  notes: Note[],
): Json[] {
  const path = part === undefined ? names.join('.') : `${names.join('.')}.${part}`
  if (op === 'remove') {
    if (part === undefined) return present.filter((one) => !isMeant(one))
    const without = present.map((one) => (isMeant(one) ? { ...one, [part]: undefined } : one))
    return without.map(withoutUndefined).filter((one) => part !== 'value' || one.value !== undefined)
  }
  const single = { ...attribute, many: false }
  const read =
    part === undefined
      ? readValue(single, value, notes, path)
      : readValue(attribute.parts?.[part] ?? single, value, notes, path)
  if (read === undefined) return [...present]
  const change = part === undefined ? (read as Json) : { [part]: read }
  // Where there is none yet, a filter of `eq` says what the new one is: what Entra means, and RFC 7644 calls noTarget.
  if (!present.some(isMeant)) {
    const described = filter ? describedBy(filter) : {}
    if (!described) throw new Problem(400, 'scimNoTarget')
    const added = readValue(single, { ...described, ...change }, notes, names.join('.'))
    return added === undefined ? [...present] : [...present, added as Json]
  }
  return present.map((one) => (isMeant(one) ? { ...one, ...change } : one))
}

const withoutUndefined = (one: Json): Json =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined))
const isSame = (one: unknown, other: unknown) =>
  typeof one === 'string' && typeof other === 'string' ? one.toLowerCase() === other.toLowerCase() : one === other

/** Whether a sent value is one that is there. Postal addresses have no value: they are compared as a whole. */
const isOne = (sent: Json, one: Json) =>
  sent.value === undefined && one.value === undefined ? isDeepStrictEqual(sent, one) : isSame(sent.value, one.value)

/** At most one value is the primary one: the newest (RFC 7643, 2.4). */
function onePrimary(next: readonly Json[], before: readonly Json[]): Json[] {
  const primary = next.filter((one) => one.primary === true)
  if (primary.length < 2) return [...next]
  const newest =
    primary.find((one) => !before.some((old) => old.primary === true && isSame(old.value, one.value))) ?? primary[0]
  return next.map((one) => (one.primary === true && one !== newest ? { ...one, primary: false } : one))
}
