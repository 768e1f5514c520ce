import { found } from '#server/platform/problem.ts'
import {
  type Attribute,
  coreGroup,
  coreUser,
  enterpriseUser,
  groupAttributes,
  userAttributes,
} from './protocol/schema.ts'
import type { Json } from './protocol/value.ts'
import { asList, maxCount } from './scim-answers.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'

/** What this server supports (RFC 7643, 5). */
export const serviceProviderConfig = (baseUrl: string): Json => ({
  schemas: [`${core}:ServiceProviderConfig`],
  documentationUri: `${baseUrl}/`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxCount },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that the organisation makes for its directory',
      primary: true,
    },
  ],
  meta: metaOf(baseUrl, 'ServiceProviderConfig', 'ServiceProviderConfig'),
})

const metaOf = (baseUrl: string, resourceType: string, path: string) => ({
  resourceType,
  location: `${baseUrl}/scim/v2/${path}`,
})

const resourceTypes = (baseUrl: string): Json[] => [
  {
    schemas: [`${core}:ResourceType`],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'People of the directory',
    schema: coreUser,
    schemaExtensions: [{ schema: enterpriseUser, required: false }],
    meta: metaOf(baseUrl, 'ResourceType', 'ResourceTypes/User'),
  },
  {
    schemas: [`${core}:ResourceType`],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Groups of the directory',
    schema: coreGroup,
    schemaExtensions: [],
    meta: metaOf(baseUrl, 'ResourceType', 'ResourceTypes/Group'),
  },
]

export const listResourceTypes = (baseUrl: string): Json => listOf(resourceTypes(baseUrl))
export const findResourceType = (baseUrl: string, name: string): Json =>
  found(resourceTypes(baseUrl).find(({ id }) => id === name))

/** What is required, unique or of several values; all else is optional and free. */
function describe(name: string, { kind, many = false, parts, mutability }: Attribute, isUnique: boolean): Json {
  const isReference = name === '$ref' || name === 'profileUrl'
  return {
    name,
    type: isReference ? 'reference' : kind,
    ...(isReference && { referenceTypes: ['external'] }),
    multiValued: many,
    description: name,
    required: isUnique,
    ...(kind === 'string' && { caseExact: false, uniqueness: isUnique ? 'server' : 'none' }),
    mutability: mutability ?? 'readWrite',
    returned: 'default',
    ...(parts && { subAttributes: Object.entries(parts).map(([part, one]) => describe(part, one, false)) }),
  }
}

const schemas = (baseUrl: string): Json[] => {
  const { [enterpriseUser]: enterprise, externalId: _, ...ofUser } = userAttributes
  const { externalId: __, ...ofGroup } = groupAttributes
  const schema = (id: string, name: string, attributes: Readonly<Record<string, Attribute>> = {}, unique?: string) => ({
    schemas: [`${core}:Schema`],
    id,
    name,
    description: name,
    attributes: Object.entries(attributes).map(([one, attribute]) => describe(one, attribute, one === unique)),
    meta: metaOf(baseUrl, 'Schema', `Schemas/${id}`),
  })
  return [
    schema(coreUser, 'User', ofUser, 'userName'),
    schema(enterpriseUser, 'EnterpriseUser', enterprise?.parts),
    schema(coreGroup, 'Group', ofGroup, 'displayName'),
  ]
}

export const listSchemas = (baseUrl: string): Json => listOf(schemas(baseUrl))
export const findSchema = (baseUrl: string, name: string): Json => found(schemas(baseUrl).find(({ id }) => id === name))

const listOf = (resources: Json[]) => asList(resources, { total: resources.length, startIndex: 1 })
