import { type RawBuilder, sql } from 'kysely'
import { defaultMethod } from '#contract/login-methods.ts'
import type { LoginMethod } from '#contract/roles.ts'
import { longWaitDays, type UserFilters } from '#contract/users/user-filters.ts'
import { type FilterScope, isOfInvitations } from './user-filters.repository.ts'

type Condition = RawBuilder<unknown>

/** The sign-in method that an invitation `i` offers, as its link does. */
export const invitedLoginMethod = sql`coalesce(
  (select login_method from organizations where organizations.organization_id = i.organization_id), ${defaultMethod})`

/** Conditions on invitations, the table `invitations` as `i`; undefined when none can match. */
export function matchesInvitation(filters: UserFilters, scope: FilterScope): Condition[] | undefined {
  const { status, loginMethod, role, organizationId, serviceId, groupId, lastActiveBefore } = filters
  if ((status && !isOfInvitations(status) && status !== 'emailRefused') || lastActiveBefore) return undefined
  const conditions: Condition[] = []
  const ofRole = role && invitedRole[role]
  if (role && !ofRole) return undefined
  if (status === 'emailRefused') conditions.push(invitationRefused)
  if (status === 'inviteFailed') conditions.push(mailFailed)
  if (status === 'inviteWaits') conditions.push(sql`i.sent_at < ${longAgo(scope)} and not ${mailFailed}`)
  if (loginMethod) conditions.push(offersLoginMethod(loginMethod, scope))
  if (ofRole) conditions.push(ofRole)
  if (organizationId) conditions.push(sql`i.organization_id = ${organizationId}`)
  if (serviceId) conditions.push(promised(sql`service_id = ${serviceId}`))
  if (groupId)
    conditions.push(
      sql`exists (select from invitation_groups p where p.invitation_id = i.invitation_id and p.group_id = ${groupId})`,
    )
  return conditions
}

/** As the home page counts them. */
const mailFailed = sql`exists (
  select from outbox_messages mail where mail.id = i.outbox_id and mail.state in ('failed', 'dropped'))`
const longAgo = ({ now }: FilterScope) => new Date(now.getTime() - longWaitDays * 24 * 3_600_000)

/** Refused since this invitation was sent: an organisation must not learn what happened to the mail of another. */
const invitationRefused = sql`exists (select from refused_addresses r where r.address = i.email and r.refused_at >= i.sent_at)`

/** As `invitedLoginMethod`, in forms that the planner can join, or asks once. */
function offersLoginMethod(loginMethod: LoginMethod, { organizationId }: FilterScope): Condition {
  if (organizationId)
    return sql`(select login_method from organizations where organization_id = ${organizationId}) = ${loginMethod}`
  const organization = sql`select from organizations o where o.organization_id = i.organization_id`
  return loginMethod === defaultMethod
    ? sql`not exists (${organization} and o.login_method <> ${defaultMethod})`
    : sql`exists (${organization} and o.login_method = ${loginMethod})`
}

const promised = (what: Condition): Condition =>
  sql`exists (select from invitation_services p where p.invitation_id = i.invitation_id and p.${what})`
/** An invitation promises no other role. */
const invitedRole: Record<string, Condition> = {
  superUser: sql`i.organization_id is null`,
  organizationAdmin: sql`i.user_role = 'organizationAdmin'`,
  serviceAdmin: promised(sql`user_role = 'serviceAdmin'`),
}
