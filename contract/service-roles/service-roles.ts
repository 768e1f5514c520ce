import * as z from 'zod/mini'
import { id, limited, message, optionalText, version } from '#contract/fields/fields.ts'
import { optionalName, requiredName } from '#contract/fields/names.ts'
import { endsAfterBegin, knownPeriod, period } from '#contract/fields/period.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

/** Roles of the portal, which a token names beside those of the service. */
const reserved = ['regular', 'serviceAdmin', 'organizationAdmin', 'superUser']

/** What the service knows a role by: it never changes, and no later role gets it. */
export const roleKey = z.string(message('invalidRoleKey')).check(
  limited(254),
  z.trim(),
  z.regex(/^[A-Za-z][A-Za-z0-9_.:-]{0,49}$/, message('invalidRoleKey')),
  z.refine((key) => !reserved.includes(key), message('reservedRoleKey')),
)

const texts = {
  nameSv: requiredName(60),
  nameEn: z.optional(optionalName(60)),
  nameFi: z.optional(optionalName(60)),
  nameFr: z.optional(optionalName(60)),
  descriptionSv: z.optional(optionalText(300)),
  descriptionEn: z.optional(optionalText(300)),
  descriptionFi: z.optional(optionalText(300)),
  descriptionFr: z.optional(optionalText(300)),
}
const rules = {
  /** Only a session with two factors has it. */
  needsTwoFactors: z.optional(z.boolean()),
  /** The most people of an organisation who have it; null is any number. */
  maxPeople: z.optional(
    z.nullable(
      z
        .int(message('invalidNumber'))
        .check(z.minimum(1, message('invalidNumber')), z.maximum(1_000_000, message('invalidNumber'))),
    ),
  ),
  /** Keys of roles of the same service that nobody has beside this one. */
  excludes: z.optional(z.array(roleKey).check(limited(50))),
}

/** A text that is missing in a language is read in Swedish. */
export const serviceRoleForm = z.strictObject({ serviceId: id, key: roleKey, ...texts, ...rules })
export type ServiceRoleForm = z.infer<typeof serviceRoleForm>

export const serviceRoleLabels: FieldLabels<Omit<ServiceRoleForm, 'serviceId'>> = {
  key: 'roleKey',
  nameSv: 'roleNameSv',
  nameEn: 'roleNameEn',
  nameFi: 'roleNameFi',
  nameFr: 'roleNameFr',
  descriptionSv: 'roleDescriptionSv',
  descriptionEn: 'roleDescriptionEn',
  descriptionFi: 'roleDescriptionFi',
  descriptionFr: 'roleDescriptionFr',
  needsTwoFactors: 'needsTwoFactors',
  maxPeople: 'maxPeople',
  excludes: 'roleExcludes',
}

const text = z.nullable(z.string())
/** The name of a role in each language, as it is answered. */
export const roleNames = { nameSv: z.string(), nameEn: text, nameFi: text, nameFr: text }
const declared = {
  roleId: id,
  serviceId: id,
  key: z.string(),
  ...roleNames,
  ...{ descriptionSv: text, descriptionEn: text, descriptionFi: text, descriptionFr: text },
  needsTwoFactors: z.boolean(),
  maxPeople: z.nullable(z.int()),
  excludes: z.array(z.string()),
}
/** A role that a service declares. */
export const serviceRole = z.object({ ...declared, version })
export type DeclaredRole = z.infer<typeof serviceRole>

/** The same for an organisation that has the service, with how many of its people have the role. */
const offeredRole = z.object({ ...declared, people: z.int() })
export type OfferedRole = z.infer<typeof offeredRole>

const { serviceId: _, key: __, ...changeable } = serviceRoleForm.shape
const params = z.strictObject({ id })
const ofMember = z.strictObject({ userId: id, organizationId: id })
const inOrganization = ({ params }: { params: { organizationId: string } }) => params

export const serviceRoles = {
  list: route('GET /api/service-roles', {
    summary: 'The roles that a service declares',
    access: 'readServices',
    query: z.strictObject({ serviceId: id }),
    answer: z.array(serviceRole),
  }),
  read: route('GET /api/service-roles/{id}', {
    summary: 'One role of a service',
    access: 'readServices',
    params,
    answer: serviceRole,
  }),
  create: route('POST /api/service-roles', {
    summary: 'Declares a role of a service; 409 roleKeyUsed for a key that the service has or has had',
    access: 'manageServices',
    input: serviceRoleForm,
    answer: serviceRole,
    status: 201,
    audit: 'createServiceRole',
  }),
  update: route('PUT /api/service-roles', {
    takesBack: '/api/service-roles/{roleId}',
    summary:
      'Changes a role, never its key; 409 roleHasMorePeople or rolesHeldTogether while somebody holds what the new rule forbids',
    access: 'manageServices',
    input: z.extend(z.partial(z.strictObject(changeable)), { roleId: id, version: z.optional(version) }),
    answer: serviceRole,
    audit: { atMost: ['updateServiceRole'] },
  }),
  remove: route('DELETE /api/service-roles/{id}', {
    summary: 'Removes a role from the service and from everybody who has it; its key is never used again',
    access: 'manageServices',
    freshProof: true,
    params,
    answer: 'nothing',
    audit: 'deleteServiceRole',
  }),
  ofOrganization: route('GET /api/organizations/{organizationId}/service-roles', {
    summary: 'The roles of the services that an organisation has; the owner of a service sees those of that service',
    access: 'readServiceRoles',
    params: z.strictObject({ organizationId: id }),
    target: inOrganization,
    answer: z.array(offeredRole),
  }),
  ofPerson: route('GET /api/users/{userId}/organization/{organizationId}/service-roles', {
    summary: "A member's roles in the services of an organisation, or those that an invitation promises",
    access: 'readServiceRoles',
    params: ofMember,
    target: inOrganization,
    answer: z.array(z.object({ serviceId: id, roleId: id, ...knownPeriod })),
  }),
  setOfPerson: route('POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles', {
    summary:
      'Sets the roles of somebody who has the service; 409 serviceRoleFull or serviceRolesExclude where a role does not allow it',
    access: 'handOutServiceRoles',
    params: z.extend(ofMember, { serviceId: id }),
    target: ({ params }) => params,
    input: z.strictObject({
      roleIds: z.array(id).check(
        limited(200),
        z.refine((ids) => new Set(ids).size === ids.length, message('invalidValue')),
      ),
      /** First and last day of some of them; the others keep theirs. Only of members. */
      periods: z.optional(z.array(z.strictObject({ roleId: id, ...period }).check(endsAfterBegin)).check(limited(200))),
    }),
    answer: 'nothing',
    audit: { atMost: ['updateUserServiceRoles'] },
  }),
}
