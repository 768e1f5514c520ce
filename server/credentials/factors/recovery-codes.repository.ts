import { randomBytes } from 'node:crypto'
import type { Db } from '#server/platform/database/database.ts'
import { hashToken } from '#server/platform/secrets/tokens.ts'
import { base32 } from './totp.ts'

const codesInSet = 10
/** Bytes: 120 bits, so that a plain hash is enough (NIST SP 800-63B-4, 3.1.2; ASVS 6.5). */
const codeBytes = 15

/** A code as it is shown: `ABCD-EFGH-…`, six groups of four. */
const shown = (code: string) => (code.match(/.{4}/g) ?? []).join('-')
const written = (typed: string) => typed.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
const hashOf = (typed: string) => hashToken(`recovery ${written(typed)}`)

/** Replaces the codes of an account. @returns the new ones, which are stored only hashed */
export async function replaceRecoveryCodes(db: Db, accountId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: codesInSet }, () => shown(base32(randomBytes(codeBytes))))
  await deleteRecoveryCodes(db, accountId)
  await db
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ codeHash: hashOf(code), accountId, createdAt: now })))
    .execute()
  return codes
}

/** @returns false where there were none, used ones neither */
export async function deleteRecoveryCodes(db: Db, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Uses a code up. Of many attempts with the same code one succeeds. */
export async function takeRecoveryCode(
  db: Db,
  { accountId, code, now }: { accountId: string; code: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: now })
    .where('codeHash', '=', hashOf(code))
    .where('accountId', '=', accountId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
