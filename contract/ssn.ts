import * as z from 'zod/mini'
import { message, text } from './fields.ts'

const isPlaceholder = (value: string) => value.startsWith('placeholder')
const format = /^(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{4}$/

/** The Luhn checksum over the last ten digits (specification, section 5). */
export function hasValidChecksum(digits: string): boolean {
  if (digits.length <= 10) return false
  const sum = [...digits.slice(-10)].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return sum % 10 === 0
}

/** What somebody else's number looks like: the date of birth alone. */
export const isMaskedSsn = (value: string) => /^[0-9]{8}-\*{4}$/.test(value)

const checked = (isExempt: (value: string) => boolean) =>
  text(100).check(
    z.trim(),
    z.refine((value) => isExempt(value) || format.test(value), { error: message('ssnIncorrectFormat'), abort: true }),
    z.refine((value) => isExempt(value) || hasValidChecksum(value), message('ssnInvalidDigits')),
  )

/**
 * A personal identity number: twelve digits, YYYYMMDDNNNN. A value that starts with `placeholder` stands for one that is
 * not known yet and is not checked.
 */
export const ssn = checked(isPlaceholder)

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
export const optionalSsnOrMasked = orNull(checked((value) => isPlaceholder(value) || isMaskedSsn(value)))
