import type { User } from '#contract/users/users.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'

/** What the signed-in user may do with a user, by the rules of the contract. */
export interface UserAbilities {
  /** The invitation has not been accepted, so there is no account to edit yet. */
  invited: boolean
  /** Everything, for super users. */
  manage: boolean
  /** Change names, personal number and phone number. */
  details: boolean
  /** See and update last active; reset the password. */
  administer: boolean
  /** Help after every second factor was lost. */
  recover: boolean
  /** See the role and services in at least one organisation. */
  permissions: boolean
  /** Change something of them. */
  change: boolean
  /** The user is the signed-in user. */
  own: boolean
}

export function useAbilities(user: User): UserAbilities {
  const can = useCan()
  const { me } = useSignedIn()
  const { accountId, superUser, portalRole, organizations, services } = user
  const organizationIds = organizations.map((one) => one.organizationId)
  const target = { accountId, operates: superUser || portalRole !== null, organizationIds, organizations, services }
  const invited = user.pending
  const manage = can('manageUsers') && !invited
  return {
    invited,
    manage,
    details: user.editable,
    administer: can('administerUser', target),
    recover: can('recoverUser', target),
    permissions: manage || organizations.some((one) => can('readPeople', one)),
    change: organizations.some((one) => can('changeMembership', one)),
    own: me.accountId === accountId,
  }
}
