import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'list the OpenID Connect clients of the services',
  options: {},
  async run({ config, say }) {
    await withSystem({
      config,
      say,
      async work({ db }) {
        const clients = await db
          .selectFrom('clients')
          .select(['clientId', 'name', 'redirectUris', 'backchannelLogoutUri'])
          .orderBy('clientId')
          .execute()
        if (clients.length === 0) say('Nothing to show.')
        for (const { clientId, name, redirectUris, backchannelLogoutUri } of clients)
          say(
            `${clientId}  ${name}  ${redirectUris.join(' ')}${backchannelLogoutUri ? `  signs out at ${backchannelLogoutUri}` : ''}`,
          )
      },
    })
    return 0
  },
}
