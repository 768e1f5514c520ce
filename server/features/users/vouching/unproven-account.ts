import type { StoredUser } from '#server/accounts/stored-user.repository.ts'
import { isProof } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { setOperatorProof } from '../users.repository.ts'

type Roles = Pick<StoredUser, 'organizations' | 'services'>
interface Wanted {
  superUser?: boolean | undefined
  portalRole?: string | null | undefined
  organizations?: readonly { organizationId: string; userRole: string }[] | undefined
  services?: readonly { organizationId: string; serviceId: string; userRole: string }[] | undefined
}

/** True if the change gives a membership or a role: super user, one in the portal, organisation admin or service admin. */
export function givesAccess(
  before: Roles & { superUser: boolean; portalRole: string | null },
  wanted: Wanted,
): boolean {
  const { superUser = false, portalRole = null, organizations = [], services = [] } = wanted
  const role = new Map(before.organizations.map((one) => [one.organizationId, one.userRole]))
  const admins = new Set(before.services.filter(isAdmin).map(keyOf))
  return (
    (superUser && !before.superUser) ||
    (portalRole !== null && before.portalRole === null) ||
    organizations.some(
      ({ organizationId, userRole }) =>
        !role.has(organizationId) ||
        (userRole === 'organizationAdmin' && role.get(organizationId) !== 'organizationAdmin'),
    ) ||
    services.some((one) => isAdmin(one) && !admins.has(keyOf(one)))
  )
}

const isAdmin = ({ userRole }: { userRole: string }) => userRole === 'serviceAdmin'
const keyOf = (one: { organizationId: string; serviceId: string }) => `${one.organizationId} ${one.serviceId}`

/**
 * What a super user must know before giving access to an account whose address nobody has proven: somebody else may have
 * opened it. With a reason, the operator vouches for it (product-rules 11.2, security 47). The database refuses memberships
 * of accounts that nobody vouches for.
 *
 * @returns what the audit event adds
 * @throws Problem 409 `addressNotProven` without a reason
 */
export async function vouchFor(
  db: Db,
  { accountId, emailProof }: Pick<StoredUser, 'accountId' | 'emailProof'>,
  reason: string | undefined,
): Promise<{ unprovenReason?: string }> {
  if (isProof(emailProof)) return {}
  if (reason === undefined) throw new Problem(409, 'addressNotProven')
  if (emailProof === null) await setOperatorProof(db, accountId)
  return { unprovenReason: reason }
}
