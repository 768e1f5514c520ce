import { withoutInvisibleEnds } from './as-written.ts'

const digitsAlone = /^[0-9]{10}$/

/**
 * An organisation number as people write it, in the form that is stored: `556677-8899`. Blanks and hyphens, the leading 16 of
 * registers and the VAT number `SE556677889901` are read. Anything else, such as the number of another country, stays as it is.
 */
export function normalizedOrganizationNumber(written: string): string {
  const typed = withoutInvisibleEnds(written).replaceAll(/\p{Zs}+/gu, ' ')
  const bare = typed.normalize('NFKC').replaceAll(/[\p{Z}\p{Pd}\p{Cf}\u2212.]/gu, '')
  const digits = bare.replace(/^16(?=[0-9]{10}$)/, '').replace(/^SE([0-9]{10})01$/i, '$1')
  return digitsAlone.test(digits) ? `${digits.slice(0, 6)}-${digits.slice(6)}` : typed
}
