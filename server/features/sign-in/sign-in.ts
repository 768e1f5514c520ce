import { isLocal } from '#contract/user-forms.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'
import { type CheckContext, checkPassword } from './credentials.ts'

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
