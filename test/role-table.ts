import type { Scoped } from '#contract/actor.ts'
import { type BuiltInRole, builtInRoles, type RolePermission } from '#contract/organization-roles/role-permissions.ts'
import { type PortalRole, permissionsOfPortalRole } from '#contract/portal-roles.ts'
import type { Case } from './access-table.ts'

/**
 * Which permission of a role each call asks for that an organisation's admin may make and a regular member may not. Written from
 * product-rules 5, as the access table is: a call that is missing here fails the tests. A holder of the permission gets the
 * admin's answers, everybody else those of a regular member. An empty list is for who may everything.
 */
export const askedOfRoles: Record<string, RolePermission | readonly RolePermission[]> = {
  'GET /api/organizations/{organizationId}/groups': [],
  'GET /api/organizations/{organizationId}/group-names': [],
  'POST /api/groups': [],
  'PUT /api/groups': [],
  'GET /api/groups/{id}': [],
  'GET /api/groups/{id}/what-ends': [],
  'GET /api/groups/{id}/members': [],
  'DELETE /api/groups/{id}': [],
  'POST /api/groups/{id}/members': [],
  'POST /api/groups/{id}/members/remove': [],
  'GET /api/services/{serviceId}/{organizationId}/owners': 'giveRoles',
  'POST /api/services/{serviceId}/{organizationId}/owners': 'giveRoles',
  'DELETE /api/services/{serviceId}/{organizationId}/owners/{accountId}': 'giveRoles',
  'POST /api/groups/{id}/people': [],
  'GET /api/groups/{id}/admins': [],
  'POST /api/groups/{id}/admins': [],
  'DELETE /api/groups/{id}/admins/{accountId}': [],
  'GET /api/users/{userId}/organization/{organizationId}/groups': [],
  'DELETE /api/organizations/{id}/directory/tokens/{tokenId}': [],
  'POST /api/organizations/{id}/directory/tokens/{tokenId}/confirm': [],
  'GET /api/users/{userId}/organization/{organizationId}/what-ends': [],
  'DELETE /api/organizations/{id}/directory/setup-links/{setupId}': [],
  'GET /api/organizations/{id}/directory/setup-links': [],
  'POST /api/organizations/{id}/directory/setup-links': [],
  'GET /api/organizations/{id}/directory': [],
  'GET /api/organizations/{id}/directory/groups': [],
  'GET /api/organizations/{id}/directory/log': [],
  'PUT /api/organizations/{id}/directory/groups/{scimGroupId}': [],
  'POST /api/organizations/{id}/directory/people/{personId}/retry': [],
  'POST /api/organizations/{id}/directory/tokens': [],
  'DELETE /api/organizations/{id}/access-review/reviewers/{serviceId}/{accountId}': 'decideReviews',
  'DELETE /api/organizations/{organizationId}/roles/{roleId}': 'giveRoles',
  'DELETE /api/services/{serviceId}/{organizationId}/users/{accountId}': 'assignServices',
  'DELETE /api/users/{id}/recovery': 'helpPeople',
  'DELETE /api/users/{userId}/organization/{organizationId}': 'removePeople',
  'GET /api/access-requests': 'assignServices',
  'GET /api/audit-events': 'readAudit',
  'GET /api/audit-events/export': 'readAudit',
  'GET /api/audit-events/export-lines': 'readAudit',
  'GET /api/audit-events/{id}': 'readAudit',
  'GET /api/invites/{email}/user/{organizationId}/delivery': 'readPeople',
  'GET /api/invites/{email}/user/{organizationId}/organization': 'invitePeople',
  'GET /api/organizations/{id}/access-review': 'readReviews',
  'GET /api/organizations/{id}/access-review/report': 'readReviews',
  'GET /api/organizations/{id}/brand': 'readSettings',
  'GET /api/organizations/{id}/home': 'readPeople',
  'GET /api/organizations/{id}/passive-preview': 'readDetails',
  'GET /api/organizations/{id}/sign-in-rules': 'readSettings',
  'GET /api/organizations/{id}/users': 'readPeople',
  'GET /api/organizations/{id}/users/export': 'readPeople',
  'GET /api/organizations/{organizationId}/roles': 'readPeople',
  'GET /api/organizations/{organizationId}/roles/{roleId}': 'readPeople',
  'GET /api/organizations/{organizationId}/service-roles': 'readPeople',
  'GET /api/services/{serviceId}/{organizationId}/users': 'readPeople',
  'GET /api/users/{accountId}/{organizationId}/services': 'readPeople',
  'GET /api/users/{id}/recovery': 'helpPeople',
  'GET /api/users/{id}/services': 'readPeople',
  'GET /api/users/{userId}/organization/{organizationId}/roles': 'readPeople',
  'GET /api/users/{userId}/organization/{organizationId}/service-roles': 'readPeople',
  'GET /api/users/{userId}/organization/{organizationId}/service/{serviceId}': 'readPeople',
  'POST /api/access-requests/{id}/grant': 'assignServices',
  'POST /api/access-requests/{id}/refuse': 'assignServices',
  'POST /api/invites': 'invitePeople',
  'POST /api/invites/bulk': 'invitePeople',
  'POST /api/invites/bulk/dry-run': 'invitePeople',
  'POST /api/invites/resend-invite': ['invitePeople', 'helpPeople'],
  'POST /api/organizations/{id}/access-review': 'decideReviews',
  'POST /api/organizations/{id}/access-review/at-once': 'decideReviews',
  'POST /api/organizations/{id}/access-review/decisions': 'decideReviews',
  'POST /api/organizations/{id}/access-review/finish': 'decideReviews',
  'POST /api/organizations/{id}/access-review/reminder': 'decideReviews',
  'POST /api/organizations/{id}/access-review/reviewers': 'decideReviews',
  'POST /api/organizations/{id}/users/assign-role': 'assignServices',
  'POST /api/organizations/{id}/users/assign-service': 'assignServices',
  'POST /api/organizations/{id}/users/extend': 'editPeople',
  'POST /api/organizations/{id}/users/mark-active': 'helpPeople',
  'POST /api/organizations/{id}/users/remove': 'removePeople',
  'POST /api/organizations/{id}/users/resend-invitations': ['invitePeople', 'helpPeople'],
  'POST /api/organizations/{id}/users/revoke-role': 'assignServices',
  'POST /api/organizations/{id}/users/revoke-service': 'assignServices',
  'POST /api/organizations/{organizationId}/roles': 'giveRoles',
  'POST /api/services/{serviceId}/{organizationId}/users': 'assignServices',
  'POST /api/users/{id}/last-active/{value}': 'helpPeople',
  'POST /api/users/{id}/recovery': 'helpPeople',
  'POST /api/users/{id}/recovery/confirm': 'helpPeople',
  'POST /api/users/{userId}/organization/{organizationId}/roles': 'giveRoles',
  'POST /api/users/{userId}/organization/{organizationId}/service': 'assignServices',
  'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles': 'assignServices',
  'PUT /api/organizations/{id}/brand': 'manageSettings',
  'PUT /api/organizations/{id}/sign-in-rules': 'manageSettings',
  'PUT /api/organizations/{organizationId}/roles/{roleId}': 'giveRoles',
  'PUT /api/users': 'editPeople',
}

