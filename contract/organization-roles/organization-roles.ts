import * as z from 'zod/mini'
import { id, limited, message, version } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { endsAfterBegin, knownPeriod, period } from '#contract/fields/period.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { builtInRoles, rolePermission } from './role-permissions.ts'

/** What an organisation's own role is called and allows. What is needed to see what it changes, it allows too. */
export const organizationRoleForm = z.strictObject({
  name: requiredName(60),
  permissions: z.array(rolePermission).check(
    limited(Object.keys(rolePermission.def.entries).length),
    z.minLength(1, message('choosePermission')),
    z.refine((chosen) => new Set(chosen).size === chosen.length, message('invalidValue')),
  ),
})
export type OrganizationRoleForm = z.infer<typeof organizationRoleForm>
export const organizationRoleLabels: FieldLabels<OrganizationRoleForm> = {
  name: 'roleName',
  permissions: 'rolePermissions',
}

/** The key of a built-in role, or the id of one of the organisation's own. */
export const roleName = z.union([z.enum(Object.keys(builtInRoles) as (keyof typeof builtInRoles)[]), id])

/** A role of the organisation's own. */
const ownRole = z.object({ roleId: id, name: z.string(), permissions: z.array(rolePermission), version })
export type OwnRole = z.infer<typeof ownRole>

/** A role that can be given in an organisation, with how many of its people have it. */
const givableRole = z.object({
  role: z.string(),
  /** Null for a built-in one. */
  name: z.nullable(z.string()),
  permissions: z.array(rolePermission),
  people: z.int(),
})
export type GivableRole = z.infer<typeof givableRole>

const given = z.strictObject({ role: roleName, ...period }).check(endsAfterBegin)
const place = z.strictObject({ organizationId: id })
const ofRole = z.strictObject({ organizationId: id, roleId: id })
const ofMember = z.strictObject({ userId: id, organizationId: id })
const inOrganization = ({ params: { organizationId } }: { params: { organizationId: string } }) => ({ organizationId })

export const organizationRoles = {
  list: route('GET /api/organizations/{organizationId}/roles', {
    summary: 'The roles that can be given in an organisation: the built-in ones and its own',
    access: 'readPeople',
    params: place,
    target: inOrganization,
    answer: z.array(givableRole),
  }),
  read: route('GET /api/organizations/{organizationId}/roles/{roleId}', {
    summary: "One role of an organisation's own",
    access: 'readPeople',
    params: ofRole,
    target: inOrganization,
    answer: ownRole,
  }),
  create: route('POST /api/organizations/{organizationId}/roles', {
    summary: 'Makes a role; 403 moreThanOwn for a permission that the caller lacks',
    access: 'giveRoles',
    freshProof: true,
    params: place,
    target: inOrganization,
    input: organizationRoleForm,
    answer: ownRole,
    status: 201,
    audit: 'createOrganizationRole',
  }),
  update: route('PUT /api/organizations/{organizationId}/roles/{roleId}', {
    takesBack: '/api/organizations/{organizationId}/roles/{roleId}',
    summary:
      'Changes a role and what its holders may; 403 moreThanOwn for a permission that the caller lacks, 403 ownRole for more in a role that the caller has',
    access: 'giveRoles',
    freshProof: true,
    params: ofRole,
    target: inOrganization,
    input: z.extend(z.partial(organizationRoleForm), { version: z.optional(version) }),
    answer: ownRole,
    audit: { atMost: ['updateOrganizationRole'] },
  }),
  remove: route('DELETE /api/organizations/{organizationId}/roles/{roleId}', {
    summary: 'Removes a role, also from everybody who has it',
    access: 'giveRoles',
    freshProof: true,
    params: ofRole,
    target: inOrganization,
    answer: 'nothing',
    audit: 'deleteOrganizationRole',
  }),
  ofPerson: route('GET /api/users/{userId}/organization/{organizationId}/roles', {
    summary: "A member's roles in an organisation beside the admin role, also those that begin later or have ended",
    access: 'readPeople',
    params: ofMember,
    target: inOrganization,
    answer: z.array(z.object({ role: z.string(), ...knownPeriod })),
  }),
  setOfPerson: route('POST /api/users/{userId}/organization/{organizationId}/roles', {
    summary:
      'Sets these roles of a member; 403 moreThanOwn or longerThanOwn for what the caller does not hold, or for less long, 403 ownAccount for more of the own',
    access: 'giveRoles',
    freshProof: true,
    params: ofMember,
    target: inOrganization,
    input: z.strictObject({
      roles: z.array(given).check(
        limited(50),
        z.refine((roles) => new Set(roles.map(({ role }) => role)).size === roles.length, message('invalidValue')),
      ),
    }),
    answer: 'nothing',
    audit: { atMost: ['updateUserRoles'] },
  }),
}
