import { type RawBuilder, sql } from 'kysely'
import type {
  ReviewDecision,
  ReviewedService,
  ReviewPerson,
  ReviewRow,
} from '#contract/access-reviews/review-answers.ts'
import type { LastUse, ReviewFilters } from '#contract/access-reviews/review-filters.ts'
import type { Db } from '#server/platform/database/database.ts'
import { containsPattern } from '#server/platform/database/paging.ts'
import { parseSearchTerms } from '#server/platform/database/search.ts'

/** The rows of a review that somebody decides: all, or those of some services. */
export interface Part {
  reviewId: string
  organizationId: string
  /** Undefined: every service. */
  serviceIds: readonly string[] | undefined
  /** Who decides a part decides nothing about themselves. */
  except?: string
}

/** A row with its person. */
export type StoredRow = Omit<ReviewRow, 'lastUsed'> &
  Pick<ReviewPerson, 'accountId' | 'name' | 'email' | 'userRole' | 'guest'> & {
    serviceRole: ReviewRow['userRole']
    lastUsed: Date | null
    decidedAt: Date | null
    endedAt: Date | null
  }

const isPresent = ({ organizationId }: Pick<Part, 'organizationId'>) => sql<boolean>`exists (
  select from service_assignments a
  where a.account_id = r.account_id and a.service_id = r.service_id and a.organization_id = ${organizationId})`

/**
 * Whether what is kept is held, also after the end of the review: it does not end with the groups that the person leaves because
 * they give something that is taken back.
 */
const isHeldOn = (part: Pick<Part, 'organizationId'>) => sql<boolean>`r.ended_at is null and (v.finished_at is not null
  or ${isPresent(part)} and (
    exists (select from service_assignments a where a.account_id = r.account_id and a.service_id = r.service_id
      and a.organization_id = ${part.organizationId} and a.source is not null)
    or exists (
      select from group_grants g where g.account_id = r.account_id and g.service_id = r.service_id
        and g.organization_id = ${part.organizationId} and not exists (
          select from group_services x join access_review_rows t on t.service_id = x.service_id
          where x.group_id = g.group_id and t.review_id = r.review_id and t.account_id = r.account_id
            and t.decision = 'takeBack' and t.ended_at is null))))`

const endsOn = sql<string | null>`least(r.member_until, (
  select a.last_day from assignment_last_days a
  where a.account_id = r.account_id and a.service_id = r.service_id and a.organization_id = r.organization_id))::text`

const ofPart = ({ reviewId, serviceIds, except }: Part): RawBuilder<unknown> =>
  sql`r.review_id = ${reviewId} ${serviceIds ? sql`and r.service_id = any (${serviceIds as string[]}::uuid[])` : sql``}
    ${except ? sql`and r.account_id <> ${except}` : sql``}`

const daysBefore = (days: number) => sql`v.opened_at - make_interval(days => ${days})`
const usedAt: Record<LastUse, RawBuilder<unknown>> = {
  within30Days: sql`r.last_used >= ${daysBefore(30)}`,
  within90Days: sql`r.last_used >= ${daysBefore(90)}`,
  over90Days: sql`r.last_used < ${daysBefore(90)}`,
  over180Days: sql`r.last_used < ${daysBefore(180)}`,
  unknown: sql`r.last_used is null`,
}

function conditions(part: Part, filters: ReviewFilters & { searchQuery?: string }): RawBuilder<unknown> {
  const { serviceId, role, lastUse, people, decision, searchQuery } = filters
  const all = [ofPart(part)]
  if (serviceId) all.push(sql`r.service_id = ${serviceId}`)
  if (role) all.push(sql`r.user_role = ${role}`)
  if (lastUse) all.push(usedAt[lastUse])
  if (people === 'guests') all.push(sql`m.entry = 'guest'`)
  if (people === 'organizationAdmins') all.push(sql`m.user_role = 'organizationAdmin'`)
  if (decision === 'undecided') all.push(sql`r.decision is null and ${isPresent(part)}`)
  else if (decision) all.push(sql`r.decision = ${decision}`)
  for (const word of parseSearchTerms(searchQuery ?? '')?.words ?? [])
    all.push(sql`folded(concat_ws(' ', r.first_name, r.last_name, r.email)) collate "C" like ${containsPattern(word)}`)
  return sql.join(all, sql` and `)
}

