import type { User } from '#contract/users.ts'
import { useCan } from '#web/lib/can.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'

/** What the reader may do with a person; the rules are the contract's. */
export interface UserAbilities {
  /** Everything, as super users. */
  manage: boolean
  /** Names, personal number, telephone. */
  details: boolean
  /** Last active, password reset. */
  administer: boolean
  /** Role and services in one of the organisations at least. */
  permissions: boolean
  /** Services alone. */
  handOut: boolean
  /** It is the reader. */
  own: boolean
}

export function useAbilities(user: User): UserAbilities {
  const can = useCan()
  const { me } = useSignedIn()
  const { accountId, superUser, organizations, services } = user
  const target = { accountId, superUser, organizationIds: organizations.map((one) => one.organizationId), services }
  const manage = can('manageUsers')
  return {
    manage,
    details: user.editable,
    administer: can('administerUser', target),
    permissions: manage || organizations.some((one) => can('administerOrganization', one)),
    handOut: organizations.some((one) => can('handOutServices', one)),
    own: me.accountId === accountId,
  }
}
