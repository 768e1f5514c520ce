import { createHmac } from 'node:crypto'
import { isPlaceholderSsn, normalizedSsn } from '#contract/fields/ssn-rules.ts'
import type { Key, Keys } from './keys.ts'
import { seal, unseal } from './sealing.ts'

const cell = (accountId: string) => ({ table: 'users', column: 'ssn_sealed', row: accountId })
const hmac = (key: Key, ssn: string) =>
  createHmac('sha256', key.secret)
    .update(`ssn ${normalizedSsn(ssn)}`)
    .digest()

/** The masked number, for logs, audit and other users: the date of birth, or `placeholder`. */
export function maskSsn(ssn: string): string {
  if (isPlaceholderSsn(ssn)) return 'placeholder'
  const digits = normalizedSsn(ssn)
  return /^[0-9]{12}$/.test(digits) ? `${digits.slice(0, 8)}-****` : '****'
}

/** The lookup index of a number with the current key: HMAC-SHA256. */
export const indexSsn = (keys: Keys, ssn: string): Buffer => hmac(keys.current('index'), ssn)

/** All lookup indexes of a number while keys rotate: search with `ssn_index in (…)`. */
export const allSsnIndexes = (keys: Keys, ssn: string): Buffer[] => keys.all('index').map((key) => hmac(key, ssn))

/** The two columns of a user's number: encrypted for this account, and the lookup index. */
export function sealSsn(keys: Keys, accountId: string, ssn: string): { ssnSealed: Buffer; ssnIndex: Buffer } {
  return { ssnSealed: seal(keys, 'fields', cell(accountId), normalizedSsn(ssn)), ssnIndex: indexSsn(keys, ssn) }
}

/** The columns of a user's number. A number that somebody enters is a claim, also the person. */
export const ssnColumns = (keys: Keys, { accountId, ssn }: { accountId: string; ssn: string | null }) => ({
  ...(ssn === null ? { ssnSealed: null, ssnIndex: null } : sealSsn(keys, accountId, ssn)),
  ssnProof: null,
  ssnProvenAt: null,
  ssnClaim: null,
})

/**
 * Decrypts a user's number.
 *
 * @throws UnsealError when it was copied from another row or changed
 */
export async function unsealSsn(keys: Keys, accountId: string, sealed: Buffer): Promise<string> {
  return (await unseal(keys, cell(accountId), sealed)).toString('utf8')
}
