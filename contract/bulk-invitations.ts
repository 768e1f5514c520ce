import * as z from 'zod/mini'
import { email, id, message, optionalText, requiredText } from './fields.ts'
import { issue } from './problem.ts'
import { organizationRole } from './roles.ts'
import { route } from './route.ts'

/** People in one import. */
export const maxImportedRows = 500

/** A row of an import, when it is right. Services are named, because that is what people have in their lists. */
export const importedPerson = z.strictObject({
  email,
  firstName: z._default(z.optional(optionalText(100)), null),
  lastName: z._default(z.optional(optionalText(100)), null),
  services: z._default(z.optional(z.array(requiredText()).check(z.maxLength(100, message('tooLong')))), []),
  userRole: z._default(z.optional(organizationRole), 'regular'),
})
export type ImportedPerson = z.infer<typeof importedPerson>

// A row as it was pasted: what is wrong with it is an outcome of the row, and no reason to refuse the others.
const pasted = z.string().check(z.maxLength(2000, message('tooLong')))
const pastedRow = z.strictObject({
  email: pasted,
  firstName: z.optional(z.nullable(pasted)),
  lastName: z.optional(z.nullable(pasted)),
  services: z.optional(z.array(pasted).check(z.maxLength(1000, message('tooLong')))),
  userRole: z.optional(z.nullable(pasted)),
})
export type PastedRow = z.infer<typeof pastedRow>

/**
 * `invited`: a new account and an invitation; `added`: has an account and becomes a member at once. Only who administers
 * everything is told these two apart: to others an import would otherwise tell who has an account anywhere.
 * The other outcomes write nothing.
 */
export const importOutcome = z.enum(['invited', 'added', 'alreadyMember', 'duplicate', 'invalid', 'noSeatsLeft'])
export type ImportOutcome = z.infer<typeof importOutcome>

const importedRow = z.object({
  /** In the canonical form, where it is an address. */
  email: z.string(),
  outcome: importOutcome,
  /** What is wrong, by field: `services.1`. */
  issues: z.optional(z.array(issue)),
})
export type ImportedRow = z.infer<typeof importedRow>

const importForm = z.strictObject({
  organizationId: id,
  rows: z.array(pastedRow).check(z.minLength(1, message('required')), z.maxLength(maxImportedRows, message('tooLong'))),
})

/** An outcome for every row, in the order of the rows. */
const importAnswer = z.object({ rows: z.array(importedRow) })

export const bulkInvitations = {
  dryRun: route('POST /api/invites/bulk/dry-run', {
    summary: 'What an import of up to 500 people would do, row by row; writes nothing',
    access: 'administerOrganization',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: importForm,
    answer: importAnswer,
    status: 200,
    audit: 'none',
    bodyLimit: 512 * 1024,
  }),
  run: route('POST /api/invites/bulk', {
    summary: 'Invites up to 500 people into an organisation; rows that are not right are left out and told',
    access: 'administerOrganization',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: importForm,
    answer: importAnswer,
    status: 200,
    audit: { many: 'inviteUser' },
    atomic: false,
    bodyLimit: 512 * 1024,
  }),
}
