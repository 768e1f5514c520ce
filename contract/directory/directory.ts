import * as z from 'zod/mini'
import { id, message } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** Many rows in the order of their ids: `next` is the `after` of the next request, and null at the end. */
const query = z.strictObject({
  limit: z._default(
    z.optional(
      z.pipe(
        z
          .string()
          .check(z.regex(/^([1-9][0-9]?|1[0-9][0-9]|200)$/, message('invalidNumber')))
          .register(z.globalRegistry, { type: 'integer', minimum: 1, maximum: 200 }),
        z.transform((digits) => Number(digits)),
      ),
    ),
    100,
  ),
  after: z.optional(id),
})
const next = z.nullable(id)

/** Somebody who has the service in an organisation, as a sign-in would say it. */
const directoryUser = z.object({
  /** The claim `sub`. */
  id: z.string(),
  name: z.nullable(z.string()),
  givenName: z.nullable(z.string()),
  familyName: z.nullable(z.string()),
  email: z.string(),
  emailVerified: z.boolean(),
  locale: z.nullable(z.string()),
  /** `organizationAdmin` and `serviceAdmin`, where the person is one, and the service's own roles that they have. */
  roles: z.array(z.string()),
  /** False for those who cannot sign in at present. */
  active: z.boolean(),
})
export type DirectoryUser = z.infer<typeof directoryUser>

/** What a service reads with a token of its own, scope `directory`: nothing of organisations without it. */
export const directory = {
  organizations: route('GET /api/v1/organizations', {
    summary: 'The organisations that have the service',
    access: 'machine',
    query,
    answer: z.object({
      organizations: z.array(z.object({ id, name: z.string(), number: z.nullable(z.string()) })),
      next,
    }),
  }),
  users: route('GET /api/v1/organizations/{id}/users', {
    summary: 'The people who have the service in an organisation, and their roles',
    access: 'machine',
    params: z.strictObject({ id }),
    query,
    answer: z.object({ users: z.array(directoryUser), next }),
    audit: { atMost: ['readDirectory'] },
  }),
}
