import type { AcceptForm } from '#contract/invitations/accept-form.ts'
import type { invitations } from '#contract/invitations/invitations.ts'
import { isCompany } from '#contract/login-methods.ts'
import { issueTicket } from '#server/credentials/ticket.ts'
import { amrOfLogin } from '#server/oidc/sign-in-method.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { Problem } from '#server/platform/problem.ts'
import { rejectWeakPassword } from '#server/platform/secrets/password-policy.ts'
import { becomeMember } from './become-member.ts'
import { findByToken, type OpenLink } from './invitation-tokens.ts'
import { type OpenedAccount, openAccount } from './open-account.ts'

type Context = RequestContext<typeof invitations.accept>

/** The same answer for a link that is used, expired, replaced, made up, or meant for something else. */
export const invalidInvitation = () => new Problem(404, 'invitationInvalid')

/** Counts an invalid token against the limit of link look-ups. Valid links are not counted. */
export async function limitGuesses({ db, limits, ip, now }: Pick<Context, 'db' | 'limits' | 'ip' | 'now'>) {
  await limits.take(db, [{ name: 'tokenLookup', key: addressKey(ip) }], now)
}

/**
 * Accepts an invitation by its link. With a password the account is active immediately. With BankID or SAML it stays
 * pending until the first sign-in with the same personal number.
 */
export async function acceptInvitation(context: Context): Promise<undefined> {
  const { db, input, passwords, limits, now } = context
  const { firstName, lastName, password } = input
  const link = await openLink(context, db)
  if (!link) {
    await limitGuesses(context)
    throw invalidInvitation()
  }
  refuseUnreachable(link)
  const { email, organizationName } = link.invitation
  if (input.ssn !== null) await limits.take(db, numberAttempts(link.invitation), now)
  if (password !== undefined) {
    const organizations = organizationName ? [organizationName] : []
    await rejectWeakPassword(context, password, { email, firstName, lastName, organizations }, 'password')
  }
  const passwordHash = password === undefined ? null : await passwords.hash(password)
  await context.transact((trx, audit) => accept(context, trx, audit, passwordHash))
  return undefined
}

/** An attempt at a number counts for the person, for who invited, and for the organisation, however often they invite. */
function numberAttempts({ email, organizationId, invitedBy }: OpenLink['invitation']): LimitKey[] {
  const letIn = [organizationId, invitedBy].filter((key) => key !== null)
  return [
    { name: 'ownSsn', key: `${organizationId} ${email}` },
    ...letIn.map((key) => ({ name: 'ssnOfPeople', key }) as const),
  ]
}

async function accept(
  context: Context,
  db: Db,
  audit: (entry: AuditEntry) => void,
  passwordHash: string | null,
): Promise<void> {
  const link = await openLink(context, db, true)
  if (!link) throw invalidInvitation()
  const { invitation, mailed } = link
  // Only the holder of the mailed link may learn that an account exists.
  const refuse = () => (mailed && invitation.organizationId ? new Problem(409, 'signInToAccept') : invalidInvitation())
  const opened = await openAccount(db, audit, { context, link, passwordHash }, refuse)
  const { accountId } = opened
  const membership = await becomeMember(
    context,
    db,
    { ...invitation, ...context.input, accountId },
    invitation,
    'opened',
  )
  const organizationIds = invitation.organizationId ? [invitation.organizationId] : []
  const who = { id: accountId, label: invitation.email, organizationIds }
  audit({
    name: 'acceptInvite',
    actor: who,
    target: who,
    organizationIds,
    // What an account that is replaced was before, other organisations know: the event is as if there had been none.
    after: { ...afterOf(opened, context.input), ...membership },
  })
  if (mailed && passwordHash !== null) await letIn(context, db, opened)
}

/**
 * Somebody who has the mailed link and has just chosen the password need not sign in: the link counts as the mailed code. It
 * may have been passed on, so what adds a factor or is dangerous asks for a code that this mailbox gets now.
 */
async function letIn(context: Context, db: Db, { accountId, authEpoch, acceptance }: OpenedAccount): Promise<void> {
  const amr = amrOfLogin(acceptance.loginMethod)
  await issueTicket({ ...context, db }, context.http.reply, { accountId, amr, isOfEarlier: true, authEpoch })
}

function afterOf({ acceptance }: OpenedAccount, { ssn }: AcceptForm) {
  const { firstName, lastName, preferredLanguage, loginMethod, samlConfigId, emailProof, pending } = acceptance
  return { firstName, lastName, preferredLanguage, ssn, loginMethod, samlConfigId, emailProof, pending }
}

/** Finds the link's invitation, if the form's token, address and login method match it. */
async function openLink(context: Context, db: Db, lock = false): Promise<OpenLink | undefined> {
  const { keys, now, input } = context
  const link = await findByToken(db, { keys, now, token: input.token, lock })
  const fits = link?.invitation.email === input.email && link.invitation.loginMethod === input.loginMethod
  return fits ? link : undefined
}

/**
 * A link shown to an admin proves nothing. SAML sign-in outside the company's domain requires a proven address, and an
 * address in the domain of another company is not to be taken before its owner has signed in there.
 */
export function refuseUnreachable({ invitation, mailed }: OpenLink): void {
  const { loginMethod, isInSamlDomain, isInDomainOfOthers } = invitation
  if (!mailed && (isInDomainOfOthers || (isCompany(loginMethod) && !isInSamlDomain)))
    throw new Problem(409, 'invitationLinkByMailOnly')
}
