// The public interface of this room: what the start of the app tells of notices.
import { sql } from 'kysely'
import type { CurrentNotice } from '#contract/notices/notices.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isCurrent } from './notices.repository.ts'

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
