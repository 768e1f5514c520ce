import type { Config } from '#server/config.ts'
import { findFactors } from '#server/credentials/factors/factors.repository.ts'
import {
  createHasFreshProof,
  freshFactors,
  hasProvenPhone,
  requireSecondProof,
} from '#server/credentials/fresh-proof/fresh-proof.ts'
import { mayUsePasskeys } from '#server/credentials/passkeys/who-may.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'

interface Context {
  db: Db
  config: Config
  session: Session
  now: Date
}

/**
 * Whether this session may add a key without another question: it has proven the strongest factor of the account within the
 * last minutes, more than a password, and the phone where the person has proven one.
 */
export const isProvenForKeys = async ({ db, config, session, now }: Context): Promise<boolean> =>
  freshFactors(session.proofs, now).some((factor) => factor !== 'password') &&
  (await createHasFreshProof(db, config.passkeyRpId)(session, now)) &&
  hasProvenPhone(session, await findFactors(db, session.user.accountId, config.passkeyRpId))

/**
 * Refuses to add a key. The door has asked for a fresh proof by the strongest factor.
 *
 * @throws Problem 409 `passkeysNotAllowed` for an account that gets none, 403 `codeRequired` after a password alone,
 * `smsCodeRequired` after a code by mail where the person has proven a phone
 */
export async function requireEnrolment({ db, config, session, now }: Context): Promise<void> {
  if (!(await mayUsePasskeys(db, session.user.accountId))) throw new Problem(409, 'passkeysNotAllowed')
  requireSecondProof(session, now)
  const own = await findFactors(db, session.user.accountId, config.passkeyRpId)
  if (!hasProvenPhone(session, own)) throw new Problem(403, 'smsCodeRequired')
}
