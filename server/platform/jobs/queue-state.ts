import { sql } from 'kysely'
import type { QueueState } from '#contract/system/system.ts'
import type { Db } from '../database/database.ts'
import { queueSchema } from '../database/queues.ts'

// The other queues are dead-letter queues of these.
const workingQueues: QueueState['name'][] = ['mail', 'sms', 'logout', 'jobs']

/** The state of every queue, from the database: the same in each process. */
export async function readQueues(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select name, coalesce(waiting, 0) as waiting, coalesce("oldestSeconds", 0) as "oldestSeconds",
      case name
        when 'logout' then (select count(*) from logout_deliveries where state = 'failed')
        when 'jobs' then (select count(*) from job_runs where failed)
        else (select count(*) from outbox_messages where state = 'failed' and kind = name)
      end as failed
    from unnest(${workingQueues}::text[]) with ordinality as known (name, place)
      left join (
        select name, count(*) as waiting,
          greatest(0, extract(epoch from clock_timestamp() - min(created_on)))::float8 as "oldestSeconds"
        from ${sql.id(queueSchema, 'job')} where state < 'active' group by name
      ) as open using (name)
    order by place`.execute(db)
  return rows
}
