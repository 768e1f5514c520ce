import * as z from 'zod/mini'
import { message, text } from './fields.ts'
import { isPlaceholderSsn, ssnProblem } from './ssn-rules.ts'

/** What somebody else's number looks like: the date of birth alone. */
export const isMaskedSsn = (value: string) => /^[0-9]{8}-\*{4}$/.test(value)

// Two ways to write one placeholder are one value, here as in the index of numbers.
const inOneCase = (value: string) => (isPlaceholderSsn(value) ? value.toLowerCase() : value)

const checked = (isExempt: (value: string) => boolean = () => false) =>
  text(100).check(z.trim(), z.overwrite(inOneCase), (input) => {
    const problem = isExempt(input.value) ? undefined : ssnProblem(input.value)
    if (problem) input.issues.push({ code: 'custom', message: message(problem), input: input.value })
  })

/**
 * A personal identity number: twelve digits, YYYYMMDDNNNN. A value that starts with `placeholder` stands for one that is
 * not known yet and is not checked.
 */
export const ssn = checked()

const orNull = (schema: typeof ssn) =>
  z.pipe(
    z.pipe(
      z.nullable(text(100)),
      z.transform((value) => value?.trim() || null),
    ),
    z.nullable(schema),
  )

/** A personal identity number that may be missing; an empty one is null. */
export const optionalSsn = orNull(ssn)

/** The same, or the masked form that an admin was shown: it stands for "unchanged". */
export const optionalSsnOrMasked = orNull(checked(isMaskedSsn))
