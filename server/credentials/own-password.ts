import { fallbackLanguage } from '#contract/languages.ts'
import { localMethods } from '#contract/login-methods.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { endSession } from '#server/oidc/end-sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session, SessionUser } from '#server/platform/system.ts'
import { forgetStrangers } from './code-limits.ts'
import { type CheckContext, checkPassword } from './credentials.ts'
import { takesMail } from './factors/factors.repository.ts'
import { limitsFor } from './password-limits.ts'

/**
 * Requires a signed-in user to enter their own password again, under the same limits as a sign-in. A wrong password is
 * audited as `loginFailure`, so the call must declare that event. Too many end the session and notify the owner by mail.
 *
 * @returns the stored hash that the password was checked against; a change must compare it again after locking the row
 * @throws Problem 401 `invalidCredentials`, 409 `passwordNotForMethod`, 429, 503
 */
export async function proveOwnPassword(
  context: CheckContext & { session: Session },
  password: string,
): Promise<string | null> {
  const { uid, user } = context.session
  const { email, loginMethod } = user
  if (!isLocal(loginMethod)) throw new Problem(409, 'passwordNotForMethod')
  const endIt = async (db: Db) => {
    await endSession(db, uid)
    await notifyOwner(context, db, user)
  }
  const within = { limit: { name: 'wrongOwnPassword', key: uid }, endIt } as const
  const person = await checkPassword(context, { email, password, methods: localMethods }, within)
  if (!person) throw new Problem(401, 'invalidCredentials')
  return person.passwordHash
}

/** Wrong guesses in an open session can mean that someone is trying to take the account over. */
const notifyOwner = ({ outbox, now }: CheckContext, db: Db, user: SessionUser) =>
  outbox.mail(
    db,
    mailMessage({
      template: 'wrong-passwords',
      to: { address: user.email, accountId: user.accountId },
      language: user.preferredLanguage ?? fallbackLanguage,
      values: { firstName: user.firstName, at: now.toISOString() },
    }),
  )

/**
 * A new password frees its owner, who can sign in immediately: resets the wrong-password limits of the account for this browser
 * and address, and what the holder of the old password used up.
 *
 * @param again the old password came by mail, too: somebody who reads the mail, and guesses another factor, does not begin anew
 */
export async function freeOwner(
  context: CheckContext,
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  { again }: { again: boolean },
): Promise<void> {
  if (!again || (await takesMail(db, { accountId, mailInDoubt: true }, context.config.passkeyRpId)))
    await forgetStrangers(context, db, accountId)
  const { pair, others } = limitsFor(context, email, addressKey(context.ip))
  const ofAccount = others.filter(({ name }) => name !== 'addressFailures')
  await context.limits.forget(db, [pair, ...ofAccount, { name: 'wrongPasswordAccount', key: email }])
}
