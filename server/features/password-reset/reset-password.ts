import type { passwordResets } from '#contract/password-reset.ts'
import { isLocal } from '#contract/user-forms.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { consumeToken, peekToken } from '#server/platform/secrets/one-time-tokens.ts'
import { rejectGuessablePassword } from '#server/platform/secrets/password-policy.ts'
import { forgetWrongPasswords } from '../sign-in/sign-in.ts'
import { findPersonById, findPersonForUpdate, type ResetPerson, setAddressProof } from './password-reset.repository.ts'
import { changeOwnPassword } from './password-reset.ts'
import { resetPurpose } from './send-reset.ts'

/** The same answer for a link that is used, expired, replaced or made up, or whose account has no password. */
export const invalidLink = () => new Problem(404, 'resetLinkInvalid')

/** Finds the person of a valid link. */
export async function findByToken(db: Db, token: string, now: Date): Promise<ResetPerson | undefined> {
  const open = await peekToken(db, { purpose: resetPurpose, token, now })
  const person = open && (await findPersonById(db, open.subject))
  return person && isLocal(person.loginMethod) && !person.pending ? person : undefined
}

/** Sets a new password with a link's token. Ends all sessions and tokens, and resets the wrong-password limits. */
export async function resetPassword(context: RequestContext<typeof passwordResets.reset>): Promise<undefined> {
  const { db, input, now, passwords } = context
  const { token, newPassword } = input
  const person = await findByToken(db, token, now)
  if (!person || person.email !== input.email) throw invalidLink()
  const { accountId, email, organizationIds } = person
  rejectGuessablePassword(newPassword, { ...person, organizations: person.organizationNames }, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)

  await context.transact(async (trx, audit) => {
    // Lock the person first, like every request for a link does, to avoid deadlocks.
    await findPersonForUpdate(trx, email)
    // Only one of several concurrent requests with the same link gets past this line.
    if (!(await consumeToken(trx, { purpose: resetPurpose, token, now, subject: accountId }))) throw invalidLink()
    if (!(await changeOwnPassword(context, trx, person, passwordHash))) throw invalidLink()
    // The link came by mail, so it proves the address.
    await setAddressProof(trx, accountId, now)
    const who = { id: accountId, label: email, organizationIds }
    const proves = person.addressProven ? {} : { emailProof: 'mailedLink' }
    audit({ name: 'resetPassword', actor: who, target: who, organizationIds, after: proves })
    await endAllSessions(trx, accountId)
    await forgetWrongPasswords(context, trx, email)
  })
  return undefined
}
