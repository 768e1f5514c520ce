import * as z from 'zod/mini'
import { hasControls } from '#contract/fields/names.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Operation } from '../patch-resource.ts'
import { isObject, type Json, type Note, readValue } from '../read-value.ts'
import { coreGroup, groupAttributes } from '../user-schema.ts'

/** How a request changes a group: only what is named. */
export interface GroupChange {
  displayName?: string
  externalId?: string | null
  /** In their order: these in or out; without ids, everybody out. */
  members: { op: 'add' | 'remove'; ids: string[] | undefined }[]
}

/** In a group, and in one operation. */
export const maxMembers = 10_000
const uuid = z.uuid()

/** A whole group, as a POST or PUT sends it. */
export function readGroup(body: Json, notes: Note[]): GroupChange & { displayName: string } {
  const change: GroupChange = { members: [{ op: 'remove', ids: undefined }], externalId: null }
  for (const [path, value] of Object.entries(body)) read(change, { op: 'add', path, value }, notes)
  if (change.displayName === undefined) throw new Problem(400, 'scimInvalidValue')
  return { ...change, displayName: change.displayName }
}

/** The operations of a PATCH. One without a path has an object, whose names are paths. */
export function readGroupPatch(operations: readonly Operation[], notes: Note[]): GroupChange {
  const change: GroupChange = { members: [] }
  for (const operation of operations) {
    const { op, path, value } = operation
    if (path !== undefined) read(change, operation, notes)
    else if (!isObject(value)) throw new Problem(400, op === 'remove' ? 'scimInvalidPath' : 'scimInvalidValue')
    else for (const [name, one] of Object.entries(value)) read(change, { op, path: name, value: one }, notes)
  }
  return change
}

function read(change: GroupChange, { op, path = '', value }: Operation, notes: Note[]): void {
  const prefix = `${coreGroup}:`.toLowerCase()
  const attribute = path.toLowerCase().startsWith(prefix) ? path.slice(prefix.length) : path
  switch (attribute.toLowerCase()) {
    case 'schemas':
    case 'id':
    case 'meta':
      return
    case 'displayname':
      change.displayName = readName(op === 'remove' ? undefined : value, notes)
      return
    case 'externalid':
      change.externalId = (op === 'remove' ? undefined : readText('externalId', value, notes)) ?? null
      return
    case 'members':
      readMembers(change, op, value)
      return
    default: {
      const [, id] = /^members\[\s*value\s+eq\s+"([^"\\]*)"\s*\]$/i.exec(attribute) ?? []
      if (id !== undefined && op === 'remove') change.members.push({ op, ids: [id.toLowerCase()] })
      // Whom a request takes out, and it is not understood, would stay in.
      else if (/^members\W/i.test(attribute)) throw new Problem(400, 'scimInvalidPath')
      else notes.push({ attribute: nameIn(path), reason: 'unknown' })
    }
  }
}

/** What follows a bracket may be a value. */
const nameIn = (path: string) => path.replaceAll(/\[.*|[^\w:.$-]/gs, '').slice(0, 100)

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

/**
 * Who is in the group afterwards.
 *
 * @param isKnown whether an id is of somebody of this directory
 * @returns also whether somebody was named who is not: of another directory, or of none
 */
export function membersAfter(
  before: ReadonlySet<string>,
  { members }: GroupChange,
  isKnown: (id: string) => boolean,
): { after: Set<string>; hasUnknown: boolean } {
  const after = new Set(before)
  let hasUnknown = false
  for (const { op, ids } of members) {
    if (ids === undefined) after.clear()
    else
      for (const id of ids) {
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