/** People with the rows that match, by name, and how many people and rows there are. */
export async function listPeople(
  db: Db,
  part: Part,
  filters: ReviewFilters & { searchQuery?: string },
  { offset, limit }: { offset: number; limit: number | null },
): Promise<{ people: number; matching: number; rows: StoredRow[] }> {
  const { rows } = await sql<StoredRow & { people: number; matching: number; isShown: boolean }>`
    with matching as (
      select r.*, v.organization_id, v.finished_at, m.user_role as member_role, m.valid_until as member_until,
        coalesce(m.entry = 'guest', false) as guest,
        dense_rank() over (order by r.last_name collate "sv-x-icu", r.first_name collate "sv-x-icu", r.email, r.account_id)
          as place, nullif(concat_ws(' ', r.first_name, r.last_name), '') as name, s.name as service
      from access_review_rows r join access_reviews v using (review_id)
        join services s on s.service_id = r.service_id
        left join memberships m on m.account_id = r.account_id and m.organization_id = v.organization_id
      where ${conditions(part, filters)}
    ), counted as (select coalesce(max(place), 0) as people, count(*) as matching from matching)
    select people, matching, r.row_id is not null as "isShown", r.row_id as "rowId", r.account_id as "accountId", r.name,
      r.email, r.member_role as "userRole", r.guest, r.service_id as "serviceId", r.service as "serviceName",
      r.user_role as "serviceRole", r.service_roles as "serviceRoles", array(
        select distinct g.name from group_grants x join groups g using (group_id)
        where x.account_id = r.account_id and x.organization_id = r.organization_id and x.service_id = r.service_id
        order by 1) as groups,
      r.last_used as "lastUsed", ${endsOn} as "endsOn", r.decision,
      r.decided_at as "decidedAt",
      r.decided_by as "decidedBy", r.ended_at as "endedAt",
      case when r.decision = 'keep' and r.finished_at is not null then r.ended_at is null else ${isPresent(part)} end as present
    from counted left join matching r on place > ${offset} ${limit === null ? sql`` : sql`and place <= ${offset + limit}`}
    order by place, r.service, r.row_id`.execute(db)
  const { people = 0, matching = 0 } = rows[0] ?? {}
  return { people, matching, rows: rows.filter(({ isShown }) => isShown) }
}

/** The services of a part with their progress, by name, and what was decided. */
export async function listServices(db: Db, part: Part) {
  const { rows } = await sql<ReviewedService & { kept: number; takenBack: number }>`
    select service_id as "serviceId", s.name, count(*) as total,
      count(*) filter (where decision is not null or not ${isPresent(part)}) as done,
      count(*) filter (where decision = 'keep' and ${isHeldOn(part)}) as kept, count(*) filter (where decision = 'takeBack') as "takenBack"
    from access_review_rows r join access_reviews v using (review_id) join services s using (service_id)
    where ${ofPart(part)} group by service_id, s.name order by s.name collate "sv-x-icu", service_id`.execute(db)
  return rows
}

interface Decided {
  from: ReviewDecision | null
  decision: ReviewDecision | null
  by: string
  now: Date
}

/** Notes a decision where the present one is as expected and can still be changed. @returns for how many rows */
export async function storeDecision(
  db: Db,
  part: Part,
  rowIds: readonly string[],
  { from, decision, by, now }: Decided,
): Promise<number> {
  const { rows } = await sql`
    update access_review_rows r set decision = ${decision}, decided_by = ${decision && by},
      decided_at = ${decision && now}
    where ${ofPart(part)} and row_id = any (${rowIds as string[]}::uuid[]) and ended_at is null
      and decision is not distinct from ${from} and ${isPresent(part)}
    returning 1`.execute(db)
  return rows.length
}

/** What people lose, person by person; of one person alone, whatever the decision so far. */
export async function listToEnd(db: Db, part: Part, one?: { accountId: string; rowIds: readonly string[] }) {
  const { rows } = await sql<{ accountId: string; rowIds: string[]; serviceIds: string[]; isOfAdmin: boolean }>`
    select account_id as "accountId", array_agg(row_id) as "rowIds", array_agg(service_id) as "serviceIds",
      bool_or(exists (select from service_assignments a where a.account_id = r.account_id and a.service_id = r.service_id
        and a.organization_id = ${part.organizationId} and a.user_role = 'serviceAdmin')) as "isOfAdmin"
    from access_review_rows r
    where ${ofPart(part)} and ended_at is null and ${isPresent(part)}
      and ${
        one
          ? sql`account_id = ${one.accountId} and row_id = any (${one.rowIds as string[]}::uuid[])`
          : sql`decision = 'takeBack'`
      }
    group by account_id order by account_id`.execute(db)
  return rows
}

/** How many services of a review were taken back since its end began. */
export async function countEnded(db: Db, reviewId: string, endingAt: Date): Promise<number> {
  const { count } = await db
    .selectFrom('accessReviewRows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reviewId', '=', reviewId)
    .where('decision', '=', 'takeBack')
    .where('endedAt', '>=', endingAt)
    .executeTakeFirstOrThrow()
  return count
}

/** Notes that services were taken back. */
export const storeEnd = (db: Db, rowIds: readonly string[], { by, now }: { by?: string; now: Date }) =>
  db
    .updateTable('accessReviewRows')
    .set({ endedAt: now, ...(by && { decision: 'takeBack' as const, decidedBy: by, decidedAt: now }) })
    .where('rowId', 'in', rowIds)
    .execute()

/** Notes what was kept, and has ended in another way before the review did, such as with the group of another service. */
export const storeLost = (db: Db, part: Part, now: Date) =>
  sql`update access_review_rows r set ended_at = ${now}
    where ${ofPart(part)} and decision = 'keep' and ended_at is null and not ${isPresent(part)}`.execute(db)
