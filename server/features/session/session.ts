// The door of the room: what others need to know of the person who is signed in.
import type { CurrentUser } from '#contract/session/session.ts'
import { methodFromAmr } from '#server/oidc/sign-in-method.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { Session } from '#server/platform/system.ts'

/** The user of a session, with the personal number opened: it is the user's own. */
export const readCurrentUser = async (
  keys: Keys,
  { user, amr }: Pick<Session, 'user' | 'amr'>,
): Promise<CurrentUser> => ({
  ...user,
  signedInWith: methodFromAmr(amr),
  ssn: user.ssnSealed ? await unsealSsn(keys, user.accountId, user.ssnSealed) : null,
  ssnConfirmed: user.ssnSealed && user.ssnProof !== null,
})
