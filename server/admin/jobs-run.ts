import { connectBankId } from '#server/connect-bankid.ts'
import { runJob } from '#server/platform/jobs/run-job.ts'
import { createRecurringJobs } from '#server/recurring-jobs.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'run a recurring job now; jobs list names them. A server that runs the same job is no obstacle',
  options: {},
  positionals: 1,
  async run({ config, positionals, say }) {
    const [name] = positionals
    if (name === undefined) throw new UsageError('give the name of a job')
    await withSystem({
      config,
      say,
      async work(system) {
        const { bankid } = await connectBankId(config, system.clock)
        try {
          const job = createRecurringJobs(system, bankid).find((one) => one.name === name)
          if (!job) throw new UsageError(`unknown job ${name}`)
          await runJob(system, job)
        } finally {
          await bankid?.close()
        }
      },
    })
    say(`${name} is done. Mails are queued; a running server sends them.`)
    return 0
  },
}
