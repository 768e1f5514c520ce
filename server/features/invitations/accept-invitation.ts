import type { AcceptForm, invitations } from '#contract/invitations.ts'
import { isPlaceholderSsn } from '#contract/ssn-rules.ts'
import { isLocal } from '#contract/user-forms.ts'
import { listMemberships } from '#server/features/users/users.ts'
import { addressKey } from '#server/platform/address.ts'
import type { Db } from '#server/platform/database.ts'
import { refuseGuessable } from '#server/platform/password-choice.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { canonicalSsn, openSsn, ssnColumns } from '#server/platform/ssn.ts'
import { markAccepted, writeAcceptance } from './accept-invitation.repository.ts'
import { findByToken } from './invitation-tokens.ts'
import type { OpenInvitation } from './invitations.repository.ts'

type Context = RequestContext<typeof invitations.accept>

/** One answer for a link that is used, expired, replaced or made up, and for one that is for something else. */
export const invalidInvitation = () => new Problem(404, 'invitationInvalid')

/**
 * Accepts an invitation. With a password the account is ready at once, in every organisation that invited it; with
 * BankID or the company's own sign-in it waits for the first one that brings the same personal number.
 */
export async function acceptInvitation(context: Context): Promise<undefined> {
  const { db, keys, input, now, limits, passwords, ip } = context
  const { firstName, lastName, password } = input
  const invitation = await open(context, db)
  if (!invitation) {
    // Whoever guesses is counted like a look-up; whoever has a link is not.
    await limits.take(db, [{ name: 'tokenLookup', key: addressKey(ip) }], now)
    throw invalidInvitation()
  }
  if (password !== undefined) {
    const organizations = (await listMemberships(db, invitation.accountId)).map(({ name }) => name)
    refuseGuessable(password, { email: invitation.email, firstName, lastName, organizations }, 'password')
  }
  const passwordHash = password === undefined ? null : await passwords.hash(password)

  await context.transact(async (trx, audit) => {
    const mine = await open(context, trx, true)
    if (!mine) throw invalidInvitation()
    const { accountId, email } = mine
    const pending = !isLocal(mine.loginMethod)
    const preferredLanguage = mine.preferredLanguage ?? requestLanguage(context.http.request)
    const known = mine.ssnSealed && (await openSsn(keys, accountId, mine.ssnSealed))
    const registered = known !== null && !isPlaceholderSsn(known)
    const number = await ssnOf(context, trx, accountId, known)
    await writeAcceptance(
      trx,
      accountId,
      { firstName, lastName, preferredLanguage, ...number, passwordHash, pending },
      now,
    )
    await markAccepted(trx, mine.invitationId, { now, ssnGiven: !registered && input.ssn !== null })
    const organizationIds = mine.organizationId ? [mine.organizationId] : []
    const who = { id: accountId, label: email, organizationIds }
    audit({
      name: 'acceptInvite',
      actor: who,
      target: who,
      organizationIds,
      before: {
        firstName: mine.firstName,
        lastName: mine.lastName,
        preferredLanguage: mine.preferredLanguage,
        ssn: known,
        pending: true,
      },
      after: { firstName, lastName, preferredLanguage, ssn: input.ssn ?? known, pending },
    })
  })
  return undefined
}

/** The invitation that the form is for: the token, the address and the method belong together. */
async function open(context: Context, db: Db, lock = false): Promise<OpenInvitation | undefined> {
  const { keys, now, input } = context
  const invitation = await findByToken(db, { keys, now, token: input.token, lock })
  const fits = invitation?.email === input.email && invitation.loginMethod === input.loginMethod
  return fits ? invitation : undefined
}

/** A number that an admin has registered is whom the invitation is for: another one does not take its place. */
async function ssnOf(
  { keys, input }: { keys: Context['keys']; input: AcceptForm },
  db: Db,
  accountId: string,
  known: string | null,
) {
  if (input.ssn === null) return {}
  if (known && !isPlaceholderSsn(known) && known !== canonicalSsn(input.ssn))
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'ssn', message: 'ssnNotInvited' }] })
  return ssnColumns(db, keys, { accountId, ssn: input.ssn })
}
