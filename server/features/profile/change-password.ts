import type { profile } from '#contract/profile.ts'
import { changeOwnPassword, revokeResetLinks } from '#server/features/password-reset/password-reset.ts'
import { proveOwnPassword } from '#server/features/sign-in/sign-in.ts'
import { listMemberships } from '#server/features/users/users.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { refuseGuessable } from '#server/platform/password-choice.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { findOwnForUpdate } from './profile.repository.ts'

/** Changes the own password: every other session ends with the old one, and the owner is told. */
export async function changePassword(
  context: RequestContext<typeof profile.changePassword>,
  provider: MountedProvider,
): Promise<undefined> {
  const { db, input, session, now, passwords } = context
  const { accountId } = session.user
  const checkedHash = await proveOwnPassword(context, input.oldPassword)
  const organizations = (await listMemberships(db, accountId)).map(({ name }) => name)
  refuseGuessable(input.newPassword, { ...session.user, organizations }, 'newPassword')
  const passwordHash = await passwords.hash(input.newPassword)

  const services = await context.transact(async (trx, audit) => {
    const row = found(await findOwnForUpdate(trx, accountId))
    const changed = row.passwordHash === checkedHash && (await changeOwnPassword(context, trx, row, passwordHash))
    // A reset came in between: what was proven is no longer the password.
    if (!changed) throw new Problem(401, 'invalidCredentials')
    // Whoever asked for one, in whatever mailbox it lies: it would undo this change.
    await revokeResetLinks(trx, accountId, now)
    audit({ name: 'changePassword', target: { id: accountId, label: row.email } })
    return endAllSessions(trx, accountId, { exceptSession: session.key })
  })
  provider.tellServices(services)
  return undefined
}
