import * as z from 'zod/mini'
import { message, optionalText, text } from './fields.ts'
import { normalizedSsn, ssnProblem } from './ssn-rules.ts'

/** True for a masked number, which shows only the date of birth. */
export const isMaskedSsn = (value: string) => /^[0-9]{8}-\*{4}$/.test(value)

const checked = (isExempt: (value: string) => boolean = () => false) =>
  text(100).check(z.trim(), z.overwrite(normalizedSsn), (input) => {
    const problem = isExempt(input.value) ? undefined : ssnProblem(input.value)
    if (problem) input.issues.push({ code: 'custom', message: message(problem), input: input.value })
  })

/**
 * A personal identity number: twelve digits, YYYYMMDDNNNN; typed with blanks or hyphens, it becomes twelve digits. A value
 * that starts with `placeholder` means a number that is not known yet, and is not validated.
 */
export const ssn = checked()

const orNull = (schema: typeof ssn) => z.pipe(optionalText(100), z.nullable(schema))

/** An optional personal identity number; an empty one is null. */
export const optionalSsn = orNull(ssn)

/** The same, or the masked form that an admin sees, which means "unchanged". */
export const optionalSsnOrMasked = orNull(checked(isMaskedSsn))
