import { maxSignOuts, type ServiceSignOut } from '#contract/service-clients/service-clients.ts'
import type { LogoutState } from '#contract/sign-in/sign-in.ts'
import type { Db } from '#server/platform/database/database.ts'
import { outgoingText } from '#server/platform/outgoing/outgoing-failure.ts'

/** What was sent to a client about sessions that ended, the newest first. */
export async function listSignOuts(
  db: Db,
  clientId: string,
  { failed }: { failed: boolean },
): Promise<ServiceSignOut[]> {
  const rows = await db
    .selectFrom('logoutDeliveries as d')
    .leftJoin('users as u', 'u.accountId', 'd.accountId')
    .select(['d.id', 'd.createdAt', 'u.email', 'd.state', 'd.attempts', 'd.reason'])
    .where('d.clientId', '=', clientId)
    // Still waiting after a failed attempt counts as not told.
    .$if(failed, (query) =>
      query.where((row) =>
        row.or([
          row('d.state', '=', 'failed'),
          row.and([row('d.state', '=', 'queued'), row('d.reason', 'is not', null)]),
        ]),
      ),
    )
    .orderBy('d.createdAt', 'desc')
    .orderBy('d.id', 'desc')
    .limit(maxSignOuts)
    .execute()
  return rows.map(({ createdAt, state, reason, ...row }) => ({
    ...row,
    at: createdAt.toISOString(),
    state: state as LogoutState,
    reason: reason && (outgoingText(reason) ?? reason),
  }))
}
