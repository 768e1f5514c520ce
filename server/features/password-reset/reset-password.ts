import type { passwordResets } from '#contract/password-reset/password-reset.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { changeOwnPassword } from '#server/credentials/change-own-password.ts'
import { freeOwner } from '#server/credentials/own-password.ts'
import { notePasswordFromMail } from '#server/credentials/passwords.repository.ts'
import { resetPurpose } from '#server/credentials/reset-links.ts'
import { giveAddressBack } from '#server/features/invitations/invitations.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { consumeToken, peekToken } from '#server/platform/secrets/one-time-tokens.ts'
import { rejectWeakPassword } from '#server/platform/secrets/password-policy.ts'
import {
  findPersonById,
  findPersonForUpdate,
  insertSuccessor,
  type ResetPerson,
  setAddressProof,
} from './password-reset.repository.ts'

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
  const { email } = person
  await rejectWeakPassword(context, newPassword, { ...person, organizations: person.organizationNames }, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)

  await context.transact(async (trx, audit) => {
    // Lock the person first, like every request for a link does, to avoid deadlocks.
    const locked = found(await findPersonForUpdate(trx, email))
    // Only one of several concurrent requests with the same link gets past this line.
    if (!(await consumeToken(trx, { purpose: resetPurpose, token, now, subject: locked.accountId })))
      throw invalidLink()
    const owner = mayBeSomebodyElses(locked) ? await takeBack(context, trx, audit, locked) : locked
    const { accountId, organizationIds } = owner
    if (!(await changeOwnPassword(context, trx, owner, passwordHash))) throw invalidLink()
    const isFirst = await notePasswordFromMail(trx, accountId, now)
    // The link came by mail, so it proves the address.
    await setAddressProof(trx, accountId, now)
    const who = { id: accountId, label: email, organizationIds }
    const proves = owner.addressProven ? {} : { emailProof: 'mailedLink' }
    audit({ name: 'resetPassword', actor: who, target: who, organizationIds, after: proves })
    await endAllSessions(trx, accountId)
    await freeOwner(context, trx, { accountId, email }, { again: !isFirst })
  })
  return undefined
}

/** Opened for an organisation, whose admin may have used the link that admins read: nobody has proven the address since. */
const mayBeSomebodyElses = ({ addressProven, openedFor, operates }: ResetPerson) =>
  !addressProven && openedFor !== null && !operates

/**
 * Ends the account, and opens another one for the owner of the mailbox: a `sub` never passes to another person (security 46). The
 * owner decides about each membership, which waits as an invitation.
 */
async function takeBack(
  { keys, now }: Pick<RequestContext, 'keys' | 'now'>,
  db: Db,
  audit: (entry: AuditEntry) => void,
  person: ResetPerson,
): Promise<ResetPerson> {
  const { accountId, email } = person
  const successorId = newId()
  await giveAddressBack({ db, keys, audit }, { accountId, email, successorId, joining: null, now })
  const successor = { ...person, accountId: successorId, openedFor: null, organizationIds: [], organizationNames: [] }
  await insertSuccessor(db, successor, now)
  return successor
}
