import { can } from '#contract/permissions.ts'
import type { users } from '#contract/users.ts'
import type { FoundPage } from '#server/platform/gathered-page.ts'
import { found } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { listEverybody, listOrganizationPeople, listServicePeople } from './user-lists.repository.ts'
import { listSummaries, type SummaryScope } from './user-summaries.repository.ts'
import { findOffer, findOrganization } from './users.repository.ts'

type ListContext = Pick<RequestContext<typeof users.list>, 'db' | 'query' | 'config' | 'actor'>

const listOf = ({ db, query, config }: ListContext) => ({ db, query, itemsPerPage: config.itemsPerPage })

async function filled({ db, config }: ListContext, { totalCount, ids }: FoundPage, scope: SummaryScope) {
  return { itemsPerPage: config.itemsPerPage, totalCount, items: await listSummaries(db, ids, scope) }
}

/** Everybody, with everything. */
export async function everybody(context: RequestContext<typeof users.list>) {
  return filled(context, await listEverybody(listOf(context)), {})
}

/** Of people who are also somewhere else, a list shows no more than its reader administers. */
function organizationsInSight({ actor }: ListContext, organizationId: string): SummaryScope {
  if (can(actor, 'administerEverything')) return {}
  const administered = actor.organizations.filter((own) => can(actor, 'administerOrganization', own))
  return { organizationIds: [organizationId, ...administered.map((own) => own.organizationId)] }
}

/** An organisation's people, with their services in it. */
export async function organizationPeople(context: RequestContext<typeof users.ofOrganization>) {
  const { id: organizationId } = context.params
  const page = await listOrganizationPeople(listOf(context), organizationId)
  if (page.totalCount === 0) found(await findOrganization(context.db, organizationId))
  return filled(context, page, { ...organizationsInSight(context, organizationId), servicesIn: { organizationId } })
}

/** Who has a service in an organisation; a service admin sees no other service than the own ones. */
export async function servicePeople(context: RequestContext<typeof users.ofService>) {
  const { actor, params } = context
  const { organizationId, serviceId } = params
  const page = await listServicePeople(listOf(context), params)
  if (page.totalCount === 0) found(await findOffer(context.db, params))
  const handedOut = actor.services.filter(
    (own) => own.organizationId === organizationId && can(actor, 'handOutService', own),
  )
  const servicesIn = can(actor, 'administerOrganization', { organizationId })
    ? { organizationId }
    : { organizationId, serviceIds: [serviceId, ...handedOut.map((own) => own.serviceId)] }
  return filled(context, page, { ...organizationsInSight(context, organizationId), servicesIn })
}
