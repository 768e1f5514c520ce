import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { localList } from '#server/platform/database/method-lists.ts'

interface Identified {
  email: string
  /** Lookup indexes of the number, in hex: one for each key. */
  ssnIndexes: readonly string[]
  /** Whose session this browser has. */
  sessionOf: string | undefined
  /** Whose password this browser has just proven, and is asked for a second factor. */
  passwordOf: { accountId: string; authEpoch: number } | undefined
}

/**
 * Defined if the owner of this account identified, and BankID is their login method, or raises the session that they have in
 * this browser, or it stands in for a lost second factor after the password. There the number must be proven already. Else it
 * may be a claim: this address was typed, so the person who identified wants this account, and proves the number for it alone.
 * To the password of an account nothing is added by a number that came with that password. A number that is not known yet
 * (`placeholder…`) has an index that no real number can match.
 */
export async function findOwned(
  db: Db,
  { email, ssnIndexes, sessionOf, passwordOf }: Identified,
): Promise<{ isProven: boolean; afterPassword: boolean } | undefined> {
  const indexes = ssnIndexes.map((index) => Buffer.from(index, 'hex'))
  const isAlone = sql<boolean>`(login_method = 'bankid' or account_id = ${sessionOf ?? null}::uuid and ssn_claim is distinct from 'password')`
  const { rows } = await sql<{ isProven: boolean; afterPassword: boolean }>`
    select ssn_proof is not distinct from 'bankid' as "isProven", ${isAlone} is not true as "afterPassword"
    from users where email = ${email} and ssn_index = any(${indexes}) and (${isAlone} or
      login_method in (${localList}) and ssn_proof = 'bankid' and ssn_claim is null
      and account_id = ${passwordOf?.accountId ?? null}::uuid and auth_epoch = ${passwordOf?.authEpoch ?? null}::integer)`.execute(
    db,
  )
  return rows[0]
}
