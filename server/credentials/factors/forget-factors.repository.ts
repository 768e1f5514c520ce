import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { ownProofs, twoStepList } from '#server/platform/database/method-lists.ts'
import { endKeysSince } from '../passkeys/passkeys.repository.ts'
import { forgetUsual } from './factors.repository.ts'

/**
 * The app, the recovery codes, the keys and the numbers that came since then are no factors: somebody else added them. It is also
 * the mailbox alone that says so: where one that sign-in asked for is gone, mail alone does not sign in either.
 */
export async function forgetFactorsSince(db: Db, accountId: string, since: Date, rpId: string): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('accountId', '=', accountId).where('createdAt', '>=', since).execute()
  const apps = db.deleteFrom('authenticatorApps').where('accountId', '=', accountId).where('createdAt', '>=', since)
  const hadApp = (await apps.returning('accountId').execute()).length > 0
  const hadKey = await endKeysSince(db, accountId, since)
  const { rows } = await sql<{ counted: boolean }>`
    update users u set
      phone_claim = case when u.phone_entered_at >= ${since} then 'password' else u.phone_claim end,
      ssn_claim = case when u.ssn_entered_at >= ${since} then 'password' else u.ssn_claim end
    from users before
    where u.account_id = ${accountId} and before.account_id = u.account_id
      and (u.phone_entered_at >= ${since} or u.ssn_entered_at >= ${since})
    returning before.phone_number is not null and before.phone_claim is null and u.phone_claim is not null
      or before.ssn_proof in (${ownProofs}) and before.ssn_claim is null and u.ssn_claim is not null as counted`.execute(
    db,
  )
  if (hadApp || hadKey || rows[0]?.counted)
    await sql`update users set mail_refused = 'notMe'
      where account_id = ${accountId} and (login_method in (${twoStepList}) or usual_factor is not null or must_enrol)`.execute(
      db,
    )
  for (const gone of ['app', 'passkey', 'sms'] as const)
    await forgetUsual(db, accountId, gone, { rpId, wasTaken: true })
}

/** Somebody helps who has lost everything: numbers are no factors before the person says so again, and mail is one. */
export const forgetNumbers = async (db: Db, accountId: string): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update users set mail_refused = null,
      phone_claim = case when phone_number is not null then coalesce(phone_claim, 'password') end,
      ssn_claim = case when ssn_sealed is not null then coalesce(ssn_claim, 'password') end
    where account_id = ${accountId} and (mail_refused is not null or phone_number is not null and phone_claim is null
      or ssn_proof in (${ownProofs}) and ssn_claim is null)`.execute(db)
  return numAffectedRows === 1n
}
