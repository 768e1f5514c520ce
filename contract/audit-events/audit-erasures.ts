import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** The labels and values of people who were erased from the audit log; eight hex digits follow. */
export const erasedPrefix = 'erased:'

export const auditErasures = {
  create: route('POST /api/audit-events/{id}/erasure', {
    summary: 'Erases someone who was deleted from the audit log too, within a minute; the id is that of the deletion',
    access: 'erasePeople',
    freshProof: true,
    params: z.strictObject({ id }),
    answer: 'nothing',
    audit: { atMost: ['erasePerson'] },
  }),
}
