import { isPersonalNumber, ssnProblem } from '#contract/fields/ssn-rules.ts'

// With the hyphens and blanks that people put in. Looked for from every place, as two candidates may overlap; digits after a
// plus are a telephone's, and a day after a day is no number.
const candidate =
  /(?<![0-9+])(?=((?:19|20)[0-9]{2}[- ]?[0-9]{2}[- ]?[0-9]{2}[-+ ]?[0-9]{4}(?![0-9]|-[0-9]{2}-)|[0-9]{6}[-+][0-9]{4}(?![0-9])))/g
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Whether a text is, or holds, a personal identity number; also in the short form, with the hyphen that tells it from other numbers. */
export function hasPersonalNumber(text: string): boolean {
  if (isPersonalNumber(text)) return true
  if (!/[0-9]/.test(text.normalize('NFKC'))) return false
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\s/gu, ' ')
    .replaceAll(uuid, ' ')
  return [...plain.matchAll(candidate)].some(([, written = '']) => isNumber(written.replaceAll(/[^0-9]/g, '')))
}

const isNumber = (digits: string) =>
  (digits.length === 12 ? [digits] : [`19${digits}`, `20${digits}`]).some((one) => ssnProblem(one) === undefined)
