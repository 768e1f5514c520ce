import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { knownPeriod } from '#contract/fields/period.ts'

const text = z.nullable(z.string())

/** By hand, by the group's rule, or by the organisation's directory. */
export const memberSource = z.enum(['hand', 'rule', 'directory'])
export type MemberSource = z.infer<typeof memberSource>

const inGroup = {
  sources: z.array(memberSource),
  ...knownPeriod,
  /** The services, by name, that wait for a free seat. */
  waitsFor: z.array(z.string()),
}
/** Somebody in a group, or invited to it. */
export const groupMember = z.object({
  /** For an invitation its own id. */
  accountId: id,
  email: z.string(),
  firstName: text,
  lastName: text,
  pending: z.boolean(),
  ...inGroup,
})
export type GroupMember = z.infer<typeof groupMember>

/** A group of somebody. */
export const groupOfPerson = z.object({ groupId: id, name: z.string(), serviceIds: z.array(id), ...inGroup })
export type GroupOfPerson = z.infer<typeof groupOfPerson>
