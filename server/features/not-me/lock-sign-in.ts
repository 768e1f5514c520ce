import type { notMe } from '#contract/not-me/not-me.ts'
import { forgetFactorsSince } from '#server/credentials/factors/factors.repository.ts'
import { lockAccount } from '#server/credentials/not-me/locked-accounts.repository.ts'
import { notMePurpose } from '#server/credentials/not-me/not-me-link.ts'
import { revokeResetLinks } from '#server/credentials/reset-links.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { consumeToken, peekToken } from '#server/platform/secrets/one-time-tokens.ts'

/**
 * Closes the account to whoever got in: its sessions and open reset links end, second factors that were added since the mail
 * are off, and it signs in again after a reset of the password by mail. BankID and a company's sign-in are not the portal's
 * to lock.
 */
export async function lockSignIn(context: RequestContext<typeof notMe.lock>): Promise<string> {
  const { db, params, now } = context
  const use = { purpose: notMePurpose, token: params.token, now }
  if (!(await peekToken(db, use))) throw new Problem(404, 'linkNotValid')
  await context.transact(async (trx, audit) => {
    const used = await consumeToken(trx, use)
    const person = used && (await lockAccount(trx, used.subject, now))
    if (!person) return
    await revokeResetLinks(trx, person.accountId, now)
    await forgetFactorsSince(trx, person.accountId, new Date(String(used.data.since)))
    await endAllSessions(trx, person.accountId)
    const who = { id: person.accountId, label: person.email, organizationIds: person.organizationIds }
    audit({ name: 'lockSignIn', actor: who, target: who })
  })
  return '/not-me'
}
