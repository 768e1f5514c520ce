import { findClient, formOfRow } from '#server/oidc/clients/client-rows.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '<client id>',
  summary: 'show an OpenID Connect client, and when its secrets were made and last used',
  options: {},
  positionals: 1,
  async run({ config, positionals: [clientId], say }) {
    if (!clientId) throw new UsageError('the client id is required')
    await withSystem({
      config,
      say,
      async work({ db }) {
        const row = await findClient(db, clientId)
        if (!row) throw new UsageError(`there is no client ${clientId}`)
        const lines = {
          client: row.clientId,
          service: row.name,
          ...formOfRow(row),
          secretCreated: row.secretCreatedAt,
          secretLastUsed: row.secretUsedAt,
          previousSecretEnds: row.previousSecretEndsAt,
          previousSecretLastUsed: row.previousSecretUsedAt,
        }
        for (const [name, value] of Object.entries(lines)) say(`${name}: ${shown(value)}`)
      },
    })
    return 0
  },
}

const shown = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(' ') : String(value ?? '-')
