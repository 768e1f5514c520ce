import { type Command, UsageError } from './command.ts'
import { sayOutcome } from './outbox-outcome.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '<id> | --failed',
  summary: 'send a message that failed once more, or all of them, and say what became of them; outbox list names them',
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
        const failed = await db
          .selectFrom('outboxMessages')
          .select('id')
          .where('state', '=', 'failed')
          .$if(id !== undefined, (query) => query.where('id', '=', String(id)))
          .execute()
        const queued = []
        for (const message of failed) if (await outbox.resend(db, message.id)) queued.push(message.id)
        if (id !== undefined && queued.length === 0) {
          say(`No message ${id} has failed.`)
          return 1
        }
        say(`Queued again: ${queued.length}.`)
        if (queued.length > 0) await sayOutcome(queued, { db, say })
        return 0
      },
    })
  },
}
