import { type ClientForm, clientForm, fittingClient, newClient } from '#contract/client-form.ts'
import { registerClient } from '#server/oidc/clients/service-clients.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { asUsage, recordEvent } from './clients.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

const text = { type: 'string' } as const
const words = (value: string | boolean | undefined) =>
  String(value ?? '')
    .split(/\s+/)
    .filter(Boolean)

export const command: Command = {
  usage:
    '--service <name or id> --redirect-uri <addresses> [--id <client id>] [--kind web|singlePage|native|machine] [--auth client_secret_basic|client_secret_post|private_key_jwt|none] [--jwks-uri <address>] [--post-logout-uri <addresses>] [--logout-uri <address>] [--no-pkce]',
  summary:
    'register a service as an OpenID Connect client and print its secret; several addresses in one pair of quotes',
  options: {
    id: text,
    service: text,
    kind: text,
    auth: text,
    'redirect-uri': text,
    'post-logout-uri': text,
    'logout-uri': text,
    'jwks-uri': text,
    'no-pkce': { type: 'boolean' },
  },
  async run({ config, values, say }) {
    const form = formOf(values)
    const clientId = values.id === undefined ? undefined : String(values.id)
    await withSystem({
      config,
      say,
      work: async (system) => {
        const { row, secret } = await inTransaction(system.db, async (db) => {
          const serviceId = await findServiceId(db, String(values.service))
          const change = await registerClient(system, db, { serviceId, clientId, form })
          await recordEvent(system, db, change.event)
          return change
        })
        say(`Issuer:        ${config.baseUrl}/oidc`)
        say(`Client id:     ${row.clientId}`)
        if (secret) say(`Client secret: ${secret}`)
        const pkce = form.pkceRequired ? ', and uses PKCE (S256)' : ''
        say(
          `${secret ? 'The secret is shown this once. ' : ''}The client authenticates with ${form.authentication}${pkce}.`,
        )
      },
    }).catch(asUsage)
    return 0
  },
}

function formOf(values: Record<string, string | boolean | undefined>): ClientForm {
  if (!values.service) throw new UsageError('--service is required')
  const kind = values.kind ?? 'web'
  if (kind !== 'machine' && !values['redirect-uri']) throw new UsageError('--redirect-uri is required')
  const { success, data } = clientForm.safeParse({
    ...newClient,
    kind,
    authentication: values.auth ?? newClient.authentication,
    redirectUris: words(values['redirect-uri']),
    postLogoutRedirectUris: words(values['post-logout-uri']),
    backchannelLogoutUri: words(values['logout-uri'])[0] ?? null,
    jwksUri: words(values['jwks-uri'])[0] ?? null,
    pkceRequired: values['no-pkce'] !== true,
  })
  if (!success) throw new UsageError('--kind or --auth has a value that is not known')
  // What was said must go with the kind; what was not said follows it.
  return values.auth === undefined ? { ...data, authentication: fittingClient(data).authentication } : data
}

async function findServiceId(db: Db, nameOrId: string): Promise<string> {
  const services = await db.selectFrom('services').select(['serviceId', 'name']).execute()
  const found = services.filter(({ serviceId, name }) => serviceId === nameOrId || name === nameOrId)
  if (found.length > 1) throw new UsageError(`several services have the name ${nameOrId}: give the id`)
  if (!found[0]) throw new UsageError(`there is no service ${nameOrId}`)
  return found[0].serviceId
}
