import type { invitations } from '#contract/invitations/invitations.ts'
import { isCompany } from '#contract/login-methods.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { freeOwner } from '#server/credentials/own-password.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import { ssnColumns } from '#server/platform/secrets/ssn.ts'
import {
  type Acceptance,
  type AccountAtAddress,
  insertAccount,
  lockAccountAt,
} from './account-at-address.repository.ts'
import { giveAddressBack } from './give-address-back.ts'
import type { OpenLink } from './invitation-tokens.ts'

/** What accepting an invitation without a session needs. */
export interface AccountOpening {
  context: RequestContext<typeof invitations.accept>
  link: OpenLink
  passwordHash: string | null
}

export interface OpenedAccount {
  accountId: string
  authEpoch: number
  acceptance: Acceptance
}

/**
 * True if the link may replace the existing account at its address: only the mailed link, and only while no one has
 * proven the address or ever signed in. The shown link can only create new accounts.
 */
export function mayReplace(account: AccountAtAddress, { invitation, mailed }: OpenLink): boolean {
  const { operates, isProven, pending } = account
  return mailed && (!isProven || pending) && !operates && invitation.organizationId !== null
}

/**
 * Creates the account of the invited person; one that it replaces ends. When two links are used concurrently, the second
 * finds the account of the first.
 *
 * @param refuse returns the error to throw when the existing account may not be replaced
 */
export async function openAccount(
  db: Db,
  audit: (entry: AuditEntry) => void,
  opening: AccountOpening,
  refuse: () => Error,
): Promise<OpenedAccount> {
  const { invitation } = opening.link
  const { email } = invitation
  const accountId = newId()
  const acceptance = acceptanceFor(opening, accountId)
  const account = { ...acceptance, accountId, email, superUser: invitation.organizationId === null }
  const authEpoch = await insertAccount(db, account)
  if (authEpoch !== undefined) return { accountId, authEpoch, acceptance }
  const before = found(await lockAccountAt(db, email))
  if (!mayReplace(before, opening.link)) throw refuse()
  const { context, link } = opening
  const { now, keys } = context
  const joining = link.invitation.organizationId
  await giveAddressBack(
    { db, keys, audit },
    { accountId: before.accountId, email, successorId: accountId, joining, now },
  )
  await freeOwner(context, db, { accountId: before.accountId, email }, { again: false })
  return { accountId, authEpoch: found(await insertAccount(db, account)), acceptance }
}

function acceptanceFor({ context, link, passwordHash }: AccountOpening, accountId: string): Acceptance {
  const { input, keys, now, http } = context
  const { loginMethod, samlConfigId } = link.invitation
  const pending = !isLocal(loginMethod)
  return {
    firstName: input.firstName,
    lastName: input.lastName,
    preferredLanguage: detectLanguage(http.request),
    ...ssnColumns(keys, { accountId, ssn: input.ssn }),
    // An admin can read the shown link, and enter a number of their own.
    ...(link.mailed || input.ssn === null ? {} : { ssnClaim: 'admin' }),
    loginMethod,
    samlConfigId: isCompany(loginMethod) ? samlConfigId : null,
    passwordHash,
    passwordChangedAt: passwordHash === null ? null : now,
    pending,
    lastActive: pending ? null : now,
    emailProof: link.mailed ? 'mailedLink' : null,
    emailProvenAt: link.mailed ? now : null,
    openedFor: link.invitation.organizationId,
  }
}
