const format = /^(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{4}$/

/** Does it stand for a number that is not known yet? Then nothing else about it is checked. */
export const isPlaceholderSsn = (value: string) => value.startsWith('placeholder')

/** The Luhn checksum over the last ten digits (specification, section 5). */
function hasValidChecksum(digits: string): boolean {
  if (digits.length <= 10) return false
  const sum = [...digits.slice(-10)].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return sum % 10 === 0
}

/** What is wrong with a personal identity number; for schemas, and for pages too light for them. */
export function ssnProblem(value: string) {
  if (isPlaceholderSsn(value)) return undefined
  if (!format.test(value)) return 'ssnIncorrectFormat'
  return hasValidChecksum(value) ? undefined : 'ssnInvalidDigits'
}
