import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'

/** Whose events may be read. */
export type Viewer = 'everything' | { organizationIds: readonly string[] }

/** Super users read everything, an admin the events of the organisations that they administer. */
export function viewerOf(actor: Actor): Viewer {
  if (can(actor, 'readAllAuditEvents')) return 'everything'
  const administered = actor.organizations.filter(({ userRole }) => userRole === 'organizationAdmin')
  return { organizationIds: administered.map(({ organizationId }) => organizationId) }
}

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
  return places ? sql`e.organization_ids && ${places}::uuid[]` : sql`true`
}
