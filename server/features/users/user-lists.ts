import { type Actor, administeredServices } from '#contract/actor.ts'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import { can } from '#contract/permissions.ts'
import type { users } from '#contract/users/users.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { listAllUsers, listOrganizationPeople, listServicePeople } from './user-lists.repository.ts'
import { listSummaries, type SummaryScope } from './user-summaries.repository.ts'
import { findOffer, findOrganization } from './users.repository.ts'

type ReaderContext = Pick<RequestContext<typeof users.list>, 'db' | 'config' | 'actor'>
type ListContext = ReaderContext & Pick<RequestContext<typeof users.list>, 'query' | 'now'>

const listOf = ({ db, query, config, now }: ListContext) => ({ db, query, now, itemsPerPage: config.itemsPerPage })

/** What of people the reader may see. */
export type Visible = Omit<SummaryScope, 'showsSuperUser' | 'mayEdit'>

/** People as the reader may see them, in the order of the ids. */
export function toSummaries(
  { db, actor }: Pick<ReaderContext, 'db' | 'actor'>,
  ids: readonly string[],
  visible: Visible,
) {
  const scope: SummaryScope = {
    ...visible,
    showsSuperUser: (person) => can(actor, 'readSuperUser', person),
    mayEdit: can(actor, 'manageUsers') || ((person) => can(actor, 'updateUser', person)),
  }
  return listSummaries(db, ids, scope)
}

/** A page of people as the reader may see them. */
export async function toPage<Count extends { totalCount: number }>(
  context: ReaderContext,
  { ids, ...count }: Count & { ids: readonly string[] },
  visible: Visible,
) {
  return {
    itemsPerPage: context.config.itemsPerPage,
    ...count,
    items: await toSummaries(context, ids, visible),
  }
}

/** What the reader of the list of all users sees: their details only where the reader may see those of all. */
export const visibleOfEverybody = ({ actor }: Pick<ReaderContext, 'actor'>): Visible =>
  can(actor, 'readAllDetails') ? {} : { administeredIds: idsWith(actor, 'readDetails') }

const idsWith = (actor: Actor, permission: RolePermission) =>
  actor.organizations.flatMap((own) => (can(actor, permission, own) ? [own.organizationId] : []))

/** All users. */
export async function listUsers(context: RequestContext<typeof users.list>) {
  const visible = visibleOfEverybody(context)
  return toPage(context, await listAllUsers({ ...listOf(context), ...visible }), visible)
}

/** For people who also belong elsewhere, a list shows only the organisations whose people its reader sees. */
export function visibleOrganizations({ actor }: Pick<ReaderContext, 'actor'>, organizationId: string): Visible {
  if (can(actor, 'readAllUsers')) return visibleOfEverybody({ actor })
  return {
    organizationIds: [organizationId, ...idsWith(actor, 'readPeople')],
    administeredIds: idsWith(actor, 'readDetails'),
  }
}

/** An organisation's members and invited people, with their services in it. */
export async function listUsersOfOrganization(context: RequestContext<typeof users.ofOrganization>) {
  const { id: organizationId } = context.params
  const visible = visibleOrganizations(context, organizationId)
  const page = await listOrganizationPeople(listOf(context), { ...visible, organizationId })
  if (page.totalCount === 0) found(await findOrganization(context.db, organizationId))
  return toPage(context, page, { ...visible, servicesIn: { organizationId } })
}

/** The people who have a service in an organisation. A service admin sees only services that they administer. */
export async function listUsersOfService(context: RequestContext<typeof users.ofService>) {
  const { actor, params } = context
  const { organizationId, serviceId } = params
  const page = await listServicePeople(listOf(context), params)
  if (page.totalCount === 0) found(await findOffer(context.db, params))
  const handedOut = administeredServices(actor).filter((own) => own.organizationId === organizationId)
  const servicesIn = can(actor, 'readPeople', { organizationId })
    ? { organizationId }
    : { organizationId, serviceIds: [serviceId, ...handedOut.map((own) => own.serviceId)] }
  return toPage(context, page, { ...visibleOrganizations(context, organizationId), servicesIn })
}
