import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'
import type { Session } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import { proofsOf } from '../proofs.ts'

/**
 * Adds proven methods to a session, under a new id: someone who knows the old one gains nothing from the stronger session. When
 * the person authenticated stays as it is, and so do the services of the session.
 *
 * @returns the new id, for the cookie; undefined if the session has ended since
 */
export async function raiseSession(
  db: Db,
  session: Session,
  { amr: proven, at }: { amr: readonly string[]; at: Date },
): Promise<string | undefined> {
  const id = generateToken()
  const amr = JSON.stringify([...new Set([...session.amr, ...proven])])
  const { numAffectedRows } = await sql`
    update sessions s set id_hash = ${hashId(id)}, payload = jsonb_set(s.payload, '{amr}', ${amr}::jsonb),
      proofs = s.proofs || ${JSON.stringify(proofsOf(proven, at))}::jsonb
    from users u
    where s.id_hash = ${Buffer.from(session.key, 'hex')} and u.account_id = s.account_id and u.auth_epoch = s.auth_epoch
      and u.passive_at is null and not u.pending`.execute(db)
  return numAffectedRows === 1n ? id : undefined
}
