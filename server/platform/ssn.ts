import { createHmac } from 'node:crypto'
import type { Db } from './database.ts'
import type { Key, Keys } from './keys.ts'
import { open, seal } from './sealing.ts'

const cell = (accountId: string) => ({ table: 'users', column: 'ssn_sealed', row: accountId })
const hmac = (key: Key, ssn: string) =>
  createHmac('sha256', key.secret)
    .update(`ssn ${canonicalSsn(ssn)}`)
    .digest()

/**
 * The one written form: twelve digits without separators. A value that starts with `placeholder` stands for a number
 * that is not known yet (specification, section 5) and stays as it is, in lower case.
 */
export const canonicalSsn = (ssn: string): string =>
  isPlaceholder(ssn) ? ssn.trim().toLowerCase() : ssn.replaceAll(/[\s+-]/g, '')

const isPlaceholder = (ssn: string) => /^\s*placeholder/i.test(ssn)

/** What logs, audit and other people may see: the date of birth, or that there is no number yet. */
export function maskSsn(ssn: string): string {
  if (isPlaceholder(ssn)) return 'placeholder'
  const digits = canonicalSsn(ssn)
  return /^[0-9]{12}$/.test(digits) ? `${digits.slice(0, 8)}-****` : '****'
}

/** The index under which a number is stored from now on: HMAC-SHA256 with a key of its own. */
export const indexSsn = (keys: Keys, ssn: string): Buffer => hmac(keys.current('index'), ssn)

/** Every index under which a number may be stored while keys rotate: search with `ssn_index in (…)`. */
export const ssnIndexes = (keys: Keys, ssn: string): Buffer[] => keys.all('index').map((key) => hmac(key, ssn))

/** The two columns of a user's number: sealed for this account alone, and indexed. */
export function sealSsn(keys: Keys, accountId: string, ssn: string): { ssnSealed: Buffer; ssnIndex: Buffer } {
  return { ssnSealed: seal(keys, 'fields', cell(accountId), canonicalSsn(ssn)), ssnIndex: indexSsn(keys, ssn) }
}

/**
 * The two columns of a user's number, or of none, for a change: run it in the transaction that writes them.
 *
 * While the index key rotates, somebody else's row may still stand under the old index; it is moved to the current one
 * first, so that the unique constraint decides as always.
 */
export async function ssnColumns(
  db: Db,
  keys: Keys,
  { accountId, ssn }: { accountId: string; ssn: string | null },
): Promise<{ ssnSealed: Buffer | null; ssnIndex: Buffer | null }> {
  if (ssn === null) return { ssnSealed: null, ssnIndex: null }
  const columns = sealSsn(keys, accountId, ssn)
  const others = ssnIndexes(keys, ssn).filter((index) => !index.equals(columns.ssnIndex))
  if (others.length > 0)
    await db.updateTable('users').set({ ssnIndex: columns.ssnIndex }).where('ssnIndex', 'in', others).execute()
  return columns
}

/**
 * Opens a user's number.
 *
 * @throws Unsealable when it was copied from another row or changed
 */
export async function openSsn(keys: Keys, accountId: string, sealed: Buffer): Promise<string> {
  return (await open(keys, cell(accountId), sealed)).toString('utf8')
}
