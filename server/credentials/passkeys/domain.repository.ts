import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { ConfigError } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import { numberList } from '#server/platform/database/method-lists.ts'

/** A person who has live keys of another domain. */
export interface Loser {
  accountId: string
  email: string
  rpId: string
  keys: number
  /** No password and no BankID: nothing is left once the keys are gone. */
  losesEverything: boolean
}

/** Whose keys end when passkeys move to this domain. */
export async function listLosers(db: Db, rpId: string): Promise<Loser[]> {
  const { rows } = await sql<Loser>`
    select u.account_id as "accountId", u.email, string_agg(distinct p.rp_id, ', ') as "rpId", count(*)::integer as keys,
      u.password_hash is null and not (u.login_method in (${numberList}) and u.ssn_sealed is not null) as "losesEverything"
    from passkeys p join users u using (account_id)
    where p.ended_at is null and p.rp_id <> ${rpId}
    group by u.account_id order by u.email`.execute(db)
  return rows
}

/**
 * The first passkey fixes the domain: with another one every passkey would stop working, without a word. Elsewhere than in
 * production they only rest.
 *
 * @throws ConfigError with what to do
 */
export async function refuseOtherDomain(
  { db }: { db: Db },
  { production, passkeyRpId }: Pick<Config, 'production' | 'passkeyRpId'>,
): Promise<void> {
  if (!production) return
  const losers = await listLosers(db, passkeyRpId)
  const [first] = losers
  if (first)
    throw new ConfigError(
      `PASSKEY_RP_ID is ${passkeyRpId}, but people have passkeys of ${first.rpId}: ${losers.length}. ` +
        'npm run admin -- passkeys move says who loses what.',
    )
}
