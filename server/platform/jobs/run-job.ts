import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { DB } from '../database/database-types.ts'

/** Work that repeats; each run is done by one of the processes. */
export interface RecurringJob {
  /** As operators type it: `npm run admin -- jobs run <name>`. */
  name: string
  /** Cron expression, UTC: minute and hour, then `* * *`. */
  cron: string
  run(): Promise<void>
}

/** Runs a job and records when, for `npm run admin -- jobs list`. */
export async function runJob({ db, clock }: { db: Kysely<DB>; clock: Clock }, { name, run }: RecurringJob) {
  const begun = { startedAt: clock(), finishedAt: null, failed: false }
  await db
    .insertInto('jobRuns')
    .values({ name, ...begun })
    .onConflict((row) => row.column('name').doUpdateSet(begun))
    .execute()
  const finish = (failed: boolean) =>
    db.updateTable('jobRuns').set({ finishedAt: clock(), failed }).where('name', '=', name).execute()
  try {
    await run()
  } catch (error) {
    await finish(true)
    throw error
  }
  await finish(false)
}
