import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '<id> | --failed',
  summary: 'send a message that failed once more, or all of them; outbox list names them',
  options: { failed: { type: 'boolean' } },
  positionals: 1,
  async run({ config, values, positionals, say }) {
    const [id] = positionals
    if ((values.failed === true) === (id !== undefined)) throw new UsageError('give one message id, or --failed')
    if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
      throw new UsageError(`${id} is not the id of a message`)
    return withSystem({
      config,
      say,
      async work({ db, outbox }) {
        const failed = () => db.selectFrom('outboxMessages').select('id').where('state', '=', 'failed').execute()
        const ids = id === undefined ? (await failed()).map((message) => message.id) : [id]
        let queued = 0
        for (const each of ids) if (await outbox.resend(db, each)) queued++
        if (id !== undefined && queued === 0) {
          say(`No message ${id} has failed.`)
          return 1
        }
        say(`Queued again: ${queued}. A running server sends them, and drops codes and links that have expired.`)
        return 0
      },
    })
  },
}
