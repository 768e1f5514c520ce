import { sql } from 'kysely'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { personalNumberScope } from '#contract/service-clients/client-form.ts'
import { createBatchLoader } from '#server/platform/database/batch-loader.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { strongKeys } from '#server/platform/secrets/strong-keys.ts'
import type { System } from '#server/platform/system.ts'
import { type ClientRow, grantedScopes } from './clients/client-rows.ts'
import { readSecret, secretMetadata, secretMetadataNames } from './clients/client-secrets.ts'
import { nameKeptToken } from './protocol/kept-tokens.ts'
import { runForProvider } from './provider-problem.ts'
import { pairwiseMetadata } from './reach/pairwise-subject.ts'
import { clientVersionOfRequest, readTokenOfRequest } from './tokens/read-token.ts'

/** The portal's own client. It gets no tokens, so it needs no secret. */
export const portalClientId = 'portal'

/** With it a machine reads `/api/v1`: the people who have its service. */
export const directoryScope = 'directory'

/** What a client's service is called; undefined for the portal's own client. */
export async function findServiceName(db: Db, clientId: string | undefined): Promise<string | undefined> {
  if (!clientId || clientId === portalClientId) return undefined
  const statement = sql<{ name: string }>`
    select coalesce(s.name, c.name) as name from clients c left join services s using (service_id)
    where client_id = ${clientId}`
  return (await executePrepared(db, statement)).rows[0]?.name
}

/** What of a client the provider does not know of itself. */
export const extraClientProperties = [
  'service_id',
  'pkce_required',
  'access_seconds',
  'id_seconds',
  'refresh_seconds',
  'subject_salt',
  'id_token_claims',
  'api_uri',
  'apis',
  ...secretMetadataNames,
]

/** The lifetimes and rules of a client; the portal's own has none of them. */
export interface ClientSettings {
  pkce_required?: boolean
  /** Seconds. */
  access_seconds?: number
  id_seconds?: number
  refresh_seconds?: number
  /** Whether the ID token carries what the scopes grant. */
  id_token_claims?: boolean
  /** The audience of tokens for this service. */
  api_uri?: string
  /** The audiences that it may ask for. */
  apis?: string[]
}

// By name: the result of a prepared `select *` would change with a migration, which PostgreSQL refuses.
const columns = [
  'clientId',
  'name',
  'serviceId',
  'kind',
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'tokenEndpointAuthMethod',
  'jwks',
  'jwksUri',
  'pkceRequired',
  'scopes',
  'accessMinutes',
  'idMinutes',
  'refreshHours',
  'idTokenClaims',
  'idTokenAlgorithm',
  'apiUri',
  'apis',
  'directoryAccess',
  'secretSealed',
  'secretCreatedAt',
  'secretUsedAt',
  'previousSecretSealed',
  'previousSecretCreatedAt',
  'previousSecretUsedAt',
  'previousSecretEndsAt',
  'pairwise',
  'subjectSalt',
  'personalNumberReason',
] as const satisfies readonly (keyof ClientRow)[]
type StoredClient = Pick<ClientRow, (typeof columns)[number]>

/** Bounds the memory for clients, each of which is a few kilobytes. */
const maxCached = 1000

/**
 * The services' clients. What the provider gets of one is kept with the version of its row, which every request reads, so
 * changes count from the next request on, on every node.
 */
export function clientsAdapter(system: System): Adapter {
  const { db } = system
  const cache = new Map<string, { version: string; metadata: AdapterPayload }>()
  // Concurrent requests share the statement (decision 0008).
  const readVersion = createBatchLoader((clientIds: readonly string[]) => readVersions(db, clientIds))
  const readOnly = async () => {
    throw new Error('clients are read-only here: they are registered in the database')
  }
  return {
    async find(clientId) {
      if (clientId.includes('\u0000') || !clientId.isWellFormed()) return undefined
      const cached = cache.get(clientId)
      if (cached) {
        await nameKeptToken(system.keys)
        await readTokenOfRequest(system)
        const version = clientVersionOfRequest(clientId) ?? (await runForProvider(readVersion(clientId)))
        if (version === cached.version) return cached.metadata
      }
      const statement = db
        .selectFrom('clients')
        .select(columns)
        .select(sql<string>`xmin::text`.as('rowVersion'))
        .where('clientId', '=', clientId)
      const [client] = (await runForProvider(executePrepared(db, statement))).rows
      if (!client) return undefined
      await nameKeptToken(system.keys)
      const metadata = withVersion(await metadataOf(system, client), client.rowVersion)
      if (cache.size >= maxCached) cache.clear()
      cache.set(clientId, { version: client.rowVersion, metadata })
      return metadata
    },
    upsert: readOnly,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
    findByUid: readOnly,
    findByUserCode: readOnly,
  }
}

async function readVersions(db: Db, clientIds: readonly string[]): Promise<(string | undefined)[]> {
  const statement = sql<{ clientId: string; version: string }>`
    select client_id as "clientId", xmin::text as version from clients
    where client_id = any((select ${clientIds}::text[])::text[])`
  const versions = new Map((await executePrepared(db, statement)).rows.map((row) => [row.clientId, row.version]))
  return clientIds.map((clientId) => versions.get(clientId))
}

/** The provider keeps what it makes of a client by a hash of the metadata as JSON; the version says the same for less. */
const withVersion = (metadata: AdapterPayload, version: string): AdapterPayload =>
  Object.defineProperty(metadata, 'toJSON', { value: () => [metadata.client_id, version], enumerable: false })

async function metadataOf(system: System, client: StoredClient): Promise<AdapterPayload> {
  const machine = client.kind === 'machine'
  const metadata: Record<string, unknown> = {
    client_id: client.clientId,
    client_name: client.name,
    application_type: client.kind === 'native' ? 'native' : 'web',
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    grant_types: [
      ...(machine ? [] : ['authorization_code', 'refresh_token']),
      ...(machine || client.directoryAccess ? ['client_credentials'] : []),
    ],
    response_types: machine ? [] : ['code'],
    scope: [
      ...grantedScopes(client),
      ...(client.personalNumberReason === null ? [] : [personalNumberScope]),
      'offline_access',
      ...(client.directoryAccess ? [directoryScope] : []),
    ].join(' '),
    service_id: client.serviceId ?? undefined,
    pkce_required: client.pkceRequired,
    access_seconds: client.accessMinutes * 60,
    id_seconds: client.idMinutes * 60,
    refresh_seconds: client.refreshHours === null ? undefined : client.refreshHours * 3600,
    id_token_claims: client.idTokenClaims,
    id_token_signed_response_alg: client.idTokenAlgorithm,
    api_uri: client.apiUri ?? undefined,
    apis: client.apis,
    client_secret: await readSecret(system, client),
    ...(await secretMetadata(system, client)),
  }
  if (client.backchannelLogoutUri)
    Object.assign(metadata, {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    })
  if (client.pairwise)
    Object.assign(metadata, pairwiseMetadata(new URL(system.config.baseUrl).host, client.subjectSalt))
  // Of those that were registered before weak keys were refused, too.
  if (client.jwks) metadata.jwks = { keys: strongKeys((client.jwks as { keys: object[] }).keys) }
  if (client.jwksUri) metadata.jwks_uri = client.jwksUri
  // The provider takes a property that is undefined for one of a wrong type.
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)) as AdapterPayload
}
