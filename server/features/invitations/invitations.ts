// The door of the room: what sign-in needs of it.
import type { Db } from '#server/platform/database.ts'
import { activateAccepted } from './accept-invitation.repository.ts'

/**
 * Makes a pending person's account usable, where the person has accepted an invitation and now proves by BankID or the
 * company's sign-in to be the one who did. Call it in the transaction of that sign-in, after the personal number (or the
 * address) has matched.
 *
 * @returns false for somebody who is not pending or has accepted nothing: the sign-in is refused
 */
export const activateOnFirstSignIn = (db: Db, accountId: string, now: Date): Promise<boolean> =>
  activateAccepted(db, accountId, now)
