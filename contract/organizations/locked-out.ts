import * as z from 'zod/mini'
import { id, wholeNumber } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** Asked before an organisation changes to organisation sign-in. */
export const lockedOut = route('GET /api/organizations/{id}/locked-out', {
  summary: 'How many members organisation sign-in by this configuration would keep out',
  access: 'manageOrganizations',
  params: z.strictObject({ id }),
  query: z.strictObject({
    samlConfigId: wholeNumber,
    requireLoginMethod: z._default(z.optional(z.enum(['true', 'false'])), 'false'),
  }),
  answer: z.object({ count: z.int() }),
})
