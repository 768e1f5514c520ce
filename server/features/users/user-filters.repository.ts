import { type RawBuilder, sql } from 'kysely'
import { endingSoonDays, type UserFilters, type UserStatusName } from '#contract/users/user-filters.ts'
import { asksForHidden } from './shared-person.ts'

type Condition = RawBuilder<unknown>

/** How far a list reaches. */
export interface FilterScope {
  /** Roles and services count only in this organisation; otherwise in all of them. */
  organizationId?: string | undefined
  /** The organisations that the reader administers, unless the reader sees everything. */
  administeredIds?: readonly string[] | undefined
  now: Date
}

/** What the filters ask of accounts. */
export interface AccountMatch {
  /** Conditions on the table `users` as `u`. */
  conditions: Condition[]
  /** Conditions on the row of `memberships`, which holds copies of what the list of an organisation counts. */
  ofMembers: Condition[]
  /** Conditions that it must not meet. They select few accounts, so their opposite is never looked up row by row. */
  exclusions: Condition[]
  /** Selects of `account_id`: the account is in all of them. */
  sets: Condition[]
}

/**
 * True if the person also belongs to an organisation that the reader does not administer, or to none, or operates the portal, as the permission
 * `readPersonalDetails` says. Lists neither show nor filter by such a person's details.
 */
export const belongsElsewhere = (
  accountId: Condition,
  administeredIds: readonly string[] | undefined,
  isOfEverybody: boolean,
): Condition =>
  administeredIds
    ? sql`(exists (select from memberships elsewhere
        where elsewhere.account_id = ${accountId} and elsewhere.organization_id <> all (${administeredIds}::uuid[]))
      or exists (select from users operator where operator.account_id = ${accountId} and operator.operates)
      ${isOfEverybody ? sql`or not exists (select from memberships own where own.account_id = ${accountId})` : sql``})`
    : sql`false`

/** True if the query of a list has a filter. */
export const isFiltered = ({
  status,
  loginMethod,
  role,
  organizationId,
  serviceId,
  groupId,
  lastActiveBefore,
}: UserFilters) =>
  [status, loginMethod, role, organizationId, serviceId, groupId, lastActiveBefore].some((one) => one !== undefined)

/** What accounts must match; undefined when none can. */
export function matchesAccount(filters: UserFilters, scope: FilterScope): AccountMatch | undefined {
  const { status, loginMethod, role, organizationId, serviceId, groupId, lastActiveBefore } = filters
  if (status && isOfInvitations(status)) return undefined
  const place = { ...scope, organizationId: organizationId ?? scope.organizationId }
  const sets: Condition[] = []
  if (organizationId) sets.push(sql`select account_id from memberships where organization_id = ${organizationId}`)
  if (serviceId) sets.push(holders(serviceId, place))
  if (groupId) sets.push(inGroup(groupId, place))

  const conditions: Condition[] = []
  const ofMembers: Condition[] = []
  const exclusions: Condition[] = []
  if (status === 'emailRefused')
    sets.push(sql`select account_id from users join refused_addresses on refused_addresses.address = users.email`)
  else if (isAboutEnds(status)) sets.push(ending(status, place.organizationId))
  else if (status) {
    if (status === 'active') exclusions.push(isInactive)
    else conditions.push(accountStatus[status])
  }
  // Copies save the look at the account, unless that is needed anyway.
  const [table, copied] =
    scope.organizationId && conditions.length === 0 ? ['memberships', ofMembers] : ['u', conditions]
  if (loginMethod) {
    copied.push(sql`${sql.ref(`${table}.loginMethod`)} = ${loginMethod}`)
  }
  switch (role) {
    case 'superUser':
      conditions.push(sql`u.super_user`)
      break
    case 'portalReader':
    case 'portalAuditor':
      sets.push(sql`select account_id from all_grants where organization_id is null and role = ${portalRoleOf[role]}`)
      break
    case 'organizationAdmin':
    case 'serviceAdmin':
      sets.push(admins(role, place))
      break
    case undefined:
      break
    default:
      sets.push(granted(role, place))
  }
  if (lastActiveBefore) {
    copied.push(sql`${sql.ref(`${table}.idleSince`)} < ${lastActiveBefore}::date`)
  }
  if (asksForHidden(filters) && scope.administeredIds)
    copied.push(
      sql`not ${belongsElsewhere(sql.ref(`${table}.accountId`), scope.administeredIds, scope.organizationId === undefined)}`,
    )
  return { conditions, ofMembers, exclusions, sets }
}

const invitationStatuses = ['pending', 'inviteFailed', 'inviteWaits'] as const
/** Whether a status is one of invitations alone. */
export const isOfInvitations = (status: UserStatusName): status is (typeof invitationStatuses)[number] =>
  invitationStatuses.some((one) => one === status)

const isAboutEnds = (status: UserStatusName | undefined): status is keyof typeof whenItEnds =>
  status !== undefined && status in whenItEnds
const whenItEnds = {
  accessEnds: (day: Condition) => sql`${day} between access_day() and access_day() + ${endingSoonDays}::integer`,
  accessEnded: (day: Condition) => sql`${day} < access_day()`,
}

/** Whose membership, service, or role of any kind ends soon, or has ended. */
export function ending(status: keyof typeof whenItEnds, organizationId: string | undefined): Condition {
  const there = organizationId ? sql`organization_id = ${organizationId}` : sql`true`
  const when = whenItEnds[status]
  return sql`(
    select account_id from memberships where ${there} and ${when(sql`least(valid_until, role_until)`)}
    union select account_id from assignment_ends where ${there} and ${when(sql`valid_until`)}
    union select account_id from service_role_assignments where ${there} and ${when(sql`valid_until`)}
    union select account_id from role_ends where ${there} and ${when(sql`valid_until`)})`
}

const portalRoleOf = { portalReader: 'reader', portalAuditor: 'auditor' } as const

const isInactive = sql`(u.passive_at is not null or u.pending)`
const accountStatus = {
  awaitsSignIn: sql`u.passive_at is null and u.pending`,
  passive: sql`u.passive_at is not null`,
}

const holders = (serviceId: string, { organizationId }: FilterScope): Condition => {
  const there = organizationId ? sql`organization_id = ${organizationId}` : sql`true`
  return sql`select account_id from service_assignments where ${there} and service_id = ${serviceId}`
}

const inGroup = (groupId: string, { organizationId }: FilterScope): Condition => {
  const there = organizationId ? sql`organization_id = ${organizationId}` : sql`true`
  return sql`select account_id from group_members where ${there} and group_id = ${groupId}`
}

function admins(role: 'organizationAdmin' | 'serviceAdmin', { organizationId }: FilterScope): Condition {
  const there = organizationId ? sql`organization_id = ${organizationId}` : sql`true`
  return role === 'organizationAdmin'
    ? sql`select account_id from memberships where ${there} and user_role = 'organizationAdmin'`
    : sql`select account_id from service_assignments where ${there} and user_role = 'serviceAdmin'`
}

/** People with a role beside the admin role: a built-in one, or one of the organisation's own. */
const granted = (role: string, { organizationId }: FilterScope): Condition => {
  const there = organizationId ? sql`organization_id = ${organizationId}` : sql`true`
  return sql`select account_id from all_grants where ${there} and scope = 'organization' and role = ${role}`
}
