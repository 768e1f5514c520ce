import { allKeyPurposes, isKeyPurpose, keyHeadStart } from '#server/platform/key-purposes.ts'
import { rotateKeys } from '#server/platform/key-rotation.ts'
import { loadMasterKey } from '#server/platform/master-key.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: `<purpose> | --all     purposes: ${allKeyPurposes.join(', ')}`,
  summary: 'begin the rotation of data keys; nobody is signed out by it',
  options: { all: { type: 'boolean' } },
  positionals: 1,
  async run({ config, values, positionals, say }) {
    const [purpose] = positionals
    if ((values.all === true) === (purpose !== undefined)) throw new UsageError('name one purpose, or --all')
    if (purpose !== undefined && !isKeyPurpose(purpose)) throw new UsageError(`there is no purpose ${purpose}`)
    const masterKey = await loadMasterKey(config)
    await withSystem({
      config,
      say,
      async work({ db, clock }) {
        for (const each of purpose ? [purpose] : allKeyPurposes) {
          await rotateKeys({ db, masterKey, purpose: each, now: clock() })
          say(`${each}: the next key is there and takes over in ${keyHeadStart / 60} minutes, while a server runs.`)
        }
      },
    })
    return 0
  },
}
