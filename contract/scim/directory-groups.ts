import * as z from 'zod/mini'
import { id, message, version } from '#contract/fields/fields.ts'
import { groupForm } from '#contract/groups/groups.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { roleName } from '#contract/organization-roles/organization-roles.ts'

/** What somebody decides that a group of the directory becomes. */
export const directoryGroupKinds = ['nothing', 'group', 'services', 'role'] as const
export type DirectoryGroupKind = (typeof directoryGroupKinds)[number]

type Named = Partial<Record<'groupId' | 'name' | 'role', string | null | undefined>>
const isNamed = (kind: DirectoryGroupKind, name: keyof Named) =>
  z.refine<Named & { becomes: DirectoryGroupKind }>((form) => form.becomes !== kind || Boolean(form[name]), {
    path: [name],
    error: message('required'),
  })

/** A group here; services with roles, which a new group here gives; or a role of the organisation. */
const fields = {
  becomes: z.enum(directoryGroupKinds),
  groupId: z.optional(z.nullable(id)),
  /** One with power over others is refused, with a message of its own. */
  role: z.optional(z.nullable(z.union([z.literal('organizationAdmin'), roleName]))),
  /** Of the new group. */
  name: z.optional(z.nullable(groupForm.shape.name)),
  services: groupForm.shape.services,
}
const areNamed = [isNamed('group', 'groupId'), isNamed('services', 'name'), isNamed('role', 'role')] as const
export const directoryGroupForm = z.strictObject(fields).check(...areNamed)
/** The same with the version of the group that somebody has seen: its name and people are the directory's to change. */
export const directoryGroupDecision = z.strictObject({ ...fields, version: z.optional(version) }).check(...areNamed)
export type DirectoryGroupForm = z.infer<typeof directoryGroupForm>
export const directoryGroupLabels: FieldLabels<DirectoryGroupForm> = {
  becomes: 'scimGroupBecomes',
  groupId: 'group',
  role: 'role',
  name: 'name',
  services: 'services',
}

/** A group of the directory, with how many are in it, and for how many what it becomes here waits for a seat, or for an admin. */
export const directoryGroup = z.object({
  scimGroupId: id,
  name: z.string(),
  people: z.int(),
  waiting: z.int(),
  /** They came when the person who decided it, or made the token, no longer could: an admin decides again. */
  heldBack: z.int(),
  /** The members whom a decision reaches at once, and the first of their addresses. */
  reached: z.int(),
  names: z.array(z.string()),
  version,
  groupId: z.nullable(id),
  groupName: z.nullable(z.string()),
  role: z.nullable(z.string()),
  roleName: z.nullable(z.string()),
})
export type DirectoryGroup = z.infer<typeof directoryGroup>
