const format = /^(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{4}$/

/** True for a placeholder of a number that is not known yet, which is not validated further. */
export const isPlaceholderSsn = (value: string) => /^\s*placeholder/i.test(value)

/**
 * A number as people and directories write it, in the form that is stored: twelve digits. Where blanks and hyphens
 * hide no twelve digits, it stays as it is, for the check to refuse. Placeholders are case-insensitive, also in the blind index.
 */
export function normalizedSsn(written: string): string {
  if (isPlaceholderSsn(written)) return written.trim().toLowerCase()
  const digits = written.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')
  return /^[0-9]{12}$/.test(digits) ? digits : written
}

/** The Luhn checksum over the last ten digits (product-rules 12.1). */
function hasValidChecksum(digits: string): boolean {
  if (digits.length <= 10) return false
  const sum = [...digits.slice(-10)].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return sum % 10 === 0
}

/** The error of a personal identity number; for schemas, and for light pages without schemas. */
export function ssnProblem(value: string) {
  if (isPlaceholderSsn(value)) return undefined
  if (!format.test(value)) return 'ssnIncorrectFormat'
  return hasValidChecksum(value) ? undefined : 'ssnInvalidDigits'
}

/** True for a personal identity number, however it is written. */
export const isPersonalNumber = (written: string) =>
  !isPlaceholderSsn(written) && ssnProblem(normalizedSsn(written)) === undefined
