import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { EnrolmentFacts } from './must-enrol.ts'
import { meetsFloor } from './reach/sign-in-floor.ts'
import type { AccountFacts } from './requests/read-row.ts'
import { accountFacts, organizationsWithService } from './tokens/account-facts.ts'

/** Whose account, at which service, and in which session: that of a token, or with the methods that were proven. */
export interface Asked {
  accountId: string
  serviceId: string | undefined
  bound: string | null
  sessionUid: string | null
  methods: string | null
}

/** What is known of these accounts. Concurrent requests share the statement (decision 0008). */
export async function readUsers(
  db: Db,
  asked: readonly Asked[],
): Promise<((AccountFacts & EnrolmentFacts) | undefined)[]> {
  const column = (name: keyof Asked) => asked.map((one) => one[name] ?? null)
  const amr = sql`coalesce(k.methods::jsonb,
    (select coalesce(payload -> 'amr', '[]') from sessions where uid = k.session_uid))`
  const statement = sql<AccountFacts & EnrolmentFacts & { place: string }>`
    select k.place, ${accountFacts({ serviceId: sql`k.service_id`, bound: sql`k.bound`, amr })},
      u.login_method as "loginMethod", u.super_user as "superUser", u.operates_since as "operatesSince",
      case when u.has_portal_role then (
        select role from grants g where g.account_id = u.account_id and g.scope = 'portal') end as "portalRole",
      u.usual_factor as "usualFactor", u.must_enrol as "wasHelped"
    from (select * from unnest((select ${column('accountId')}::uuid[]), (select ${column('serviceId')}::uuid[]),
        (select ${column('bound')}::text[]), (select ${column('sessionUid')}::text[]),
        (select ${column('methods')}::text[])) with ordinality) as k(account_id, service_id, bound, session_uid, methods, place)
      join users u on u.account_id = k.account_id
    where not u.pending and u.passive_at is null`
  const { rows } = await executePrepared(db, statement)
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]))
  return asked.map((_, index) => byPlace.get(index + 1))
}

/** The first organisation that has the service and asks for a stronger sign-in. */
export async function findHeldBack(
  db: Db,
  { accountId, serviceId, amr }: { accountId: string; serviceId: string; amr: RawBuilder<unknown> },
): Promise<string | undefined> {
  const { rows } = await sql<{ organizationId: string }>`
    select held."organizationId" from users u, lateral (
      ${organizationsWithService(sql`${serviceId || null}::uuid`)} and not ${meetsFloor(amr)} order by o.name limit 1) as held
    where u.account_id = ${accountId}`.execute(db)
  return rows[0]?.organizationId
}
