import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import type { LoginMethod } from '#contract/roles.ts'
import type { HeldRole, Membership, ShownBrand } from '#contract/session/session.ts'
import type { Assignment } from '#contract/users/assignment.ts'
import { meetsFloor, provable } from '#server/oidc/reach/sign-in-floor.ts'
import {
  currentAssignments,
  currentMemberships,
  periodOf,
  rolePeriod,
} from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A membership, with the version of what its admins see of the person. */
type StoredMembership = Membership & { version: number; brand: ShownBrand | null }

/** A person's organisations, in Swedish alphabetical order, also those where membership or role begin later or have ended. */
export const listMemberships = (db: Db, accountId: string) =>
  readMemberships(db, accountId, 'memberships as m', 'allHeldRoles')

/** Those that the person belongs to today, with today's role. */
export const listCurrentMemberships = (db: Db, accountId: string) =>
  readMemberships(db, accountId, currentMemberships, 'heldRoles')

async function readMemberships(
  db: Db,
  accountId: string,
  table: 'memberships as m',
  roles: 'allHeldRoles' | 'heldRoles',
): Promise<StoredMembership[]> {
  const rows = await db
    .selectFrom(table)
    .innerJoin('organizations as o', 'o.organizationId', 'm.organizationId')
    .innerJoin('users as u', 'u.accountId', 'm.accountId')
    .select(['o.organizationId', 'o.name', 'o.organizationNumber', 'm.userRole', 'm.version'])
    .select([...periodOf('m'), ...rolePeriod])
    .select(heldRoles(roles).as('roles'))
    .select(scopedRoles({ today: roles === 'heldRoles' }).as('scoped'))
    .select(roles === 'allHeldRoles' ? rolesUntil.as('rolesUntil') : sql<null>`null`.as('rolesUntil'))
    .select(sql<LoginMethod | null>`case when not ${meetsFloor(provable)} then o.login_method end`.as('cannotEnter'))
    .leftJoin('organizationBrands as b', 'b.organizationId', 'm.organizationId')
    .select(['b.hue', 'b.logo', 'b.darkLogo'])
    .where('m.accountId', '=', accountId)
    .orderBy('o.name')
    .orderBy('o.organizationId')
    .execute()
  return rows.map(({ cannotEnter, roles, scoped, rolesUntil, hue, logo, darkLogo, ...membership }) => ({
    ...membership,
    brand: hue === null && logo === null ? null : { hue, logo, darkLogo },
    ...(roles && { roles }),
    ...(scoped && { scoped }),
    ...(rolesUntil && { rolesUntil }),
    ...(cannotEnter && { cannotEnter }),
  }))
}

/** The roles of the membership `m` beside its admin role; null without any. */
export const heldRoles = (view: 'allHeldRoles' | 'heldRoles') => sql<HeldRole[] | null>`(
  select json_agg(json_build_object('role', role, 'name', name, 'permissions', permissions) order by name nulls first, role)
  from (select distinct role, name, permissions from ${sql.table(view)} h
    where h.account_id = m.account_id and h.organization_id = m.organization_id) as h)`

/** The roles of the membership `m` for a part of the organisation; null without any. */
export const scopedRoles = ({ today }: { today: boolean }) => sql<Scoped[] | null>`(
  select json_agg(json_build_object('role', s.role, 'scopeId', s.scope_id) order by s.role, s.scope_id)
  from ${sql.table(today ? 'grants' : 'allGrants')} s
  where s.scope_id is not null and s.account_id = m.account_id and s.organization_id = m.organization_id)`

/** The first last day of the roles beside the admin role of the membership `m`, also of those in services; null without any. */
const rolesUntil = sql<string | null>`(
  select min(valid_until)::text from (
    select account_id, organization_id, valid_until from role_ends
    union all select account_id, organization_id, valid_until from service_role_assignments) as e
  where e.account_id = m.account_id and e.organization_id = m.organization_id)`

/** A person's services in all organisations, in Swedish alphabetical order, also those that begin later or have ended. */
export const listAssignments = (db: Db, accountId: string) => readAssignments(db, accountId, 'serviceAssignments as a')

/** Those that the person has today. */
export const listCurrentAssignments = (db: Db, accountId: string) => readAssignments(db, accountId, currentAssignments)

const readAssignments = (db: Db, accountId: string, table: 'serviceAssignments as a'): Promise<Assignment[]> =>
  db
    .selectFrom(table)
    .innerJoin('services', 'services.serviceId', 'a.serviceId')
    .innerJoin('organizations', 'organizations.organizationId', 'a.organizationId')
    .select([
      'services.serviceId',
      'services.name',
      'services.url',
      'organizations.organizationId',
      'organizations.name as organizationName',
      'userRole',
      'a.source',
      ...periodOf('a'),
    ])
    .where('accountId', '=', accountId)
    .orderBy('services.name')
    .orderBy('organizations.name')
    .orderBy('services.serviceId')
    .orderBy('organizations.organizationId')
    .execute()

/** Finds a member of an organisation by address, so that nobody needs a list of members. */
export const findMember = (db: Db, { organizationId, email }: { organizationId: string; email: string }) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.accountId', 'memberships.accountId')
    .select('users.accountId')
    .where('memberships.organizationId', '=', organizationId)
    .where('users.email', '=', email)
    .executeTakeFirst()