/**
 * Which permission, held everywhere, opens each call that reads and that super users may make and members may not, beside those above.
 * An empty list is for super users alone. Calls that change something are for no portal role.
 */
export const readInPortal: Record<string, RolePermission | readonly RolePermission[]> = {
  'GET /api/access-reviews': 'readReviews',
  'GET /api/audit-streams': [],
  'GET /api/users/{id}/what-ends': [],
  'GET /api/email-templates/{type}': [],
  'GET /api/email-templates/{type}/text': [],
  'GET /api/email-templates/{type}/texts': [],
  'GET /api/home': [],
  'GET /api/notices': [],
  'GET /api/notices/{id}': [],
  'GET /api/organizations': 'readSettings',
  'GET /api/organizations/list': 'readSettings',
  'GET /api/organizations/{id}': 'readSettings',
  'GET /api/organizations/{id}/locked-out': [],
  'GET /api/organizations/{id}/services': 'readSettings',
  'GET /api/saml-configs': [],
  'GET /api/saml-configs/{id}': [],
  'GET /api/saml-configs/{id}/domains': [],
  'GET /api/saml-configs/{id}/metadata': [],
  'GET /api/saml-configs/{id}/sign-ins': [],
  'GET /api/saml-configs/{id}/test-result': [],
  'GET /api/saml-metadata-watches': [],
  'GET /api/saml-setups': [],
  'GET /api/saml-setups/{id}': [],
  'GET /api/service-categories': 'readSettings',
  'GET /api/service-people': 'readSettings',
  'GET /api/service-roles': 'readSettings',
  'GET /api/service-roles/{id}': 'readSettings',
  'GET /api/services': 'readSettings',
  'GET /api/services/{id}': 'readSettings',
  'GET /api/services/{id}/client': [],
  'GET /api/services/{id}/client/sign-outs': [],
  'GET /api/services/{id}/roles': [],
  'GET /api/system': [],
  'GET /api/system/failed-messages': [],
  'GET /api/users': 'readPeople',
  'GET /api/users/export': 'readPeople',
  'GET /api/users/passive-preview': 'readDetails',
  'GET /api/users/{id}/admin-services': [],
  'GET /api/users/{id}/organizations': [],
}

