import { isLocal } from '#contract/user-forms.ts'
import { addressKey } from '#server/platform/address.ts'
import type { Db } from '#server/platform/database.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'
import { type CheckContext, checkPassword, limitsFor } from './credentials.ts'

/**
 * Makes somebody who is signed in prove the own password once more, under the limits of every sign-in. A wrong one
 * leaves its `loginFailure`, so the call must declare that event.
 *
 * @returns the stored hash that the password was checked against: a change compares it again, once the row is locked
 * @throws Problem 401 `invalidCredentials`, 409 `passwordNotForMethod`, 429, 503
 */
export async function proveOwnPassword(context: CheckContext & { session: Session }, password: string) {
  const { email, loginMethod } = context.session.user
  if (!isLocal(loginMethod)) throw new Problem(409, 'passwordNotForMethod')
  const person = await checkPassword(context, { email, password, methods: [loginMethod] })
  if (!person) throw new Problem(401, 'invalidCredentials')
  return person.passwordHash
}

/**
 * Forgets the wrong passwords of an account, as far as they stand in the way of this browser and this address: whoever
 * has just chosen a new one by a link gets in at once. Not the wrong codes: who reads the mail could guess on for ever.
 */
export async function forgetWrongPasswords(context: CheckContext, db: Db, email: string): Promise<void> {
  const { pair, others } = limitsFor(context, email, addressKey(context.ip))
  const ofAccount = others.filter(({ name }) => name !== 'addressFailures')
  await context.limits.forget(db, [pair, ...ofAccount, { name: 'wrongPasswordAccount', key: email }])
}
