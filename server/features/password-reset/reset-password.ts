import type { passwordResets } from '#contract/password-reset.ts'
import { isLocal } from '#contract/user-forms.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Db } from '#server/platform/database.ts'
import { consume, peek } from '#server/platform/one-time.ts'
import { refuseGuessable } from '#server/platform/password-choice.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { forgetWrongPasswords } from '../sign-in/sign-in.ts'
import { findPersonById, findPersonForUpdate, type ResetPerson } from './password-reset.repository.ts'
import { changeOwnPassword } from './password-reset.ts'
import { resetPurpose } from './send-reset.ts'

/** One answer for a link that is used, expired, replaced or made up, and for one of an account without a password. */
export const invalidLink = () => new Problem(404, 'resetLinkInvalid')

/** Whom a link is for, at this moment. */
export async function findByToken(db: Db, token: string, now: Date): Promise<ResetPerson | undefined> {
  const open = await peek(db, { purpose: resetPurpose, token, now })
  const person = open && (await findPersonById(db, open.subject))
  return person && isLocal(person.loginMethod) && !person.pending ? person : undefined
}

/** Sets a new password with a link's token: everything that the old one opened ends, and its limits are forgotten. */
export async function resetPassword(
  context: RequestContext<typeof passwordResets.reset>,
  provider: MountedProvider,
): Promise<undefined> {
  const { db, input, now, passwords } = context
  const { token, newPassword } = input
  const person = await findByToken(db, token, now)
  if (!person || person.email !== input.email) throw invalidLink()
  const { accountId, email, organizationIds } = person
  refuseGuessable(newPassword, { ...person, organizations: person.organizationNames }, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)

  const services = await context.transact(async (trx, audit) => {
    // The person first, as everywhere: a request for another link locks both, too.
    await findPersonForUpdate(trx, email)
    // Of any number that post the same link at once, one gets past this line.
    if (!(await consume(trx, { purpose: resetPurpose, token, now, subject: accountId }))) throw invalidLink()
    if (!(await changeOwnPassword(context, trx, person, passwordHash))) throw invalidLink()
    const who = { id: accountId, label: email, organizationIds }
    audit({ name: 'resetPassword', actor: who, target: who, organizationIds })
    const ended = await endAllSessions(trx, accountId)
    await forgetWrongPasswords(context, trx, email)
    return ended
  })
  provider.tellServices(services)
  return undefined
}
