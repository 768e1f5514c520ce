import { nextRun } from '#server/platform/jobs/next-run.ts'
import { createRecurringJobs } from '#server/recurring-jobs.ts'
import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'list the recurring jobs with their last and next run',
  options: {},
  async run({ config, say }) {
    await withSystem({
      config,
      say,
      async work(system) {
        const runs = await system.db.selectFrom('jobRuns').selectAll().execute()
        for (const { name, cron } of createRecurringJobs(system, undefined)) {
          const run = runs.find((one) => one.name === name)
          const outcome = run && (run.failed ? ' failed' : run.finishedAt ? '' : ' not finished')
          const last = run ? `${run.startedAt.toISOString()}${outcome}` : 'never'
          say(`${name.padEnd(18)} last ${last.padEnd(24)}  next ${nextRun(cron, system.clock()).toISOString()}`)
        }
      },
    })
    return 0
  },
}
