import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import type { Session } from '#server/platform/system.ts'
import { portalClientId } from './clients.adapter.ts'
import { endSession } from './end-sessions.ts'
import { methodFromAmr, readAmr } from './sign-in-method.ts'

type Context = Pick<RequestContext, 'transact' | 'http'>

/**
 * Ends the session of a request, and records the audit event.
 *
 * @param client the client that started the sign-out
 * @returns the id of the sign-out, if services took part
 */
export const signOutSession = (context: Context, session: Session, client: string): Promise<string | undefined> =>
  context.transact(async (db, audit) => {
    audit(await createLogoutEvent(context, db, session, { client }))
    return endSession(db, session.uid)
  })

/** Creates the audit event of a sign-out, with the sign-in method of the session and the client. */
export async function createLogoutEvent(
  { http }: Pick<Context, 'http'>,
  db: Db,
  session: Session,
  { client = portalClientId, before = {}, after = {} }: Pick<AuditEntry, 'before' | 'after'> & { client?: string } = {},
): Promise<AuditEntry> {
  const row = await db
    .selectFrom('sessions')
    .select('payload')
    .where('idHash', '=', Buffer.from(session.key, 'hex'))
    .executeTakeFirst()
  return {
    name: 'logout',
    target: { id: session.actor.accountId, label: session.label },
    before,
    after: { ...createSignInTrace(http.request, { method: methodFromAmr(readAmr(row?.payload)), client }), ...after },
  }
}
