import * as z from 'zod/mini'
import { hasControls } from '#contract/fields/names.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Filter } from './filter-tree.ts'
import { matches } from './matches.ts'
import { noPath, type Operation } from './patch.ts'
import { readPath } from './path.ts'
import { coreGroup, groupAttributes, isOfServer } from './schema.ts'
import { isObject, type Json, type Note, nameOf, readValue } from './value.ts'

/** How a request changes a group: only what is named. */
export interface GroupChange {
  displayName?: string
  externalId?: string | null
  /** In their order: these in or out; without ids, everybody out, or whom the filter finds. */
  members: { op: 'add' | 'remove'; ids?: string[] | undefined; filter?: Filter | undefined }[]
}

/** In a group, and in one operation. */
export const maxMembers = 10_000
/** Filters of one request by something else than ids: each looks at all members. */
const maxSearches = 3
const uuid = z.uuid()

/** A whole group, as a POST or PUT sends it. */
export function readGroup(body: Json, notes: Note[]): GroupChange & { displayName: string } {
  const change: GroupChange = { members: [{ op: 'remove', ids: undefined }], externalId: null }
  for (const [path, value] of ofDirectory(body)) read(change, { op: 'add', path, value }, notes)
  if (change.displayName === undefined) throw new Problem(400, 'scimInvalidValue')
  return { ...change, displayName: change.displayName }
}

/** The operations of a PATCH. One without a path has an object, whose names are paths. */
export function readGroupPatch(operations: readonly Operation[], notes: Note[]): GroupChange {
  const change: GroupChange = { members: [] }
  for (const operation of operations) {
    const { op, path, value } = operation
    if (path !== undefined) read(change, operation, notes)
    else if (!isObject(value)) throw noPath(op)
    else for (const [name, one] of ofDirectory(value)) read(change, { op, path: name, value: one }, notes)
  }
  return change
}

/** Okta sends the id, too. */
const ofDirectory = (body: Json) => Object.entries(body).filter(([name]) => !isOfServer(name))

function read(change: GroupChange, { op, path = '', value }: Operation, notes: Note[]): void {
  const prefix = `${coreGroup}:`.toLowerCase()
  const attribute = path.toLowerCase().startsWith(prefix) ? path.slice(prefix.length) : path
  if (isOfServer(attribute)) throw new Problem(400, 'scimMutability')
  switch (attribute.toLowerCase()) {
    case 'displayname':
      if (op === 'remove') throw new Problem(400, 'scimMutability')
      change.displayName = readName(value, notes)
      return
    case 'externalid':
      change.externalId = (op === 'remove' ? undefined : readText('externalId', value, notes)) ?? null
      return
    case 'members':
      readMembers(change, op, value)
      return
    default:
      if (/^members\W/i.test(attribute)) readChosen(change, op, attribute)
      else notes.push({ attribute: nameOf(path), reason: 'unknown' })
  }
}

/** `members[value eq "…"]`. Whom a request takes out, and it is not understood, would stay in. */
function readChosen({ members }: GroupChange, op: Operation['op'], written: string): void {
  const { filter, part } = readPath(groupAttributes, written) ?? {}
  if (op !== 'remove' || !filter || part !== undefined) throw new Problem(400, 'scimInvalidPath')
  const ids = idsIn(filter)
  members.push({ op, ...(ids ? { ids } : { filter }) })
  if (members.filter((one) => one.filter).length > maxSearches) throw new Problem(400, 'scimInvalidPath')
}

/** Of a filter that asks for ids alone, as directories do. */
function idsIn(filter: Filter): string[] | undefined {
  if (filter.op === 'eq' && filter.names[0] === 'value') return [String(filter.value).toLowerCase()]
  const each = filter.op === 'or' ? filter.filters.map(idsIn) : [undefined]
  return each.every((ids) => ids !== undefined) ? each.flat() : undefined
}

const readText = (name: 'displayName' | 'externalId', value: unknown, notes: Note[]) =>
  readValue(groupAttributes[name], value, notes, name) as string | undefined

function readName(value: unknown, notes: Note[]): string {
  const name = readText('displayName', value, notes)
  if (name === undefined || name.trim() === '' || hasControls(name)) throw new Problem(400, 'scimInvalidValue')
  return name
}

/** `{value}`, with the name in any case, or the id alone. */
function readId(entry: unknown): string {
  const id = isObject(entry) ? Object.entries(entry).find(([name]) => name.toLowerCase() === 'value')?.[1] : entry
  if (typeof id !== 'string' || id === '') throw new Problem(400, 'scimInvalidValue')
  return id.toLowerCase()
}

/** Entra removes by a list of values; Okta replaces by all, or by none. */
function readMembers({ members }: GroupChange, op: Operation['op'], value: unknown): void {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? undefined : [value]
  if (list && list.length > maxMembers) throw new Problem(400, 'scimInvalidValue')
  const ids = list?.map(readId)
  if (op !== 'add') members.push({ op: 'remove', ids: op === 'remove' ? ids : undefined })
  if (op !== 'remove') members.push({ op: 'add', ids: ids ?? [] })
}

/** Somebody in a group, as filters see them. */
export interface Member {
  value: string
  display: string
  $ref: string
  type: 'User'
}

/**
 * Who is in the group afterwards.
 *
 * @param isKnown whether an id is of somebody of this directory
 * @param describe what filters see of somebody
 * @returns also whether somebody was named who is not: of another directory, or of none
 */
export function membersAfter(
  before: ReadonlySet<string>,
  { members }: GroupChange,
  { isKnown, describe }: { isKnown: (id: string) => boolean; describe: (id: string) => Member },
): { after: Set<string>; hasUnknown: boolean } {
  const after = new Set(before)
  let hasUnknown = false
  for (const { op, ids, filter } of members) {
    const gone = filter ? [...after].filter((id) => matches({ ...describe(id) }, filter)) : ids
    if (gone === undefined) after.clear()
    else
      for (const id of gone) {
        if (op === 'remove') after.delete(id)
        else if (isKnown(id)) after.add(id)
        else hasUnknown = true
      }
  }
  return { after, hasUnknown }
}

/** The ids that a request puts in. What is no id is nobody's. */
export const namedIn = ({ members }: GroupChange): string[] => [
  ...new Set(
    members.flatMap(({ op, ids = [] }) => (op === 'add' ? ids : [])).filter((id) => uuid.safeParse(id).success),
  ),
]
