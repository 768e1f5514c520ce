import type { RawBuilder } from 'kysely'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { meetsFloor } from './sign-in-floor.ts'

/** An organisation in the claim `organizations` (docs/services.md). */
export interface OrganizationClaim {
  id: string
  name: string
  number: string | null
  /** `organizationAdmin` and `serviceAdmin`, where the person is one; empty for everyone else. */
  roles: string[]
}

interface Asked {
  accountId: string
  serviceId: string
  amr: RawBuilder<unknown>
}

/**
 * The organisations in which a person has a service and that the session reaches, and no others: which ones those are
 * concerns only that service.
 */
export async function listOrganizationClaims(
  db: Db,
  { accountId, serviceId, amr, organizationId: only }: Asked & { organizationId: string | null },
): Promise<OrganizationClaim[]> {
  const statement = db
    .selectFrom(currentAssignments)
    .innerJoin('organizations as o', 'o.organizationId', 'a.organizationId')
    .innerJoin(currentMemberships, (join) =>
      join.onRef('m.organizationId', '=', 'a.organizationId').onRef('m.accountId', '=', 'a.accountId'),
    )
    .innerJoin('users as u', 'u.accountId', 'a.accountId')
    .select(['o.organizationId', 'o.name', 'o.organizationNumber', 'm.userRole as memberRole', 'a.userRole'])
    .where('a.accountId', '=', accountId)
    .where('a.serviceId', '=', serviceId)
    .where(meetsFloor(amr))
    .orderBy('o.name')
    .orderBy('o.organizationId')
  const { rows } = await executePrepared(db, only ? statement.where('o.organizationId', '=', only) : statement)
  return rows.map(({ organizationId, name, organizationNumber, memberRole, userRole }) => ({
    id: organizationId,
    name,
    number: organizationNumber,
    roles: [memberRole, userRole].filter((role) => role !== 'regular'),
  }))
}

/** The claims `organization` and `roles` of the one organisation that a token is bound to. */
export async function readOrganizationClaim(db: Db, asked: Asked & { organizationId: string }) {
  const [found] = await listOrganizationClaims(db, asked)
  if (!found) return {}
  const { roles, ...organization } = found
  return { organization, roles }
}
