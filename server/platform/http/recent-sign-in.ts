import { Problem } from '../problem.ts'
import type { Session } from '../system.ts'

/** Milliseconds for which a sign-in counts as recent (security 21). */
const freshFor = 15 * 60_000

export const isRecentSignIn = ({ authenticatedAt }: Pick<Session, 'authenticatedAt'>, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() <= freshFor

/** @throws Problem 403 `reauthenticationRequired` if the person signed in over 15 minutes ago */
export function requireRecentSignIn(session: Pick<Session, 'authenticatedAt'>, now: Date): void {
  if (!isRecentSignIn(session, now)) throw new Problem(403, 'reauthenticationRequired')
}
