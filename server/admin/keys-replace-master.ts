import { nodeGoneAfterMs } from '#server/platform/jobs/heartbeat.ts'
import { fingerprintOf, loadMasterKey } from '#server/platform/secrets/master-key.ts'
import { replaceMasterKey } from '#server/platform/secrets/master-key-replacement.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'seal all data keys with MASTER_KEY_NEXT in place of MASTER_KEY; signs no one out (docs/master-key.md)',
  options: {},
  async run({ config, say }) {
    const { next, ...current } = await loadMasterKey(config)
    if (!next) throw new UsageError('set MASTER_KEY_NEXT to the new master key, here and at every node')
    const wanted = fingerprintOf(next)
    return withSystem({
      config,
      say,
      async work({ db, clock }) {
        const alive = await db
          .selectFrom('nodes')
          .select(['host', 'nodeId', 'masterKeys'])
          .where('seenAt', '>', new Date(clock().getTime() - nodeGoneAfterMs))
          .execute()
        const without = alive.filter(({ masterKeys }) => !masterKeys.includes(wanted))
        for (const { host, nodeId } of without) say(`${host} (${nodeId}) runs without MASTER_KEY_NEXT.`)
        if (without.length > 0) {
          say('Nothing was changed: start these with MASTER_KEY_NEXT first.')
          return 1
        }
        const count = await replaceMasterKey(db, { ...current, next })
        say(`Sealed with the new master key: ${count}${count === 0 ? '; all of them were already' : ''}.`)
        say('Now make it the MASTER_KEY of every node, one after the other, without MASTER_KEY_NEXT.')
        say('If somebody may have the old one and a copy of the database: keys rotate --all.')
        return 0
      },
    })
  },
}
