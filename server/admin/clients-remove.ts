import { removeClient } from '#server/oidc/clients/service-clients.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { asUsage, lockClient, recordEvent } from './clients.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '<client id>',
  summary: 'remove an OpenID Connect client: nobody can sign in by it any more',
  options: {},
  positionals: 1,
  async run({ config, positionals: [clientId], say }) {
    if (!clientId) throw new UsageError('the client id is required')
    await withSystem({
      config,
      say,
      work: (system) =>
        inTransaction(system.db, async (db) => {
          const event = await removeClient(db, await lockClient(db, clientId))
          await recordEvent(system, db, event)
        }),
    }).catch(asUsage)
    say(`${clientId} is removed.`)
    return 0
  },
}
