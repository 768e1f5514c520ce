import * as z from 'zod/mini'
import { email, id, limited, message, requiredText } from '#contract/fields/fields.ts'
import { optionalName } from '#contract/fields/names.ts'
import { endsAfterBegin, listedPeriod } from '#contract/fields/period.ts'
import { issue } from '#contract/problem.ts'
import { organizationRole } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { mailLanguage } from './mail-language.ts'

/** The maximum number of people in one import. */
export const maxImportedRows = 500

/** A valid row of an import. Services are given by name, because users' lists contain names. */
export const importedPerson = z
  .strictObject({
    email,
    firstName: z._default(z.optional(optionalName(100)), null),
    lastName: z._default(z.optional(optionalName(100)), null),
    services: z._default(z.optional(z.array(requiredText()).check(limited(100))), []),
    groups: z._default(z.optional(z.array(requiredText(100)).check(limited(100))), []),
    userRole: z._default(z.optional(organizationRole), 'regular'),
    ...listedPeriod,
  })
  .check(endsAfterBegin)
export type ImportedPerson = z.infer<typeof importedPerson>

// A row as pasted: an error is reported as the row's outcome, and does not refuse the other rows.
const pasted = z.string().check(limited(2000))
const pastedRow = z.strictObject({
  email: pasted,
  firstName: z.optional(z.nullable(pasted)),
  lastName: z.optional(z.nullable(pasted)),
  services: z.optional(z.array(pasted).check(limited(1000))),
  /** The names of groups of the organisation. */
  groups: z.optional(z.array(pasted).check(limited(1000))),
  userRole: z.optional(z.nullable(pasted)),
  /** The first and the last day of the membership: `2026-12-31`. */
  validFrom: z.optional(z.nullable(pasted)),
  validUntil: z.optional(z.nullable(pasted)),
})
export type PastedRow = z.infer<typeof pastedRow>

/**
 * `invited`: now has an invitation, whether or not the address has an account. `noSeatsLeft`: a service is full now; seats
 * are taken when people accept, so an import reserves none. Every outcome except `invited` writes nothing.
 */
export const importOutcome = z.enum(['invited', 'alreadyMember', 'duplicate', 'invalid', 'noSeatsLeft'])
export type ImportOutcome = z.infer<typeof importOutcome>

const importedRow = z.object({
  /** In canonical form, if it is a valid address. */
  email: z.string(),
  outcome: importOutcome,
  /** The errors by field, such as `services.1`. */
  issues: z.optional(z.array(issue)),
})
export type ImportedRow = z.infer<typeof importedRow>

const importForm = z.strictObject({
  organizationId: id,
  /** In an organisation with organisation sign-in: takes people who have an account with their own sign-in. */
  guest: z._default(z.optional(z.boolean()), false),
  language: mailLanguage,
  rows: z.array(pastedRow).check(limited(maxImportedRows), z.minLength(1, message('required'))),
})

/** An outcome for every row, in the order of the rows. */
const importAnswer = z.object({ rows: z.array(importedRow) })

export const bulkInvitations = {
  dryRun: route('POST /api/invites/bulk/dry-run', {
    summary: 'What an import of up to 500 people would do, row by row; writes nothing',
    access: 'invitePeople',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: importForm,
    answer: importAnswer,
    status: 200,
    audit: 'none',
    bodyLimit: 512 * 1024,
  }),
  run: route('POST /api/invites/bulk', {
    summary: 'Invites up to 500 people to an organisation; invalid rows are skipped and reported',
    access: 'invitePeople',
    freshProof: 'loaded',
    target: ({ input }) => ({ organizationId: input.organizationId }),
    input: importForm,
    answer: importAnswer,
    status: 200,
    audit: { many: 'inviteUser' },
    atomic: false,
    bodyLimit: 512 * 1024,
  }),
}
