import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Db } from '#server/platform/database/database.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from './provider-problem.ts'

/** The cell of a client's encrypted secret; encrypt it with the purpose `fields`. */
export const secretCell = (clientId: string) => ({ table: 'clients', column: 'secret_sealed', row: clientId })

/** The portal's own client. It gets no tokens, so it needs no secret. */
export const portalClientId = 'portal'

/** What a client's service is called; undefined for the portal's own client. */
export async function findServiceName(db: Db, clientId: string | undefined): Promise<string | undefined> {
  if (!clientId || clientId === portalClientId) return undefined
  const client = await db
    .selectFrom('clients')
    .leftJoin('services', 'services.serviceId', 'clients.serviceId')
    .select(['clients.name', 'services.name as serviceName'])
    .where('clientId', '=', clientId)
    .executeTakeFirst()
  return client?.serviceName ?? client?.name
}

/** The services' clients. They are not cached, so changes need no restart on any node. */
export function clientsAdapter({ db, keys }: System): Adapter {
  const readOnly = async () => {
    throw new Error('clients are read-only here: they are registered in the database')
  }
  return {
    async find(clientId) {
      if (clientId.includes('\u0000') || !clientId.isWellFormed()) return undefined
      const client = await runForProvider(
        db.selectFrom('clients').selectAll().where('clientId', '=', clientId).executeTakeFirst(),
      )
      if (!client) return undefined
      const metadata: Record<string, unknown> = {
        client_id: client.clientId,
        client_name: client.name,
        redirect_uris: client.redirectUris,
        post_logout_redirect_uris: client.postLogoutRedirectUris,
        token_endpoint_auth_method: client.tokenEndpointAuthMethod,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        service_id: client.serviceId ?? undefined,
      }
      if (client.backchannelLogoutUri)
        Object.assign(metadata, {
          backchannel_logout_uri: client.backchannelLogoutUri,
          backchannel_logout_session_required: true,
        })
      if (client.jwks) metadata.jwks = client.jwks
      if (client.secretSealed)
        metadata.client_secret = (await unseal(keys, secretCell(client.clientId), client.secretSealed)).toString('utf8')
      return metadata as AdapterPayload
    },
    upsert: readOnly,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
    findByUid: readOnly,
    findByUserCode: readOnly,
  }
}
