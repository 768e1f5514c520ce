import { createHmac } from 'node:crypto'
import type { UsedCredential } from '#contract/passkeys/credentials.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { consumeToken, issueToken, type OneTimeToken } from '#server/platform/secrets/one-time-tokens.ts'
import { readClientData } from './client-data.ts'

/** How long somebody may take at the authenticator; milliseconds. */
export const challengeLifetime = 5 * 60_000

const derive = (key: ReturnType<Keys['current']>, uid: string) =>
  createHmac('sha256', key.secret).update(`passkey sign-in ${uid}`).digest('base64url')

/**
 * The challenge of a sign-in: it follows from the interaction, so that the page can have it without a row, and is used up
 * with the interaction (decision 0067).
 */
export const signInChallenge = (keys: Keys, uid: string): string => derive(keys.current('tokens'), uid)

/** The one of the challenges of this sign-in that a proof is about; keys may have been rotated since the page was made. */
export function findSignInChallenge(keys: Keys, uid: string, credential: UsedCredential): string {
  const given = readClientData(credential)?.challenge
  return (
    keys
      .all('tokens')
      .map((key) => derive(key, uid))
      .find((challenge) => challenge === given) ?? signInChallenge(keys, uid)
  )
}

/** A challenge of which a row knows: of a new key, or of somebody who is known already. Good once, for 5 minutes. */
export const issueChallenge = (
  db: Db,
  { now, ...what }: OneTimeToken & { now: Date; data?: { [name: string]: string | number | boolean } },
): Promise<string> => issueToken(db, { ...what, now, expiresAt: new Date(now.getTime() + challengeLifetime) })

/** Uses up the challenge that the browser signed. @returns undefined for another purpose or subject, and a second time */
export async function takeChallenge(
  db: Db,
  { credential, now, ...what }: OneTimeToken & { credential: { response: { clientDataJSON: string } }; now: Date },
) {
  const challenge = readClientData(credential)?.challenge
  const taken = challenge === undefined ? undefined : await consumeToken(db, { ...what, token: challenge, now })
  return taken && challenge !== undefined ? { challenge, data: taken.data } : undefined
}
