import { type RawBuilder, sql } from 'kysely'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { meetsFloor } from './sign-in-floor.ts'

/** An organisation in the claim `organizations` (docs/services.md). */
export interface OrganizationClaim {
  id: string
  name: string
  number: string | null
  /** `organizationAdmin` and `serviceAdmin`, where the person is one, and the service's own roles that they have there. */
  roles: string[]
  /** The service's own roles are too many for a token, and `userinfo` has them. */
  roles_omitted?: true
}

/** The most that a token carries of the service's own roles, in bytes of JSON. */
const maxRolesInToken = 2048

interface Asked {
  accountId: string
  serviceId: string
  amr: RawBuilder<unknown>
  /** For a token, whose size is limited. */
  inToken: boolean
}

/**
 * The organisations in which a person has a service and that the session reaches, and no others: which ones those are
 * concerns only that service.
 */
export async function listOrganizationClaims(
  db: Db,
  { accountId, serviceId, amr, inToken, organizationId: only }: Asked & { organizationId: string | null },
): Promise<OrganizationClaim[]> {
  const statement = db
    .selectFrom(currentAssignments)
    .innerJoin('organizations as o', 'o.organizationId', 'a.organizationId')
    .innerJoin(currentMemberships, (join) =>
      join.onRef('m.organizationId', '=', 'a.organizationId').onRef('m.accountId', '=', 'a.accountId'),
    )
    .innerJoin('users as u', 'u.accountId', 'a.accountId')
    .select(['o.organizationId', 'o.name', 'o.organizationNumber', 'm.userRole as memberRole', 'a.userRole'])
    .select(serviceRolesOf(amr).as('serviceRoles'))
    .where('a.accountId', '=', accountId)
    .where('a.serviceId', '=', serviceId)
    .where(meetsFloor(amr))
    .orderBy('o.name')
    .orderBy('o.organizationId')
  const { rows } = await executePrepared(db, only ? statement.where('o.organizationId', '=', only) : statement)
  const omitted = inToken ? beyondToken(rows.map(({ serviceRoles }) => serviceRoles)) : new Set()
  return rows.map(({ organizationId, name, organizationNumber, memberRole, userRole, serviceRoles }) => {
    const isOmitted = omitted.has(serviceRoles)
    return {
      id: organizationId,
      name,
      number: organizationNumber,
      roles: [...[memberRole, userRole].filter((role) => role !== 'regular'), ...(isOmitted ? [] : serviceRoles)],
      ...(isOmitted && { roles_omitted: true as const }),
    }
  })
}

/**
 * The lists that do not fit. The shorter ones come first, so that no organisation empties the list of another one that keeps to
 * its equal part.
 */
function beyondToken(lists: readonly string[][]): ReadonlySet<unknown> {
  let taken = 0
  return new Set(
    [...lists]
      .sort((one, other) => sizeOf(one) - sizeOf(other))
      .filter((list) => {
        taken += sizeOf(list)
        return taken > maxRolesInToken
      }),
  )
}

/** With quotes and commas; keys are ASCII. */
const sizeOf = (keys: readonly string[]) => keys.reduce((sum, key) => sum + key.length + 3, 0)

/** The claims `organization` and `roles` of the one organisation that a token is bound to. */
export async function readOrganizationClaim(db: Db, asked: Asked & { organizationId: string }) {
  const [found] = await listOrganizationClaims(db, asked)
  if (!found) return {}
  const { roles, ...organization } = found
  return { organization, roles }
}

/**
 * The keys of the service's roles that the assignment `a` counts with now. Those that need two factors only a session with two
 * has; without methods (null), all of them.
 */
export const serviceRolesOf = (amr: RawBuilder<unknown> | null): RawBuilder<string[]> => sql<string[]>`array(
  select r.key from current_service_roles h join service_roles r using (service_id, role_id)
  where h.account_id = a.account_id and h.organization_id = a.organization_id and h.service_id = a.service_id
    ${amr ? sql`and (not r.needs_two_factors or ${amr} ? 'mfa')` : sql``}
  order by r.key)`
