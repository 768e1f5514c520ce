// The public interface of this room: what the start of the app tells of notices.
import type { CurrentNotice } from '#contract/notices.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isCurrent } from './notices.repository.ts'

/** The notices of a day, for everyone and for a person's organisations, the latest first. */
export const listCurrentNotices = (db: Db, accountId: string, now: Date): Promise<CurrentNotice[]> =>
  db
    .selectFrom('notices as n')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.organizationId', '=', 'n.organizationId').on('m.accountId', '=', accountId),
    )
    .select(['n.noticeId', 'n.message', 'n.organizationId'])
    .where((where) => where.or([where('n.organizationId', 'is', null), where('m.accountId', 'is not', null)]))
    .where(isCurrent(now))
    .orderBy('n.startsOn', 'desc')
    .orderBy('n.noticeId', 'desc')
    .execute()
