import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { knownPeriod } from '#contract/fields/period.ts'
import { serviceRole } from '#contract/roles.ts'

/** A person's service in an organisation. */
export const assignment = z.object({
  serviceId: id,
  name: z.string(),
  url: z.string(),
  organizationId: id,
  organizationName: z.string(),
  userRole: serviceRole,
  /** How it was given to this person; null: groups alone give it. */
  source: z.nullable(z.enum(['hand', 'request'])),
  ...knownPeriod,
})
export type Assignment = z.infer<typeof assignment>
