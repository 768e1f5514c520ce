import { sql } from 'kysely'
import { type CurrentNotice, type NoticeForm, notice } from '#contract/notices/notices.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Change } from '#server/platform/database/versioned.ts'
import { newId } from '#server/platform/ids.ts'

/** Days are days in Sweden. */
export const isCurrent = (now: Date) =>
  sql<boolean>`(${now}::timestamptz at time zone 'Europe/Stockholm')::date between starts_on and coalesce(ends_on, 'infinity')`

const { organizationName: _, startsOn: __, endsOn: ___, ...stored } = notice.shape
const columns = (Object.keys(stored) as (keyof typeof stored)[]).map((name) => `n.${name}` as const)

const notices = (db: Db) =>
  db
    .selectFrom('notices as n')
    .leftJoin('organizations as o', 'o.organizationId', 'n.organizationId')
    .select([...columns, 'o.name as organizationName'])
    // As text: a date of the driver would be a moment in the time zone of the server.
    .select([sql<string>`starts_on::text`.as('startsOn'), sql<string | null>`ends_on::text`.as('endsOn')])

export const listNotices = (db: Db) => notices(db).orderBy('n.startsOn', 'desc').orderBy('n.noticeId', 'desc').execute()

export const findNotice = (db: Db, noticeId: string) =>
  notices(db).where('n.noticeId', '=', noticeId).executeTakeFirst()

/** Finds and locks the notice until the transaction ends. */
export const findNoticeForUpdate = (db: Db, noticeId: string) =>
  notices(db).where('n.noticeId', '=', noticeId).forUpdate('n').executeTakeFirst()

const days = ({ startsOn, endsOn }: Change<NoticeForm>) => ({
  ...(startsOn !== undefined && { startsOn: sql<Date>`${startsOn}::date` }),
  ...(endsOn !== undefined && { endsOn: sql<Date | null>`${endsOn}::date` }),
})

export async function insertNotice(db: Db, form: NoticeForm): Promise<string> {
  const noticeId = newId()
  const { startsOn, endsOn, ...rest } = form
  const lasts = { startsOn: sql<Date>`${startsOn}::date`, endsOn: sql<Date | null>`${endsOn}::date` }
  await db
    .insertInto('notices')
    .values({ noticeId, ...rest, ...lasts })
    .execute()
  return noticeId
}

export const updateNotice = (db: Db, noticeId: string, { startsOn, endsOn, ...rest }: Change<NoticeForm>) =>
  db
    .updateTable('notices')
    .set({ ...rest, ...days({ startsOn, endsOn }), version: sql`version + 1` })
    .where('noticeId', '=', noticeId)
    .execute()

export const removeNotice = (db: Db, noticeId: string) =>
  db.deleteFrom('notices').where('noticeId', '=', noticeId).execute()

/** The notices of a day, for everyone and for these organisations, the latest first. */
export const listCurrentNotices = (db: Db, organizationIds: readonly string[], now: Date): Promise<CurrentNotice[]> =>
  db
    .selectFrom('notices as n')
    .select(['n.noticeId', 'n.message', 'n.organizationId'])
    .where(sql<boolean>`(n.organization_id is null or n.organization_id = any (${organizationIds}::uuid[]))`)
    .where(isCurrent(now))
    .orderBy('n.startsOn', 'desc')
    .orderBy('n.noticeId', 'desc')
    .execute()
