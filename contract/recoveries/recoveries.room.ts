import { type Actor, may, type PersonTarget } from '#contract/actor.ts'
import { holdsNoMore } from '#contract/organization-roles/holds-no-more.ts'

export const permissions = {
  /**
   * Help somebody who has lost every second factor. The admins of one of several organisations may not, however many they are: the
   * factors guard the others, too. Nobody helps themselves, or somebody with more rights.
   */
  recoverUser: (actor: Actor, target?: PersonTarget) =>
    (actor.superUser ||
      (target
        ? !target.operates &&
          target.organizationIds.length > 0 &&
          target.organizationIds.every((organizationId) => may(actor, 'helpPeople', organizationId)) &&
          holdsNoMore(actor, target)
        : may(actor, 'helpPeople'))) &&
    actor.accountId !== target?.accountId,
}

export const auditEvents = ['askForRecovery', 'confirmRecovery', 'stopRecovery', 'recoverAccount'] as const
