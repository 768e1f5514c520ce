import * as z from 'zod/mini'
import { id, limited, message } from '#contract/fields/fields.ts'
import { optionalDay } from '#contract/fields/period.ts'
import { route } from '#contract/route.ts'

/** The maximum number of people in one call. */
export const maxBulkUsers = 100

/** `skipped`: there was nothing to do; `failed`: refused, and nothing was changed. */
export const bulkOutcome = z.enum(['done', 'skipped', 'failed'])
export type BulkOutcome = z.infer<typeof bulkOutcome>

/** What became of one person. */
export const bulkRow = z.object({
  accountId: id,
  outcome: bulkOutcome,
  /** The text key of why it was skipped or failed, or of why a part of what was done was left. */
  reason: z.nullable(z.string()),
})
export type BulkRow = z.infer<typeof bulkRow>

const people = {
  /** Ids of people or invitations, as lists show them. */
  accountIds: z.array(id).check(
    limited(maxBulkUsers),
    z.minLength(1, message('required')),
    z.refine((ids) => new Set(ids).size === ids.length, message('invalidValue')),
  ),
  /** Only says what would happen. */
  dryRun: z._default(z.optional(z.boolean()), false),
}
const selection = z.strictObject(people)
/** Without a day, the one that guests of the organisation would have from today. */
const extension = z.strictObject({ ...people, validUntil: z.optional(optionalDay) })
const serviceSelection = z.strictObject({ ...people, serviceId: id })
const roleSelection = z.strictObject({ ...people, roleId: id })
export type BulkForm = z.input<typeof serviceSelection>

/** A row for each id, in their order. */
const answer = z.object({ rows: z.array(bulkRow) })

const place = z.strictObject({ id })
/** `-` stands for no particular organisation, for super users. */
const anyPlace = z.strictObject({ id: z.union([id, z.literal('-')]) })

const common = {
  answer,
  status: 200,
  // A transaction for each person: what one refuses, the others keep.
  atomic: false,
} as const

export const bulkUsers = {
  resendInvitations: route('POST /api/organizations/{id}/users/resend-invitations', {
    ...common,
    access: 'resendInvitations',
    summary: 'Sends up to 100 pending people a new invitation, person by person; - for any organisation',
    params: anyPlace,
    target: ({ params }) => ({ organizationId: params.id }),
    input: selection,
    audit: { many: 'inviteUser' },
  }),
  markActive: route('POST /api/organizations/{id}/users/mark-active', {
    ...common,
    access: 'helpPeople',
    summary: 'Says that up to 100 people are active now, person by person; - for any organisation',
    params: anyPlace,
    target: ({ params }) => ({ organizationId: params.id }),
    input: selection,
    audit: { many: 'updateUser' },
  }),
  assignService: route('POST /api/organizations/{id}/users/assign-service', {
    ...common,
    access: 'assignServices',
    freshProof: 'loaded',
    summary: 'Assigns a service to up to 100 people of an organisation, person by person',
    params: place,
    target: ({ params }) => ({ organizationId: params.id }),
    input: serviceSelection,
    audit: { many: 'updateUserServices' },
  }),
  revokeService: route('POST /api/organizations/{id}/users/revoke-service', {
    ...common,
    access: 'assignServices',
    freshProof: 'loaded',
    summary: 'Removes a service from up to 100 people of an organisation, person by person',
    params: place,
    target: ({ params }) => ({ organizationId: params.id }),
    input: serviceSelection,
    audit: { many: 'updateUserServices' },
  }),
  extend: route('POST /api/organizations/{id}/users/extend', {
    ...common,
    access: 'editPeople',
    freshProof: 'loaded',
    summary:
      'Extends what ends within 14 days, or has ended, of up to 100 people of an organisation, person by person: membership, roles, services and roles in these, and days in groups for who manages these, until that day or for as long as guests have; done with a reason where the caller may not give one of the roles',
    params: place,
    target: ({ params }) => ({ organizationId: params.id }),
    input: extension,
    audit: { many: ['updateUserServices', 'updateUserServiceRoles', 'updateGroupMembers', 'updateUserRoles'] },
  }),
  assignRole: route('POST /api/organizations/{id}/users/assign-role', {
    ...common,
    access: 'assignServices',
    summary: 'Gives up to 100 people who have a service one of its roles, person by person',
    params: place,
    target: ({ params }) => ({ organizationId: params.id }),
    input: roleSelection,
    audit: { many: 'updateUserServiceRoles' },
  }),
  revokeRole: route('POST /api/organizations/{id}/users/revoke-role', {
    ...common,
    access: 'assignServices',
    summary: 'Takes a role of a service from up to 100 people, person by person',
    params: place,
    target: ({ params }) => ({ organizationId: params.id }),
    input: roleSelection,
    audit: { many: 'updateUserServiceRoles' },
  }),
  remove: route('POST /api/organizations/{id}/users/remove', {
    ...common,
    access: 'removePeople',
    freshProof: true,
    summary: 'Removes up to 100 people from an organisation, person by person; invitations are withdrawn',
    params: place,
    target: ({ params }) => ({ organizationId: params.id }),
    input: selection,
    audit: { many: 'removeUser' },
  }),
}
