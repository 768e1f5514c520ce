import { createHash } from 'node:crypto'
import type { OwnSession, profile } from '#contract/profile/profile.ts'
import { endAllSessions, endSession } from '#server/oidc/end-sessions.ts'
import { createLogoutEvent } from '#server/oidc/sign-out.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { deviceName, parseUserAgent } from '#server/platform/http/user-agent.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'
import { listLiveSessions, type SessionRow } from './own-sessions.repository.ts'
import { findOwnForUpdate } from './profile.repository.ts'

/** Lists the user's own sessions, the current one first. */
export async function listOwnSessions({ db, session, now }: RequestContext<typeof profile.sessions>) {
  const rows = await listLiveSessions(db, session.user.accountId, now)
  const isCurrent = (row: SessionRow) => keyOf(row) === session.key
  return [...rows.filter(isCurrent), ...rows.filter((row) => !isCurrent(row))].map((row) => describe(row, session))
}

/**
 * Ends one of the user's own sessions. Audited as `logout`, because it is a sign-out from another device.
 */
export async function endOwnSession(context: RequestContext<typeof profile.endSession>): Promise<undefined> {
  const { params, session, now, transact } = context
  await transact(async (db, audit) => {
    const rows = await lockSessions(db, session, now)
    const row = found(rows.find((one) => publicId(one) === params.id))
    audit(await createLogoutEvent(context, db, session, { before: { device: deviceName(row.userAgent) } }))
    await endSession(db, row.uid)
  })
  return undefined
}

/** Ends all the user's sessions except this one, including sign-ins in progress. */
export async function endOtherSessions(context: RequestContext<typeof profile.endOtherSessions>): Promise<undefined> {
  const { session, now, transact } = context
  await transact(async (db, audit) => {
    const rows = await lockSessions(db, session, now)
    if (rows.length > 1)
      audit(
        await createLogoutEvent(context, db, session, { before: { sessions: rows.length }, after: { sessions: 1 } }),
      )
    await endAllSessions(db, session.user.accountId, { exceptSession: session.key })
  })
  return undefined
}

/** Locks and lists the user's sessions. Empty if the current session has just been ended. */
async function lockSessions(db: Db, { key, user }: Session, now: Date): Promise<SessionRow[]> {
  found(await findOwnForUpdate(db, user.accountId))
  const rows = await listLiveSessions(db, user.accountId, now)
  if (!rows.some((row) => keyOf(row) === key)) throw new Problem(401, 'signInRequired')
  return rows
}

const keyOf = (row: SessionRow) => row.idHash.toString('hex')

/** A public id for the owner's list, derived from the provider's uid: neither the cookie value nor its stored hash. */
const publicId = ({ uid }: SessionRow) => createHash('sha256').update(`own session ${uid}`).digest('hex').slice(0, 32)

function describe(row: SessionRow, session: Session): OwnSession {
  return {
    id: publicId(row),
    ...parseUserAgent(row.userAgent),
    signedInAt: row.authenticatedAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    current: keyOf(row) === session.key,
  }
}
