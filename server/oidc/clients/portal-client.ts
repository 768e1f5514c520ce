import type { ClientMetadata } from 'oidc-provider'
import { portalClientId } from '../clients.adapter.ts'

/** The portal as a client of its own provider, at its address. */
export const portalClient = (baseUrl: string): ClientMetadata => ({
  client_id: portalClientId,
  client_name: 'Vestibule',
  redirect_uris: [`${baseUrl}/signed-in`],
  response_types: ['none'],
  grant_types: [],
  token_endpoint_auth_method: 'none',
})
