import * as z from 'zod/mini'
import { id, paged, timestamp, wholeNumber } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { directoryGroup, directoryGroupDecision } from './directory-groups.ts'

/** How many tokens an organisation has at once: the old one and the new one, while the directory is changed over. */
export const maxScimTokens = 2
/** For how many days a token may be made. */
export const scimTokenDays = ['90', '180', '365', '730'] as const
/** How many days before its end the admins are mailed. */
export const scimTokenWarnings = [1, 7, 30] as const

/** For how many days one works that the IT makes by a set-up link. */
export const setupTokenDays = 365

export const scimTokenForm = z.strictObject({ name: requiredName(80), days: z.enum(scimTokenDays) })
export type ScimTokenForm = z.infer<typeof scimTokenForm>
export const scimTokenLabels: FieldLabels<ScimTokenForm> = { name: 'scimTokenName', days: 'scimTokenDays' }

/** A token without its value. */
export const scimToken = z.object({
  tokenId: id,
  name: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: z.nullable(timestamp),
  /** Who made it, or the set-up link. Null: somebody who works for the operator, or whose account is gone. */
  madeBy: z.nullable(z.string()),
  byOperator: z.boolean(),
  byLink: z.boolean(),
  /** Who answers for it may decide everything here today. Otherwise it brings in nobody and changes nobody with rights. */
  stands: z.boolean(),
})
export type ScimToken = z.infer<typeof scimToken>

/** The directory of an organisation, as its admins see it. */
export const directoryState = z.object({
  organizationId: id,
  name: z.string(),
  /** What the directory calls. */
  address: z.string(),
  tokens: z.array(scimToken),
  /** The mail domains in which new people become members at once; all others are invited. */
  domains: z.array(z.string()),
  people: z.int(),
  active: z.int(),
})
export type DirectoryState = z.infer<typeof directoryState>

/** What a request led to. */
export const scimDeeds = [
  'stored',
  'changed',
  'unchanged',
  'removed',
  'opened',
  'linked',
  'invited',
  'restored',
  'ended',
  'withdrawn',
  'updated',
  'moved',
  'waits',
  'unconfirmed',
  'untouched',
  'lastAdmin',
  'withoutPower',
  'noSeat',
  'members',
  'holders',
] as const
export type ScimDeed = (typeof scimDeeds)[number]

/** Why an attribute was left out, or did not reach the account. */
export const scimReasons = [
  'unknown',
  'wrongType',
  'personalNumber',
  'grantsNothing',
  'notEditable',
  'invalidName',
  'invalidPhone',
  'addressKept',
  'unknownMember',
] as const
export type ScimReason = (typeof scimReasons)[number]

const scimLogRow = z.object({
  logId: id,
  at: timestamp,
  /** Of the token. */
  directory: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'retry']),
  /** The userName, or the name of the group. */
  about: z.nullable(z.string()),
  status: z.int(),
  /** The key of a text, for a request that was refused. */
  problem: z.nullable(z.string()),
  deeds: z.array(z.enum(scimDeeds)),
  notes: z.array(z.object({ attribute: z.string(), reason: z.enum(scimReasons) })),
  /** Of a person who could become a member, or be invited, by another try. */
  retry: z.nullable(id),
})
export type ScimLogRow = z.infer<typeof scimLogRow>

const params = z.strictObject({ id })
const page = z.optional(z.strictObject({ page: z._default(z.optional(wholeNumber), 1) }))
const ofOrganization = {
  access: 'administerOrganization',
  target: ({ params }: { params: { id: string } }) => ({ organizationId: params.id }),
} as const

/** What the admins of an organisation do about its directory. */
export const directories = {
  read: route('GET /api/organizations/{id}/directory', {
    ...ofOrganization,
    summary: 'The directory of an organisation: its tokens, and how many people it has sent',
    params,
    answer: directoryState,
  }),
  createToken: route('POST /api/organizations/{id}/directory/tokens', {
    ...ofOrganization,
    summary: `Makes a token for the directory; only this answer has it. 409 tooManyScimTokens beyond ${maxScimTokens}`,
    params,
    input: scimTokenForm,
    answer: z.object({ tokenId: id, token: z.string(), expiresAt: timestamp }),
    status: 201,
    freshProof: true,
    audit: 'createScimToken',
  }),
  confirmToken: route('POST /api/organizations/{id}/directory/tokens/{tokenId}/confirm', {
    ...ofOrganization,
    summary: 'Answers for a token from now on: it has the right of the caller, in place of who made it',
    params: z.strictObject({ id, tokenId: id }),
    answer: 'nothing',
    freshProof: true,
    audit: 'confirmScimToken',
  }),
  revokeToken: route('DELETE /api/organizations/{id}/directory/tokens/{tokenId}', {
    ...ofOrganization,
    summary: 'Ends a token at once',
    params: z.strictObject({ id, tokenId: id }),
    answer: 'nothing',
    freshProof: true,
    audit: 'revokeScimToken',
  }),
  groups: route('GET /api/organizations/{id}/directory/groups', {
    ...ofOrganization,
    summary: 'The groups of the directory, by name, and what they become here',
    params,
    query: page,
    answer: paged(directoryGroup),
  }),
  mapGroup: route('PUT /api/organizations/{id}/directory/groups/{scimGroupId}', {
    ...ofOrganization,
    summary:
      "Decides what a directory's group becomes: a group here, a new one that gives services and roles, or a role; what it gave before ends. 403 longerThanOwn for a role that the caller holds for less long, 422 directoryGivesNoPower for one with power over others, 409 changedByOthers, groupNameTaken",
    params: z.strictObject({ id, scimGroupId: id }),
    input: directoryGroupDecision,
    answer: directoryGroup,
    freshProof: true,
    audit: { many: ['mapDirectoryGroup', 'createGroup', 'updateGroupMembers'] },
  }),
  log: route('GET /api/organizations/{id}/directory/log', {
    ...ofOrganization,
    summary: 'What the directory sent in the last days and what came of it, the newest first',
    params,
    query: page,
    answer: paged(scimLogRow),
  }),
  retry: route('POST /api/organizations/{id}/directory/people/{personId}/retry', {
    ...ofOrganization,
    summary: 'Tries again to make somebody of the directory a member, or to invite them',
    params: z.strictObject({ id, personId: id }),
    answer: 'nothing',
    atomic: false,
    freshProof: 'not needed: what the directory may do is asked of its token',
    audit: { many: ['createUser', 'deleteUser', 'inviteUser', 'restoreUser', 'updateGroupMembers'] },
  }),
}
