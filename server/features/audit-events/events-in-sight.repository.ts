import { type RawBuilder, sql } from 'kysely'
import type { AuditEventName } from '#contract/audit-event.ts'
import { signInEvents } from '#contract/sign-in/sign-in.ts'
import type { Viewer } from './viewer.ts'

/** Events that say when and how somebody used the portal or a service, which lists hide of a shared person (security 84). */
const uses: readonly AuditEventName[] = [
  ...signInEvents,
  'strengthenSession',
  'serviceEntryRefused',
  'issuePersonalNumber',
  // Its moment tells the day of the last use.
  'notifyInactiveUser',
]

/** True for a person who belongs to one of the viewer's organisations. */
export const isMember = (accountId: RawBuilder<unknown>, organizationIds: readonly string[]) => sql<boolean>`exists (
  select from memberships m
  where m.account_id = ${accountId} and m.organization_id = any (${organizationIds}::uuid[]))`

/**
 * Whether the viewer may know who did it: an admin sees the own members, and people in events of their own account. Admins
 * of other organisations and super users stay unnamed. About `audit_events e`.
 */
export const mayKnowActor = (viewer: Viewer) =>
  viewer === 'everything'
    ? sql<boolean>`true`
    : sql<boolean>`(e.actor_id::text = e.target_id or ${isMember(sql`e.actor_id`, viewer.organizationIds)})`

/**
 * Which events the viewer may read; with an organisation, those that concern it. About an organisation out of reach nothing is
 * found: it would tell which members belong there too.
 */
export function mayRead(viewer: Viewer, organizationId?: string): RawBuilder<boolean> {
  const all = viewer === 'everything'
  const places = organizationId === undefined ? (all ? undefined : viewer.organizationIds) : [organizationId]
  const mayAsk = all || organizationId === undefined || viewer.organizationIds.includes(organizationId)
  if (!mayAsk) return sql`false`
  const concerns = places ? sql<boolean>`e.organization_ids && ${places}::uuid[]` : sql<boolean>`true`
  return all ? concerns : sql`(${concerns} and ${isUsedHere(viewer)})`
}

/**
 * False for what somebody used who also belongs to an organisation out of reach, because it may have been for that one, or who operates
 * the portal, who looks like such a person (security 83). Of oneself everything is known.
 */
const isUsedHere = ({ organizationIds, accountId }: Exclude<Viewer, 'everything'>) => sql<boolean>`(
  e.name <> all (${uses}::text[]) or e.actor_id = ${accountId}::uuid or e.target_id = ${accountId}
  or e.organization_ids <@ ${organizationIds}::uuid[]
    and not coalesce(e.actor_id::text = any (${operators}), false) and not coalesce(e.target_id = any (${operators}), false))`

const operators = sql`array(select account_id::text from users where super_user and not pending)`
