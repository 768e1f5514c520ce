import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

interface Identified {
  email: string
  /** Lookup indexes of the number, in hex: one for each key. */
  ssnIndexes: readonly string[]
  /** Whose session this browser has. */
  sessionOf: string | undefined
}

/**
 * Defined if the owner of this account identified, and BankID is their login method, or raises the session that they have in
 * this browser. The number may be a claim: this address was typed, so the person who identified wants this account, and proves the
 * number for it alone. A number that is not known yet (`placeholder…`) has an index that no real number can match.
 */
export async function findOwned(
  db: Db,
  { email, ssnIndexes, sessionOf }: Identified,
): Promise<{ isProven: boolean } | undefined> {
  const indexes = ssnIndexes.map((index) => Buffer.from(index, 'hex'))
  const { rows } = await sql<{ isProven: boolean }>`
    select ssn_proof is not distinct from 'bankid' as "isProven" from users where email = ${email} and ssn_index = any(${indexes})
      and (login_method = 'bankid' or account_id = ${sessionOf ?? null}::uuid)`.execute(db)
  return rows[0]
}
