import * as z from 'zod/mini'
import { email, id, limited, message, optionalText, paged, pageQuery, version } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { endsAfterBegin, knownPeriod, period } from '#contract/fields/period.ts'
import { isPersonalNumber } from '#contract/fields/ssn-rules.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { bulkRow } from '#contract/users/bulk-users.ts'
import { groupMember, groupOfPerson } from './group-people.ts'

/** The most groups of an organisation. */
export const maxGroups = 1000

const unique = z.refine<readonly string[]>((ids) => new Set(ids).size === ids.length, message('invalidValue'))

/** A service that a group gives, with roles that the service declares. In a change, a row keeps what it leaves out. */
const groupService = z
  .strictObject({
    serviceId: id,
    roleIds: z.optional(z.array(id).check(limited(200), unique)),
    ...period,
  })
  .check(endsAfterBegin)

const fields = {
  name: requiredName(100),
  /** Of what the organisation's own sign-in says about a person; with `ruleValue`, or neither. */
  ruleAttribute: z.optional(optionalText(200)),
  /** No personal number: no rule finds out whose it is. */
  ruleValue: z.optional(
    optionalText(200).check(z.refine((value) => !value || !isPersonalNumber(value), message('invalidValue'))),
  ),
  services: z._default(
    z.optional(
      z.array(groupService).check(
        limited(200),
        z.refine(
          (services) => new Set(services.map(({ serviceId }) => serviceId)).size === services.length,
          message('serviceAlreadyAdded'),
        ),
      ),
    ),
    [],
  ),
}
export const groupForm = z.strictObject({ organizationId: id, ...fields })
export type GroupForm = z.infer<typeof groupForm>
export const groupLabels: FieldLabels<Omit<GroupForm, 'organizationId'>> = {
  name: 'name',
  ruleAttribute: 'ruleAttribute',
  ruleValue: 'ruleValue',
  services: 'services',
}

const text = z.nullable(z.string())
/** A group, with how many are in it, and for how many a service or a role waits because no seat is free. */
export const group = z.object({
  groupId: id,
  organizationId: id,
  name: z.string(),
  ruleAttribute: text,
  ruleValue: text,
  services: z.array(z.object({ serviceId: id, roleIds: z.array(id), ...knownPeriod })),
  people: z.int(),
  waiting: z.int(),
  version,
})
export type Group = z.infer<typeof group>
export type GroupService = Group['services'][number]

/** The most people in one call. */
export const maxGroupPeople = 1000
const people = z.array(id).check(limited(maxGroupPeople), z.minLength(1, message('required')), unique)

/** Only says what would happen. */
const dryRun = z._default(z.optional(z.boolean()), false)
/** What became of each, in their order. Who is not of the organisation, or not any more, is not found. */
const outcomes = z.object({ rows: z.array(bulkRow) })

const params = z.strictObject({ id })
const { name, ruleAttribute, ruleValue, services } = fields
const ofOrganization = ({ params }: { params: { organizationId: string } }) => params
const change = { access: 'manageGroups', target: 'loaded' } as const
const changePeople = { access: 'administerGroup', target: 'loaded' } as const

export const groups = {
  list: route('GET /api/organizations/{organizationId}/groups', {
    summary: "An organisation's groups, by name; the admin of a group sees that one",
    access: 'listGroups',
    ...{ params: z.strictObject({ organizationId: id }), target: ofOrganization },
    answer: z.array(group),
  }),
  names: route('GET /api/organizations/{organizationId}/group-names', {
    summary: "The names of an organisation's groups, for filters and choices",
    access: 'manageGroups',
    ...{ params: z.strictObject({ organizationId: id }), target: ofOrganization },
    answer: z.array(z.object({ groupId: id, name: z.string() })),
  }),
  read: route('GET /api/groups/{id}', { ...changePeople, summary: 'One group', params, answer: group }),
  create: route('POST /api/groups', {
    summary: 'Creates a group; 409 groupNameTaken, whatever the case of its letters',
    access: 'manageGroups',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: groupForm,
    answer: group,
    status: 201,
    audit: 'createGroup',
  }),
  update: route('PUT /api/groups', {
    ...change,
    takesBack: '/api/groups/{groupId}',
    summary:
      'Changes a group and what it gives. Another rule begins without people: whom the old one put in leave, and come in when they sign in',
    input: z.strictObject({
      groupId: id,
      version: z.optional(version),
      name: z.optional(name),
      ruleAttribute,
      ruleValue,
      services: z.optional(services),
    }),
    answer: group,
    audit: { atMost: ['updateGroup'], andFollowing: 'updateGroupMembers' },
  }),
  whatEnds: route('GET /api/groups/{id}/what-ends', {
    ...change,
    summary:
      'What would end with a group: how many people are in it, who has which service by it alone, and its admins',
    params,
    answer: z.object({
      people: z.int(),
      services: z.array(z.object({ name: z.string(), people: z.int(), emails: z.array(z.string()) })),
      groupAdmins: z.array(z.string()),
    }),
  }),
  remove: route('DELETE /api/groups/{id}', {
    ...change,
    summary: 'Deletes a group, and ends what only it gave',
    freshProof: true,
    params,
    answer: 'nothing',
    audit: { one: 'deleteGroup', andFollowing: 'updateGroupMembers' },
  }),
  members: route('GET /api/groups/{id}/members', {
    ...changePeople,
    summary: 'Who is in a group, and who is invited to it, page by page',
    params,
    query: z.omit(pageQuery(['email']), { sort: true }),
    answer: paged(groupMember),
  }),
  put: route('POST /api/groups/{id}/members', {
    ...change,
    summary: `Puts up to ${maxGroupPeople} people of the organisation, or invited to it, in a group; with days, those of who is in it are set`,
    params,
    input: z.strictObject({ accountIds: people, dryRun, ...period }).check(endsAfterBegin),
    answer: outcomes,
    status: 200,
    audit: { atMost: ['updateGroupMembers'], andFollowing: 'updateGroupMembers' },
    bodyLimit: 128 * 1024,
  }),
  putByEmail: route('POST /api/groups/{id}/people', {
    ...changePeople,
    summary:
      "Puts a member of the organisation in a group by exact e-mail address; 404 for other people. The admin of the group puts in others, 403 ownAccount, and for no longer than the own days, 403 longerThanOwn; without a last day it is the admin's. 409 alreadyInGroup with nothing to change",
    params,
    input: z.strictObject({ email, ...period }).check(endsAfterBegin),
    answer: 'nothing',
    audit: 'updateGroupMembers',
  }),
  take: route('POST /api/groups/{id}/members/remove', {
    ...changePeople,
    summary: `Takes up to ${maxGroupPeople} people out of a group, whatever their source, and ends what only it gave them; the admin of the group only those who were put in by hand`,
    params,
    input: z.strictObject({ accountIds: people, dryRun }),
    answer: outcomes,
    status: 200,
    audit: { atMost: ['updateGroupMembers'], andFollowing: 'updateGroupMembers' },
    bodyLimit: 128 * 1024,
  }),
  ofPerson: route('GET /api/users/{userId}/organization/{organizationId}/groups', {
    summary: 'The groups of a member of an organisation, or those that an invitation promises',
    access: 'manageGroups',
    params: z.strictObject({ userId: id, organizationId: id }),
    target: ofOrganization,
    answer: z.array(groupOfPerson),
  }),
}
