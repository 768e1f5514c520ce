import { createHash } from 'node:crypto'
import type { OwnSession, profile } from '#contract/profile.ts'
import { endAllSessions, endSession } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Db } from '#server/platform/database.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import type { Session } from '#server/platform/system.ts'
import { listLiveSessions, type SessionRow } from './own-sessions.repository.ts'
import { findOwnForUpdate } from './profile.repository.ts'
import { readUserAgent } from './user-agent.ts'

/** The own sessions, this one first. */
export async function listOwnSessions({ db, session, now }: RequestContext<typeof profile.sessions>) {
  const rows = await listLiveSessions(db, session.user.accountId, now)
  const isCurrent = (row: SessionRow) => keyOf(row) === session.key
  return [...rows.filter(isCurrent), ...rows.filter((row) => !isCurrent(row))].map((row) => describe(row, session))
}

/**
 * Ends one of the own sessions. Its event is a `logout`: that is what it is, from another device, and there is no name
 * of its own for it.
 */
export async function endOwnSession(
  { params, session, now, transact }: RequestContext<typeof profile.endSession>,
  provider: MountedProvider,
): Promise<undefined> {
  const services = await transact(async (db, audit) => {
    const rows = await lockSessions(db, session, now)
    const row = found(rows.find((one) => publicId(one) === params.id))
    const { browser, system } = readUserAgent(row.userAgent)
    audit({ name: 'logout', target: self(session), before: { device: [browser, system].filter(Boolean).join(', ') } })
    return endSession(db, keyOf(row))
  })
  provider.tellServices(services)
  return undefined
}

/** Ends every own session but this one, also what is just signing in. */
export async function endOtherSessions(
  { session, now, transact }: RequestContext<typeof profile.endOtherSessions>,
  provider: MountedProvider,
): Promise<undefined> {
  const services = await transact(async (db, audit) => {
    const rows = await lockSessions(db, session, now)
    if (rows.length > 1)
      audit({ name: 'logout', target: self(session), before: { sessions: rows.length }, after: { sessions: 1 } })
    return endAllSessions(db, session.user.accountId, { exceptSession: session.key })
  })
  provider.tellServices(services)
  return undefined
}

/** The own sessions, while no other request ends any. Whoever was signed out a moment ago ends none. */
async function lockSessions(db: Db, { key, user }: Session, now: Date): Promise<SessionRow[]> {
  found(await findOwnForUpdate(db, user.accountId))
  const rows = await listLiveSessions(db, user.accountId, now)
  if (!rows.some((row) => keyOf(row) === key)) throw new Problem(401, 'signInRequired')
  return rows
}

const self = (session: Session) => ({ id: session.user.accountId, label: session.label })
const keyOf = (row: SessionRow) => row.idHash.toString('hex')

/** Neither the cookie's value nor what is stored of it: a name for the owner's list, made from the provider's own name. */
const publicId = ({ uid }: SessionRow) => createHash('sha256').update(`own session ${uid}`).digest('hex').slice(0, 32)

function describe(row: SessionRow, session: Session): OwnSession {
  return {
    id: publicId(row),
    ...readUserAgent(row.userAgent),
    signedInAt: row.authenticatedAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    current: keyOf(row) === session.key,
  }
}
