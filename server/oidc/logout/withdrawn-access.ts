import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { organizationOfToken } from '../reach/chosen-organization.ts'
import { type EndedSession, queueLogouts } from './queue-logouts.ts'

/**
 * Signs people out of the services that they have lost: their tokens there end, and the services are told. The session at
 * the portal goes on. A service that was entered for one organisation is lost with that organisation's. Call it in the
 * transaction that takes the services away.
 *
 * @param accountIds whose sessions; without them, everybody's, as when an organisation loses a service
 */
export const endWithdrawnAccess = (db: Db, ...accountIds: string[]): Promise<void> =>
  endAccess(db, accountIds.length === 0 ? sql`true` : sql`s.account_id = any (${accountIds}::uuid[])`)

/** The same for those whose membership or service has ended in the last days, because its last day has passed. */
export const endLapsedAccess = (db: Db): Promise<void> => {
  const lapsed = sql`valid_until < access_day() and valid_until >= access_day() - 7`
  return endAccess(
    db,
    sql`s.account_id in (select account_id from memberships where ${lapsed}
      union select account_id from assignment_ends where ${lapsed})`,
  )
}

async function endAccess(db: Db, whose: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<EndedSession>`
    with withdrawn as (
      select s.id_hash, s.account_id, jsonb_object_agg(a.key, a.value) as authorizations, array_agg(a.key) as client_ids
      from sessions s cross join lateral jsonb_each(s.payload -> 'authorizations') a join clients c on c.client_id = a.key
      where c.service_id is not null and s.account_id is not null
        and ${whose}
        and (
          not exists (
            select from current_assignments x where x.account_id = s.account_id and x.service_id = c.service_id)
          or exists (
            select from provider_artifacts p
            where p.grant_id = a.value ->> 'grantId' and p.consumed_at is null
              and p.payload #>> ${organizationOfToken}::text[] is not null
              and not exists (
                select from current_assignments x
                where x.account_id = s.account_id and x.service_id = c.service_id
                  and x.organization_id::text = p.payload #>> ${organizationOfToken}::text[])))
      group by s.id_hash, s.account_id
    )
    update sessions s
    set payload = jsonb_set(s.payload, '{authorizations}', (s.payload -> 'authorizations') - withdrawn.client_ids)
    from withdrawn where s.id_hash = withdrawn.id_hash
    returning s.account_id as "accountId", withdrawn.authorizations`.execute(db)
  await queueLogouts(db, rows)
}
