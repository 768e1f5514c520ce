import { rotateSecret } from '#server/oidc/clients/service-clients.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { asUsage, lockClient, recordEvent } from './clients.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

const hour = 3_600_000

export const command: Command = {
  usage: '<client id> [--keep-hours <0 to 2160>]',
  summary: 'make a new secret and print it; the present one works for a week more, or as long as --keep-hours says',
  options: { 'keep-hours': { type: 'string' } },
  positionals: 1,
  async run({ config, values, positionals: [clientId], say }) {
    const keep = Number(values['keep-hours'] ?? 168)
    if (!clientId) throw new UsageError('the client id is required')
    if (!Number.isInteger(keep) || keep < 0 || keep > 2160)
      throw new UsageError('--keep-hours is a number from 0 to 2160')
    await withSystem({
      config,
      say,
      work: async (system) => {
        const endsAt = new Date(system.clock().getTime() + keep * hour)
        const { secret } = await inTransaction(system.db, async (db) => {
          const change = await rotateSecret(system, db, await lockClient(db, clientId), endsAt)
          await recordEvent(system, db, change.event)
          return change
        })
        say(`Client secret: ${secret}`)
        say(`The secret is shown this once. The one before it ends ${keep === 0 ? 'now' : endsAt.toISOString()}.`)
      },
    }).catch(asUsage)
    return 0
  },
}
