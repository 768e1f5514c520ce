import { sql } from 'kysely'
import type { Todos } from '#contract/home/home.ts'
import { longWaitDays } from '#contract/users/user-filters.ts'
import { ending } from '#server/features/users/users.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Scope } from './figures.repository.ts'

type Invitations = Pick<Todos, 'failedInvitations' | 'waitingInvitations'>

/** Open or expired invitations that somebody must send again. */
export async function countInvitations(db: Db, scope: Scope, now: Date): Promise<Invitations> {
  const { rows } = await sql<Invitations>`
    select count(*) filter (where failed) as "failedInvitations",
      count(*) filter (where not failed and sent_at < ${daysBefore(now, longWaitDays)}) as "waitingInvitations"
    from (
      select i.sent_at, coalesce(mail.state in ('failed', 'dropped'), false) as failed
      from invitations i left join outbox_messages mail on mail.id = i.outbox_id
      where ${scope === undefined ? sql`true` : sql`i.organization_id = ${scope}::uuid`}
    ) waiting`.execute(db)
  return rows[0] ?? { failedInvitations: 0, waitingInvitations: 0 }
}

/** As the list with `accessEnds` shows them. */
export async function countEndingAccess(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${ending('accessEnds', scope)} as people`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countAccessRequests(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from access_requests
    where refused_because is null ${scope === undefined ? sql`` : sql`and organization_id = ${scope}::uuid`}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

const shownServices = 5

/** Services of organisations in which at least nine tenths of the seats are used, the fullest first. */
export async function listNearlyFull(db: Db, scope: Scope): Promise<Pick<Todos, 'nearlyFull' | 'nearlyFullCount'>> {
  const { rows } = await sql<Todos['nearlyFull'][number] & { total: number }>`
    select o.organization_id as "organizationId", o.name as "organizationName", s.service_id as "serviceId", s.name,
      seats_used as "seatsUsed", max_number_of_users as "maxNumberOfUsers", count(*) over () as total
    from organization_services offered
      join organizations o using (organization_id) join services s using (service_id)
    where seats_used * 10 >= max_number_of_users * 9
      ${scope === undefined ? sql`` : sql`and organization_id = ${scope}::uuid`}
    order by seats_used::real / max_number_of_users desc, o.name, s.name, o.organization_id, s.service_id
    limit ${shownServices}`.execute(db)
  return { nearlyFull: rows.map(({ total: _, ...service }) => service), nearlyFullCount: rows[0]?.total ?? 0 }
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 24 * 3600_000)

/** The organisation, if it exists. */
export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select('organizationId')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
