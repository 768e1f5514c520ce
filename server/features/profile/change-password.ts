import type { profile } from '#contract/profile/profile.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { listMemberships } from '#server/accounts/roles.repository.ts'
import { changeOwnPassword } from '#server/credentials/change-own-password.ts'
import { hasOnlyPassword } from '#server/credentials/fresh-proof/fresh-proof.ts'
import { freeOwner, proveOwnPassword } from '#server/credentials/own-password.ts'
import { revokeResetLinks } from '#server/credentials/reset-links.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { rejectWeakPassword } from '#server/platform/secrets/password-policy.ts'
import { findOwnForUpdate } from './profile.repository.ts'

/** Changes the user's own password, ends all other sessions, and notifies the user by mail. */
export async function changePassword(context: RequestContext<typeof profile.changePassword>): Promise<undefined> {
  const { db, config, input, session, now, passwords } = context
  const { accountId } = session.user
  // For who has no more, the password in this request is the proof.
  const hasMore = isLocal(session.user.loginMethod) && !(await hasOnlyPassword(db, session.user, config.passkeyRpId))
  context.requireFreshProof(hasMore)
  const checkedHash = await proveOwnPassword(context, input.oldPassword)
  const organizations = (await listMemberships(db, accountId)).map(({ name }) => name)
  await rejectWeakPassword(context, input.newPassword, { ...session.user, organizations }, 'newPassword')
  const passwordHash = await passwords.hash(input.newPassword)

  await context.transact(async (trx, audit) => {
    const row = found(await findOwnForUpdate(trx, accountId))
    const changed = row.passwordHash === checkedHash && (await changeOwnPassword(context, trx, row, passwordHash))
    // The password was reset meanwhile: the proven password is no longer current.
    if (!changed) throw new Problem(401, 'invalidCredentials')
    // An unused reset link, possibly in the wrong hands, could undo this change.
    await revokeResetLinks(trx, accountId, now)
    audit({ name: 'changePassword', target: { id: accountId, label: row.email } })
    await freeOwner(context, trx, row, { again: row.passwordFromMail })
    await endAllSessions(trx, accountId, { exceptSession: session.key })
  })
  return undefined
}
