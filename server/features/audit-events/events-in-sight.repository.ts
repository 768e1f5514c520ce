import { type RawBuilder, sql } from 'kysely'
import type { AuditEventName } from '#contract/audit-event.ts'
import { signInEvents } from '#contract/sign-in/sign-in-events.ts'
import { knownToAll, readsOfAll, type Viewer } from './viewer.ts'

/** Events that say when and how the owner of an account used the portal or a service, who is the actor. */
const uses: readonly AuditEventName[] = [
  ...signInEvents,
  'strengthenSession',
  'serviceEntryRefused',
  'issuePersonalNumber',
]

/**
 * Events of an account as such: its uses, and what happened to it. They belong to no organisation alone, and lists hide the same
 * of a shared person (security 84).
 */
const ofTheAccount: readonly AuditEventName[] = [
  ...uses,
  // Its moment tells the day of the last use.
  'notifyInactiveUser',
  'yieldPersonalNumber',
  'changePassword',
  'requestPasswordReset',
  'resetPassword',
  'lockSignIn',
  'askForRecovery',
  'confirmRecovery',
  'stopRecovery',
  'recoverAccount',
  'findLeakedPassword',
  'requestOwnData',
  'downloadOwnData',
  'revealSsn',
  'updateUser',
]

/** What a change of roles in one organisation says. It is an event of that organisation alone. */
const roles = ['organizations', 'services']

/** True for a person who belongs to one of the viewer's organisations. */
export const isMember = (accountId: RawBuilder<unknown>, organizationIds: readonly string[]) => sql<boolean>`exists (
  select from memberships m
  where m.account_id = ${accountId} and m.organization_id = any (${organizationIds}::uuid[]))`

/**
 * Whether the viewer may know who did it: an admin sees the own members, and people in events of their own account. Admins
 * of other organisations and super users stay unnamed. About `audit_events e`.
 */
export const mayKnowActor = (viewer: Viewer) =>
  readsOfAll(viewer)
    ? sql<boolean>`true`
    : sql<boolean>`(e.actor_id::text = e.target_id or ${isMember(sql`e.actor_id`, viewer.organizationIds)})`

/**
 * Which events the viewer may read; with an organisation, those that concern it. About an organisation out of reach nothing is
 * found: it would tell which members belong there too.
 */
export function mayRead(viewer: Viewer, organizationId?: string): RawBuilder<boolean> {
  const all = readsOfAll(viewer)
  const places = organizationId === undefined ? (all ? undefined : viewer.organizationIds) : [organizationId]
  const mayAsk = all || organizationId === undefined || viewer.organizationIds.includes(organizationId)
  if (!mayAsk) return sql`false`
  const concerns = places ? sql<boolean>`e.organization_ids && ${places}::uuid[]` : sql<boolean>`true`
  return all ? concerns : sql`(${concerns} and ${isInSight(viewer)})`
}

/**
 * False for what happened to an account that also belongs to an organisation out of reach, because it may have happened there, or
 * that operates the portal, which looks the same (security 83), unless it changed what every organisation knows. Of oneself
 * everything is known.
 */
const isInSight = ({ organizationIds, accountId }: Exclude<Viewer, string>) => sql<boolean>`(
  e.name <> all (${ofTheAccount}::text[]) or e.actor_id = ${accountId}::uuid or e.target_id = ${accountId}
  or e.organization_ids <@ ${organizationIds}::uuid[]
    and not coalesce(e.target_id = any (${operators}), false)
    and not (e.name = any (${uses}::text[]) and coalesce(e.actor_id::text = any (${operators}), false))
  or e.name = 'updateUser' and exists (
    select from jsonb_array_elements(e.changes) c where c ->> 'property' = any (${[...knownToAll, ...roles]}::text[])))`

const operators = sql`array(select account_id::text from users where operates)`
