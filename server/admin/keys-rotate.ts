import { allKeyPurposes, isKeyPurpose, keyActivationDelay } from '#server/platform/secrets/key-purposes.ts'
import { rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import { loadMasterKey } from '#server/platform/secrets/master-key.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: `<purpose> | --all     purposes: ${allKeyPurposes.join(', ')}`,
  summary: 'begin the rotation of data keys; signs no one out',
  options: { all: { type: 'boolean' } },
  positionals: 1,
  async run({ config, values, positionals, say }) {
    const [purpose] = positionals
    if ((values.all === true) === (purpose !== undefined)) throw new UsageError('give one purpose, or --all')
    if (purpose !== undefined && !isKeyPurpose(purpose)) throw new UsageError(`unknown purpose ${purpose}`)
    const masterKey = await loadMasterKey(config)
    await withSystem({
      config,
      say,
      async work({ db, clock }) {
        for (const each of purpose ? [purpose] : allKeyPurposes) {
          await rotateKeys({ db, masterKey, purpose: each, now: clock() })
          say(
            `${each}: the next key is there and takes over in ${keyActivationDelay / 60} minutes, while a server runs.`,
          )
        }
      },
    })
    return 0
  },
}
