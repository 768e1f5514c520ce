import { randomBytes } from 'node:crypto'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { seal } from '#server/platform/secrets/sealing.ts'
import type { System } from '#server/platform/system.ts'
import { portalClientId, secretCell } from './clients.adapter.ts'

/** An OpenID Connect client of a service. */
export interface NewClient {
  /** Letters, digits, `-`, `_` and `.`. */
  clientId: string
  serviceId: string
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  backchannelLogoutUri: string | null
}

/** A client that cannot be registered or removed; the message is a sentence for the operator. */
export class ClientError extends Error {
  override name = 'ClientError'
}

type Context = Pick<System, 'keys' | 'clock' | 'config'>

/**
 * Registers a client with a secret. Its service's audit log shows it as a change of the service.
 *
 * @returns the secret, which cannot be read again
 * @throws ClientError
 */
export async function registerClient(system: Context, db: Db, client: NewClient): Promise<{ secret: string }> {
  const { clientId, serviceId, redirectUris, postLogoutRedirectUris, backchannelLogoutUri } = client
  if (!/^[\w.-]{1,100}$/.test(clientId) || clientId === portalClientId)
    throw new ClientError(`${clientId} cannot be a client id: take letters, digits, "-", "_" and "."`)
  if (redirectUris.length === 0) throw new ClientError('a client needs an address to redirect to')
  for (const uri of [
    ...redirectUris,
    ...postLogoutRedirectUris,
    ...(backchannelLogoutUri ? [backchannelLogoutUri] : []),
  ])
    checkUri(system, uri)
  const service = await findService(db, serviceId)
  if (!service) throw new ClientError(`there is no service ${serviceId}`)
  const secret = randomBytes(32).toString('base64url')
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('clients')
    .values({
      clientId,
      serviceId,
      name: service.name,
      redirectUris: [...redirectUris],
      postLogoutRedirectUris: [...postLogoutRedirectUris],
      backchannelLogoutUri,
      secretSealed: seal(system.keys, 'fields', secretCell(clientId), secret),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!added) throw new ClientError(`there is a client ${clientId} already`)
  await recordChange(system, db, service, { after: { client: clientId, ...addressesOf(client) } })
  return { secret }
}

/**
 * Removes a client: nobody can sign in to its service by it any more. Sessions at the service are the service's own.
 *
 * @throws ClientError
 */
export async function removeClient(system: Context, db: Db, clientId: string): Promise<void> {
  const client = await db.deleteFrom('clients').where('clientId', '=', clientId).returningAll().executeTakeFirst()
  if (!client) throw new ClientError(`there is no client ${clientId}`)
  const service = client.serviceId ? await findService(db, client.serviceId) : undefined
  await recordChange(system, db, service ?? { serviceId: null, name: client.name }, {
    before: { client: clientId, ...addressesOf(client) },
  })
}

const addressesOf = ({
  redirectUris,
  postLogoutRedirectUris,
  backchannelLogoutUri,
}: Omit<NewClient, 'serviceId' | 'clientId'>) => ({
  redirectUris: redirectUris.join('\n'),
  postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
  backchannelLogoutUri,
})

/** Exact addresses without a fragment; http only outside production. */
function checkUri({ config }: Context, text: string): void {
  const uri = URL.canParse(text) ? new URL(text) : undefined
  const allowed = uri?.protocol === 'https:' || (uri?.protocol === 'http:' && !config.production)
  if (!uri || !allowed || uri.hash || uri.username || uri.password)
    throw new ClientError(`${text} is not an address that a client can have: https, without a fragment or a password`)
}

const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(['serviceId', 'name']).where('serviceId', '=', serviceId).executeTakeFirst()

const recordChange = (
  { clock }: Context,
  db: Db,
  { serviceId, name }: { serviceId: string | null; name: string },
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
) =>
  writeAuditEvent(
    db,
    { name: 'updateService', target: { id: serviceId, label: name }, ...change },
    { requestId: 'admin-command', now: clock() },
  )
