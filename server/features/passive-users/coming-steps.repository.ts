import { type RawBuilder, sql } from 'kysely'
import { maxCounted } from '#contract/fields/fields.ts'
import type { Db } from '#server/platform/database/database.ts'
import { daysBefore, graceDays, idleLongEnough, isLastAdmin, watchedAccounts } from './due-people.repository.ts'

/** What will happen to an account. Times that have passed mean the coming night. */
export interface ComingStep {
  accountId: string
  nextWarningAt: Date | null
  passiveAt: Date
}

interface Range {
  now: Date
  /** Looks this many days ahead. */
  days: number
  /** Only members of this organisation. */
  organizationId?: string
}

interface Preview extends Range {
  offset: number
  limit: number
}

/** A page of the accounts that get a warning or become passive in the coming days, the soonest first. */
export async function listComing(db: Db, preview: Preview): Promise<{ totalCount: number; items: ComingStep[] }> {
  const { offset, limit } = preview
  const { rows } = await sql<ComingStep & { total: number }>`
    select *, count(*) over () as total from (${comingSteps(preview, preview.days + daysBefore.firstWarning)}) coming
    where least("nextWarningAt", "passiveAt") <= ${endOf(preview)}
    order by "passiveAt", "accountId" offset ${offset} limit ${limit}`.execute(db)
  const [first] = rows
  // Past the end no row tells the total.
  if (!first && offset > 0) return { ...(await listComing(db, { ...preview, offset: 0, limit: 1 })), items: [] }
  return { totalCount: first?.total ?? 0, items: rows }
}

/** How many accounts become passive in the coming days; one more than `maxCounted` where there are more than these. */
export async function countComing(db: Db, range: Range): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from (${comingSteps(range, range.days)}) coming where "passiveAt" <= ${endOf(range)} limit ${maxCounted + 1}) counted`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

const endOf = ({ now, days }: Range) => sql`${now}::timestamptz + make_interval(days => ${days}::integer)`

/** @param horizon how many days ahead the day may be: a warning comes earlier */
function comingSteps({ now, organizationId }: Range, horizon: number): RawBuilder<unknown> {
  const ofOrganization = organizationId
    ? // The times of people who belong elsewhere too would tell when they were last active there; who operates looks the same.
      sql`and not u.operates and u.account_id in (select account_id from memberships where organization_id = ${organizationId}::uuid)
          and not exists (
            select from memberships e where e.account_id = u.account_id and e.organization_id <> ${organizationId}::uuid)`
    : sql``
  return sql`
    select u.account_id as "accountId",
      case
        when d.due <= ${now} then null
        when p.days > 14 and w.days_before is null and d.due > ${now}::timestamptz + interval '1 day'
          then greatest(d.due - interval '14 days', ${now}::timestamptz)
        when p.days > 1 and (w.days_before is null or w.days_before > 1)
          then greatest(d.due - interval '1 day', ${now}::timestamptz)
      end as "nextWarningAt",
      greatest(d.due, ${now}::timestamptz, case when ${isLastAdmin}
        then case when w.days_before = 0 then w.sent_at else greatest(d.due, ${now}::timestamptz) end
          + make_interval(days => ${graceDays}::integer) end) as "passiveAt"
    ${watchedAccounts(now, horizon, idleLongEnough(now, horizon, organizationId))} ${ofOrganization}`
}
