import * as z from 'zod/mini'
import { id, limited, message } from '#contract/fields/fields.ts'

/** The number of seats of a service in an organisation; missing, null and 0 mean unlimited. */
export const maxNumberOfUsers = z.pipe(
  z.optional(
    z.nullable(
      z
        .int(message('invalidNumber'))
        .check(z.minimum(0, message('invalidNumber')), z.maximum(1_000_000, message('invalidNumber'))),
    ),
  ),
  z.transform((seats) => seats || null),
)

/** A service of an organisation. `seatsUsed` is the number of its members who have it. */
export const organizationService = z.object({
  serviceId: id,
  name: z.string(),
  url: z.string(),
  maxNumberOfUsers: z.optional(z.int()),
  seatsUsed: z.optional(z.int()),
  /** People who are created at their first sign-in get it. */
  atFirstSignIn: z.optional(z.boolean()),
})

/** The services that a form chooses for an organisation. In a change, a row keeps what it leaves out, but not its seats. */
export const organizationServices = z.optional(
  z.array(z.strictObject({ serviceId: id, maxNumberOfUsers, atFirstSignIn: z.optional(z.boolean()) })).check(
    limited(1000),
    z.refine((list) => new Set(list.map((one) => one.serviceId)).size === list.length, message('serviceAlreadyAdded')),
  ),
)
