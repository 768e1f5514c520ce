import * as z from 'zod/mini'
import { id, message, version } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { serviceRole, serviceRoleForm } from './service-roles.ts'

/** The most roles that a service declares by a file. */
export const maxRolesInFile = 200
/** Bytes of such a file. */
export const maxRolesFile = 1024 * 1024

const { serviceId: _, ...fields } = serviceRoleForm.shape
/** A role as a file says it. What it leaves out stays, and is empty in a new role. */
export const roleInFile = z.strictObject(fields)
export type RoleInFile = z.infer<typeof roleInFile>

const rolesInFile = z.strictObject({
  roles: z.array(roleInFile).check(z.maxLength(maxRolesInFile, message('tooManyRoles'))),
  /** Of all roles of the service together: 409 changedByOthers where it is another one by now. */
  version: z.optional(version),
})
export type RolesInFile = z.infer<typeof rolesInFile>

const wholeRole = z.omit(serviceRole, { roleId: true, serviceId: true, version: true })
const answer = z.object({ roles: z.array(wholeRole), version })

const roleOutcome = z.enum(['added', 'changed', 'removed'])
export type RoleOutcome = z.infer<typeof roleOutcome>
const roleChange = z.object({
  key: z.string(),
  nameSv: z.string(),
  outcome: roleOutcome,
  /** Of a changed one, what is. */
  fields: z.array(z.string()),
  /** Who loses a removed one. */
  people: z.int(),
})
export type RoleChange = z.infer<typeof roleChange>

const params = z.strictObject({ id })

/** All roles of a service at once, as a file. */
export const roleFiles = {
  read: route('GET /api/services/{id}/roles', {
    summary: 'All roles that a service declares, as its PUT takes them back',
    access: 'manageServices',
    params,
    answer,
  }),
  dryRun: route('POST /api/services/{id}/roles/dry-run', {
    summary: 'What a list of all roles would add, change and remove; 422 with what is wrong, by row; writes nothing',
    access: 'manageServices',
    params,
    input: rolesInFile,
    answer: z.object({ changes: z.array(roleChange), unchanged: z.int(), version }),
    status: 200,
    audit: 'none',
    bodyLimit: maxRolesFile,
  }),
  replace: route('PUT /api/services/{id}/roles', {
    summary:
      'Declares all roles of a service: those that the list lacks are removed, and their keys never come back; all or nothing',
    access: 'manageServices',
    freshProof: true,
    params,
    input: rolesInFile,
    answer,
    audit: { many: ['createServiceRole', 'updateServiceRole', 'deleteServiceRole'] },
    bodyLimit: maxRolesFile,
  }),
}
