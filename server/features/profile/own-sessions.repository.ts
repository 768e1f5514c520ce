import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** The columns of a session that its owner may see. */
export interface SessionRow {
  idHash: Buffer
  uid: string
  userAgent: string | null
  authenticatedAt: Date
  lastUsedAt: Date
}

/** The valid sessions of an account, most recently used first. Their number is limited. */
export async function listLiveSessions(db: Db, accountId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select s.id_hash as "idHash", s.uid, s.user_agent as "userAgent",
      coalesce(s.authenticated_at, s.created_at) as "authenticatedAt", s.last_used_at as "lastUsedAt"
    from sessions s join users u on u.account_id = s.account_id
    where s.account_id = ${accountId} and s.expires_at > ${now} and s.auth_epoch = u.auth_epoch
    order by s.last_used_at desc, s.id_hash`.execute(db)
  return rows
}
