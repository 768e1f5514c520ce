import type { directory } from '#contract/directory/directory.ts'
import { directory as calls } from '#contract/directory/directory.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findOrganization, listOrganizations, listUsers } from './directory.repository.ts'

/** A page, and where the next one begins. */
function paged<Row extends { id: string }>(rows: Row[], limit: number) {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

export const directoryHandlers: Handlers<typeof directory> = {
  organizations: async ({ db, machine, query }) => {
    const { page, next } = paged(await listOrganizations(db, machine.serviceId, query), query.limit)
    return { organizations: page, next }
  },
  users: async (context) => {
    const { db, machine, params, query } = context
    const organization = found(await findOrganization(db, machine.serviceId, params.id))
    await recordReading(context, organization)
    const of = { serviceId: machine.serviceId, organizationId: organization.id }
    const { page, next } = paged(await listUsers(db, of, query), query.limit)
    return { users: page, next }
  },
}

/** An organisation sees who reads its people: an event an hour for a client and an organisation. */
async function recordReading(
  { limits, db, machine, now, transact }: RequestContext<typeof directory.users>,
  organization: { id: string },
): Promise<void> {
  try {
    await limits.take(db, [{ name: 'directoryEvent', key: `${machine.clientId} ${organization.id}` }], now)
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return
    throw error
  }
  await transact(async (_, audit) =>
    audit({
      name: 'readDirectory',
      target: { id: machine.serviceId, label: machine.serviceName },
      organizationIds: [organization.id],
      after: { client: machine.clientId },
    }),
  )
}

export const createCallGroups: CreateCallGroups = () => [callGroup(calls, directoryHandlers)]
