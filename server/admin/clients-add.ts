import { ClientError, registerClient } from '#server/oidc/service-clients.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

const text = { type: 'string' } as const
const words = (value: string | boolean | undefined) =>
  String(value ?? '')
    .split(/\s+/)
    .filter(Boolean)

export const command: Command = {
  usage:
    '--id <client id> --service <name or id> --redirect-uri <addresses> [--post-logout-uri <addresses>] [--logout-uri <address>]',
  summary:
    'register a service as an OpenID Connect client and print its secret; several addresses in one pair of quotes',
  options: { id: text, service: text, 'redirect-uri': text, 'post-logout-uri': text, 'logout-uri': text },
  async run({ config, values, say }) {
    const { id: clientId, service, 'redirect-uri': redirectUri } = values
    if (!clientId || !service || !redirectUri) throw new UsageError('--id, --service and --redirect-uri are required')
    await withSystem({
      config,
      say,
      work: async (system) => {
        const { secret } = await inTransaction(system.db, async (db) =>
          registerClient(system, db, {
            clientId: String(clientId),
            serviceId: await findServiceId(db, String(service)),
            redirectUris: words(redirectUri),
            postLogoutRedirectUris: words(values['post-logout-uri']),
            backchannelLogoutUri: words(values['logout-uri'])[0] ?? null,
          }),
        )
        say(`Issuer:        ${config.baseUrl}/oidc`)
        say(`Client id:     ${clientId}`)
        say(`Client secret: ${secret}`)
        say('The secret is shown this once. The client authenticates with client_secret_basic, and uses PKCE (S256).')
      },
    }).catch(asUsage)
    return 0
  },
}

/** What an operator can mend is said in one line. */
export function asUsage(error: unknown): never {
  throw error instanceof ClientError ? new UsageError(error.message) : error
}

async function findServiceId(db: Db, nameOrId: string): Promise<string> {
  const services = await db.selectFrom('services').select(['serviceId', 'name']).execute()
  const found = services.filter(({ serviceId, name }) => serviceId === nameOrId || name === nameOrId)
  if (found.length > 1) throw new UsageError(`several services have the name ${nameOrId}: give the id`)
  if (!found[0]) throw new UsageError(`there is no service ${nameOrId}`)
  return found[0].serviceId
}
