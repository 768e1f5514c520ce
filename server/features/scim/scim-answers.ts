import { Problem } from '#server/platform/problem.ts'
import type { ScimGroup } from './groups/scim-groups.repository.ts'
import type { Member } from './protocol/group.ts'
import { groupLocation, userLocation } from './protocol/locations.ts'
import { coreGroup, coreUser, enterpriseUser } from './protocol/schema.ts'
import { type Json, type Note, nameOf } from './protocol/value.ts'
import type { ScimUser } from './scim-users.repository.ts'

export const maxCount = 200
const listResponse = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** What a directory calls. */
export const scimAddress = ({ baseUrl }: { baseUrl: string }) => `${baseUrl}/scim/v2`
export const etagOf = ({ version }: { version: number }) => `W/"${version}"`

/** A person as the directory sent them. */
export function asScimUser(baseUrl: string, user: ScimUser): Json {
  const { scimUserId, userName, externalId, active, attributes, createdAt, updatedAt } = user
  return {
    schemas: [coreUser, ...(attributes[enterpriseUser] ? [enterpriseUser] : [])],
    id: scimUserId,
    ...(externalId !== null && { externalId }),
    userName,
    ...attributes,
    active,
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: userLocation(baseUrl, scimUserId),
      version: etagOf(user),
    },
  }
}

export const asList = (
  resources: readonly Json[],
  { total, startIndex }: { total: number; startIndex: number },
): Json => ({
  schemas: [listResponse],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const known = ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes'].map((name) => name.toLowerCase())
/** The names in a query that mean nothing here; they are ignored, and the log has them. */
export const unknownNames = (query: Json = {}): Note[] =>
  Object.keys(query)
    .filter((name) => !known.includes(name.toLowerCase()))
    .slice(0, 20)
    .map((name) => ({ attribute: /^[a-z$][\w.:$-]{0,60}$/i.test(name) ? nameOf(name) : '?', reason: 'unknown' }))

/** Where a list begins and how long it is; names of parameters that are not known count for nothing. */
export function readPage(query: Json): { startIndex: number; count: number } {
  return {
    startIndex: Math.max(1, wholeNumber(query.startIndex) ?? 1),
    count: Math.min(maxCount, Math.max(0, wholeNumber(query.count) ?? maxCount)),
  }
}

function wholeNumber(written: unknown): number | undefined {
  if (written === undefined || written === '') return undefined
  if (typeof written !== 'string' || !/^-?[0-9]{1,9}$/.test(written)) throw new Problem(400, 'scimInvalidValue')
  return Number(written)
}

const always = ['schemas', 'id', 'meta']

/** `attributes` and `excludedAttributes` (RFC 7644, 3.9), by whole attributes. */
export function project(resource: Json, { attributes, excludedAttributes }: Json): Json {
  const wanted = namesIn(attributes)
  const unwanted = namesIn(excludedAttributes)
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      if (always.includes(name)) return true
      const outer = name.toLowerCase()
      const isNamed = (names: Set<string>) => names.has(outer) || [...names].some((one) => isPartOf(one, outer))
      return wanted.size > 0 ? isNamed(wanted) : !unwanted.has(outer)
    }),
  )
}

const isPartOf = (named: string, outer: string) => named.startsWith(`${outer}.`) || named.startsWith(`${outer}:`)
const namesIn = (written: unknown) =>
  new Set(
    (typeof written === 'string' ? written.slice(0, 2000) : '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, ''))
      .filter((name) => name !== ''),
  )

/** @throws Problem 412 where `If-Match` names another version (RFC 7644, 3.14) */
export function checkMatch(header: string | undefined, resource: { version: number }): void {
  if (header === undefined || header.trim() === '*') return
  const wanted = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!wanted.includes(`"${resource.version}"`)) throw new Problem(412, 'changedByOthers')
}

/** Whether an answer has the members: Entra asks without them. */
export const namesMembers = (query: Json): boolean => 'members' in project({ members: [] }, query)

/** Somebody in a group. */
export const asMember = (
  baseUrl: string,
  { scimUserId, userName }: { scimUserId: string; userName: string },
): Member => ({
  value: scimUserId,
  display: userName,
  $ref: userLocation(baseUrl, scimUserId),
  type: 'User',
})

/** A group as the directory sent it. */
export function asScimGroup(
  baseUrl: string,
  group: ScimGroup,
  members: readonly { scimUserId: string; userName: string }[],
): Json {
  const { scimGroupId, displayName, externalId, createdAt, updatedAt } = group
  return {
    schemas: [coreGroup],
    id: scimGroupId,
    ...(externalId !== null && { externalId }),
    displayName,
    members: members.map((member) => asMember(baseUrl, member)),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: groupLocation(baseUrl, scimGroupId),
      version: etagOf(group),
    },
  }
}
