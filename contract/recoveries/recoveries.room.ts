import type { Actor, UserTarget } from '#contract/actor.ts'
import { permissions as users } from '#contract/users/users.room.ts'

export const permissions = {
  /**
   * Help somebody who has lost every second factor. The admins of one of several organisations may not, however many they are: the
   * factors guard the others, too. Nobody helps themselves.
   */
  recoverUser: (actor: Actor, target?: UserTarget) =>
    users.updateUser(actor, target) && actor.accountId !== target?.accountId,
}

export const auditEvents = ['askForRecovery', 'confirmRecovery', 'stopRecovery', 'recoverAccount'] as const
