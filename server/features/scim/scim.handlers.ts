import { directories } from '#contract/scim/scim.ts'
import { scimDiscovery, scimGroups, scimUsers } from '#contract/scim/scim-protocol.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { logUnknownNames } from './change-resource.ts'
import { directoriesHandlers } from './directories.handlers.ts'
import { findResourceType, findSchema, listResourceTypes, listSchemas, serviceProviderConfig } from './discovery.ts'
import { scimGroupsHandlers } from './groups/scim-groups.handlers.ts'
import type { Json } from './protocol/value.ts'
import { scimUsersHandlers } from './scim-users.handlers.ts'

type Shown = Pick<RequestContext<(typeof scimDiscovery)['config']>, 'db' | 'now' | 'directory' | 'query' | 'http'>

async function show(context: Shown, answer: Json): Promise<Json> {
  // Who filters must not take all for what was meant (RFC 7644, 4).
  if (Object.keys(context.query ?? {}).some((name) => name.toLowerCase() === 'filter'))
    throw new Problem(403, 'scimNoFilter')
  await logUnknownNames(context)
  context.http.reply.type('application/scim+json; charset=utf-8')
  return answer
}

const discoveryHandlers: Handlers<typeof scimDiscovery> = {
  config: async (context) => show(context, serviceProviderConfig(context.config.baseUrl)),
  resourceTypes: async (context) => show(context, listResourceTypes(context.config.baseUrl)),
  resourceType: async (context) => show(context, findResourceType(context.config.baseUrl, context.params.name)),
  schemas: async (context) => show(context, listSchemas(context.config.baseUrl)),
  schema: async (context) => show(context, findSchema(context.config.baseUrl, context.params.name)),
}

export const createCallGroups: CreateCallGroups = () => [
  callGroup(scimUsers, scimUsersHandlers),
  callGroup(scimGroups, scimGroupsHandlers),
  callGroup(scimDiscovery, discoveryHandlers),
  callGroup(directories, directoriesHandlers),
]
