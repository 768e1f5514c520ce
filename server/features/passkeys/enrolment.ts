import type { Config } from '#server/config.ts'
import { findFactors } from '#server/credentials/factors/factors.repository.ts'
import {
  createHasFreshProof,
  freshFactors,
  hasProvenMoreThanMail,
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
 * last minutes, more than a password, and more than the mailbox where the person has more.
 */
export const isProvenForKeys = async ({ db, config, session, now }: Context): Promise<boolean> =>
  freshFactors(session.proofs, now).some((factor) => factor !== 'password') &&
  (await createHasFreshProof(db, config.passkeyRpId)(session, now)) &&
  hasProvenMoreThanMail(session, await findFactors(db, session.user.accountId, config.passkeyRpId), config)

/**
 * Refuses to add a key. The door has asked for a fresh proof by the strongest factor.
 *
 * @throws Problem 409 `passkeysNotAllowed` for an account that gets none, 403 `codeRequired` after a password alone,
 * `moreThanMailRequired` after a code by mail where the person has proven a phone or has BankID
 */
export async function requireEnrolment({ db, config, session, now }: Context): Promise<void> {
  if (!(await mayUsePasskeys(db, session.user.accountId))) throw new Problem(409, 'passkeysNotAllowed')
  requireSecondProof(session, now)
  const own = await findFactors(db, session.user.accountId, config.passkeyRpId)
  if (!hasProvenMoreThanMail(session, own, config)) throw new Problem(403, 'moreThanMailRequired')
}
