import * as z from 'zod/mini'
import { id, timestamp } from '#contract/fields/fields.ts'

/** An organisation that has a configuration. */
export const preparedOrganization = z.object({
  organizationId: id,
  name: z.string(),
  /** Its people sign in by it; otherwise it is prepared only. */
  uses: z.boolean(),
})

/** How a configuration stands. */
export const samlConfigState = z.object({
  /** When its last certificate ends; null without one, as with OpenID Connect. */
  certificateEnd: z.nullable(timestamp),
  /** Null: none as long as sign-ins are kept. */
  lastSignIn: z.nullable(timestamp),
  /** Sign-ins that failed in the last 24 hours. */
  failuresOfDay: z.int(),
  organizations: z.array(preparedOrganization),
})
export type SamlConfigState = z.infer<typeof samlConfigState>
