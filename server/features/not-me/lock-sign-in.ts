import type { notMe } from '#contract/not-me/not-me.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import { forgetFactorsSince } from '#server/credentials/factors/forget-factors.repository.ts'
import { endRecoveriesAskedBy, endRecovery } from '#server/credentials/factors/recoveries.repository.ts'
import { lockAccount } from '#server/credentials/not-me/locked-accounts.repository.ts'
import { notMePurpose } from '#server/credentials/not-me/not-me-link.ts'
import { revokeResetLinks } from '#server/credentials/reset-links.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { consumeToken, peekToken, revokeTokens } from '#server/platform/secrets/one-time-tokens.ts'

/** A mail of last week takes no factor away: somebody who reads the owner's mail would be rid of it. */
const factorsForHours = 48

/**
 * Closes the account to somebody who got in: its sessions, open reset links, a recovery that an admin asked for, and those that
 * it asked for as an admin, end; second factors that were added since the mail, and within two days, are off, and it signs in
 * again after a reset of the password by mail, where a factor was taken off with more than the mailbox. BankID and a company's sign-in are not the portal's to lock.
 */
export async function lockSignIn(context: RequestContext<typeof notMe.lock>): Promise<string> {
  const { db, config, params, now, requestId } = context
  const use = { purpose: notMePurpose, token: params.token, now }
  if (!(await peekToken(db, use))) throw new Problem(404, 'linkNotValid')
  await context.transact(async (trx, audit) => {
    const used = await consumeToken(trx, use)
    const person = used && (await lockAccount(trx, used.subject, now))
    if (!person) return
    await revokeResetLinks(trx, person.accountId, now)
    const stopped = await endRecovery(trx, person.accountId)
    // The other mails of before are of no use any more, not to a thief of the mailbox either.
    await revokeTokens(trx, { purpose: notMePurpose, subject: used.subject }, now)
    const lately = now.getTime() - factorsForHours * 3_600_000
    const since = Math.max(lately, Date.parse(String(used.data.since)))
    await forgetFactorsSince(trx, person.accountId, new Date(since), config.passkeyRpId)
    await endAllSessions(trx, person.accountId)
    const who = { id: person.accountId, label: person.email, organizationIds: person.organizationIds }
    if (stopped) await writeAuditEvent(trx, { name: 'stopRecovery', actor: who, target: who }, { requestId, now })
    for (const accountId of await endRecoveriesAskedBy(trx, person.accountId)) {
      const owner = await findUser(trx, accountId)
      if (!owner) continue
      const event = { target: labelled(owner), organizationIds: organizationIdsOf(owner) }
      await writeAuditEvent(trx, { name: 'stopRecovery', actor: who, ...event }, { requestId, now })
    }
    audit({ name: 'lockSignIn', actor: who, target: who })
  })
  return '/not-me'
}
