import { registerClient } from '#server/oidc/clients/service-clients.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { clientOptions, clientUsage, formOfOptions } from './client-options.ts'
import { asUsage, recordEvent } from './clients.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: `--service <name or id> [--id <client id>] ${clientUsage}`,
  summary:
    'register a service as an OpenID Connect client and print its secret; several addresses in one pair of quotes',
  options: { id: { type: 'string' }, service: { type: 'string' }, ...clientOptions },
  async run({ config, values, say }) {
    if (!values.service) throw new UsageError('--service is required')
    const form = formOfOptions(values)
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

async function findServiceId(db: Db, nameOrId: string): Promise<string> {
  const services = await db.selectFrom('services').select(['serviceId', 'name']).execute()
  const found = services.filter(({ serviceId, name }) => serviceId === nameOrId || name === nameOrId)
  if (found.length > 1) throw new UsageError(`several services have the name ${nameOrId}: give the id`)
  if (!found[0]) throw new UsageError(`there is no service ${nameOrId}`)
  return found[0].serviceId
}
