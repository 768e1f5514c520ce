import { sql } from 'kysely'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from '../provider-problem.ts'

/** Notes that a person entered a service, at most once an hour: for the launcher and for access reviews. */
export async function noteUse({ db, clock }: System, accountId: string, serviceId: string): Promise<void> {
  await runForProvider(
    executePrepared(
      db,
      sql`insert into service_preferences as known (account_id, service_id, last_used)
        values (${accountId}::uuid, ${serviceId}::uuid, ${clock()}::timestamptz)
        on conflict (account_id, service_id) do update set last_used = excluded.last_used
        where known.last_used is null or known.last_used < excluded.last_used - interval '1 hour'`,
    ),
  )
}
