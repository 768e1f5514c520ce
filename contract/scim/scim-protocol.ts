import * as z from 'zod/mini'
import type { JsonBounds } from '#contract/body-limits.ts'
import { id, text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** SCIM has its own schemas, which the room reads: what is unknown is left out and logged, not refused (RFC 7643, 7644). */
const json = z.record(z.string(), z.unknown())
const params = z.strictObject({ id })
/** A directory may ask with whatever names, and not with however many. */
const query = json.check(
  z.refine((asked) => Object.keys(asked).length <= 50),
  z.refine((asked) => Object.values(asked).every((one) => typeof one !== 'string' || one.length <= 4000)),
)
/** Every call has these. */
const ofDirectory = { access: 'scim', callLimit: 'scim', query: z.optional(query) } as const

/** A group has 10,000 members of four parts each; a text that is left out, such as a photo, is longer than any that is kept. */
export const scimBounds: JsonBounds = {
  ...{ depth: 10, names: 1000, values: 20_000, altogether: 100_000 },
  ...{ name: 500, text: 200_000 },
}

/** A resource of any directory is far smaller; a group of 5,000 members is 500 KB. */
const bodyLimit = 2 * 1024 * 1024
const change = {
  params,
  input: json,
  answer: json,
  body: 'scim',
  bodyLimit,
  bounds: scimBounds,
  atomic: false,
} as const
/** What may follow from what a directory says about somebody. */
const audit = {
  many: ['deleteUser', 'createUser', 'inviteUser', 'removeUser', 'restoreUser', 'updateUser', 'updateGroupMembers'],
} as const

/** SCIM 2.0 for the directory of one organisation, the one of the token. */
export const scimUsers = {
  list: route('GET /scim/v2/Users', {
    summary: "The directory's people, with a filter",
    ...ofDirectory,
    answer: json,
  }),
  create: route('POST /scim/v2/Users', {
    ...change,
    params: z.optional(z.strictObject({})),
    summary: 'Adds a person of the directory, who becomes a member or is invited',
    ...ofDirectory,
    status: 201,
    audit,
  }),
  read: route('GET /scim/v2/Users/{id}', {
    summary: 'A person of the directory, also an inactive one',
    ...ofDirectory,
    params,
    answer: json,
  }),
  replace: route('PUT /scim/v2/Users/{id}', {
    ...change,
    summary: 'Replaces what the directory says of a person',
    ...ofDirectory,
    audit,
  }),
  patch: route('PATCH /scim/v2/Users/{id}', {
    ...change,
    summary: 'Changes what the directory says of a person',
    ...ofDirectory,
    audit,
  }),
  remove: route('DELETE /scim/v2/Users/{id}', {
    summary: 'Forgets a person of the directory, whose membership ends; never an account',
    ...ofDirectory,
    params,
    answer: 'nothing',
    atomic: false,
    audit,
  }),
}

/** The directory's groups; what they give is for people here to decide. */
export const scimGroups = {
  list: route('GET /scim/v2/Groups', {
    summary: "The directory's groups, with a filter",
    ...ofDirectory,
    answer: json,
  }),
  create: route('POST /scim/v2/Groups', {
    ...change,
    params: z.optional(z.strictObject({})),
    summary: 'Adds a group of the directory',
    ...ofDirectory,
    status: 201,
    audit: { many: ['updateGroupMembers', 'mapDirectoryGroup'] },
  }),
  read: route('GET /scim/v2/Groups/{id}', {
    summary: 'A group of the directory',
    ...ofDirectory,
    params,
    answer: json,
  }),
  replace: route('PUT /scim/v2/Groups/{id}', {
    ...change,
    summary: 'Replaces a group of the directory',
    ...ofDirectory,
    audit: { many: ['updateGroupMembers', 'mapDirectoryGroup'] },
  }),
  patch: route('PATCH /scim/v2/Groups/{id}', {
    ...change,
    summary: 'Changes a group of the directory, and who is in it',
    ...ofDirectory,
    answer: 'nothing',
    audit: { many: ['updateGroupMembers', 'mapDirectoryGroup'] },
  }),
  remove: route('DELETE /scim/v2/Groups/{id}', {
    summary: 'Forgets a group of the directory; what it gave ends',
    ...ofDirectory,
    params,
    answer: 'nothing',
    atomic: false,
    audit: { many: ['updateGroupMembers', 'mapDirectoryGroup'] },
  }),
}

/** What a directory can ask about the server itself. */
export const scimDiscovery = {
  config: route('GET /scim/v2/ServiceProviderConfig', {
    summary: 'What this server supports of SCIM',
    ...ofDirectory,
    answer: json,
  }),
  resourceTypes: route('GET /scim/v2/ResourceTypes', {
    summary: 'The kinds of resources',
    ...ofDirectory,
    answer: json,
  }),
  resourceType: route('GET /scim/v2/ResourceTypes/{name}', {
    summary: 'One kind of resource',
    ...ofDirectory,
    params: z.strictObject({ name: text(200) }),
    answer: json,
  }),
  schemas: route('GET /scim/v2/Schemas', {
    summary: 'The attributes of the resources',
    ...ofDirectory,
    answer: json,
  }),
  schema: route('GET /scim/v2/Schemas/{name}', {
    summary: 'The attributes of one schema',
    ...ofDirectory,
    params: z.strictObject({ name: text(200) }),
    answer: json,
  }),
}