/** Whether super users and regular members get different answers of a call that reads, which `askedOfRoles` does not name. */
export const isAskedInPortal = (name: string, { expect }: Case): boolean =>
  name.startsWith('GET ') && typeof expect !== 'number' && expect.user !== expect.superUser && !askedOfRoles[name]

/** What the holder of a portal role gets at each distance: what super users read, by the permission; else a member's answers. */
export function signsOfPortalRole(name: string, { expect }: Case, role: PortalRole): string | undefined {
  if (typeof expect === 'number') return undefined
  const asked = name.startsWith('GET ') ? [askedOfRoles[name] ?? readInPortal[name] ?? []].flat() : []
  const held = permissionsOfPortalRole(role)
  return asked.some((permission) => held.includes(permission)) ? expect.superUser : expect.user
}

export const builtIns = Object.keys(builtInRoles) as BuiltInRole[]

/** Whether a regular member and an admin get different answers. */
export const isAskedOfRoles = ({ expect }: Case): boolean =>
  typeof expect !== 'number' && expect.user !== expect.organizationAdmin

/** What the holder of a built-in role gets at each distance. */
export function signsOfBuiltIn(name: string, { expect }: Case, role: BuiltInRole): string | undefined {
  if (typeof expect === 'number') return undefined
  const asked = [askedOfRoles[name] ?? []].flat()
  const held: readonly RolePermission[] = builtInRoles[role]
  return asked.some((permission) => held.includes(permission)) ? expect.organizationAdmin : expect.user
}

/**
 * What the holder of a role for a part of an organisation gets from the calls that differ from a regular member's: own, same
 * organisation, another part of it with a colleague, foreign, missing.
 */
export const askedOfScoped: Record<Scoped['role'], Record<string, string>> = {
  groupAdmin: {
    'GET /api/organizations/{organizationId}/groups': 'yyy44',
    'GET /api/groups/{id}': 'yy444',
    'GET /api/groups/{id}/members': 'yy444',
    // Not themselves; the colleague is in it.
    'POST /api/groups/{id}/people': '39444',
    'POST /api/groups/{id}/members/remove': 'yy444',
  },
  serviceOwner: {
    'GET /api/access-requests': 'y',
    'POST /api/access-requests/{id}/grant': 'yy444',
    'POST /api/access-requests/{id}/refuse': 'yy444',
    'GET /api/services/{serviceId}/{organizationId}/users': 'yy444',
    'POST /api/services/{serviceId}/{organizationId}/users': '39444',
    'DELETE /api/services/{serviceId}/{organizationId}/users/{accountId}': 'yy444',
    'GET /api/users/{userId}/organization/{organizationId}/service/{serviceId}': 'yy444',
    // The colleague has this service, too.
    'GET /api/users/{id}/services': 'yyy44',
    'POST /api/users/{userId}/organization/{organizationId}/service': 'yy344',
    'GET /api/organizations/{organizationId}/service-roles': 'yyy44',
    'GET /api/users/{userId}/organization/{organizationId}/service-roles': 'yyy44',
    'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles': 'yy444',
  },
}
export const scopedRoles = Object.keys(askedOfScoped) as Scoped['role'][]
export const isScoped = (role: string): role is Scoped['role'] => Object.hasOwn(askedOfScoped, role)

/** The same at the four distances of every call. */
export function signsOfScoped(name: string, { expect }: Case, role: Scoped['role']): string | undefined {
  if (typeof expect === 'number') return undefined
  const signs = askedOfScoped[role][name]
  return signs && signs.length > 1 ? signs.slice(0, 2) + signs.slice(3) : (signs ?? expect.user)
}
