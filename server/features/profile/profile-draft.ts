import * as z from 'zod/mini'
import { type ProfileDraft, type profile, profileDraft } from '#contract/profile.ts'
import type { Config } from '#server/config.ts'
import { Unsealable } from '#server/platform/envelope.ts'
import type { Keys } from '#server/platform/keys.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { open, seal } from '#server/platform/sealing.ts'

/** Seconds; whoever signs in again for a change has to make it within a quarter of an hour anyway. */
const lifetime = 15 * 60
const path = '/api/profile/draft'

const secure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (secure(config) ? '__Secure-draft' : 'draft')
const options = (config: Config) => ({ path, httpOnly: true, sameSite: 'lax', secure: secure(config) }) as const

// The key of what lives no longer than a session; sealed for this account alone.
const key = 'cookies'
const cell = (accountId: string) => ({ table: 'users', column: 'profile_draft', row: accountId })
const kept = z.object({ draft: profileDraft, until: z.number() })

/**
 * Keeps what a person had typed over the way to another sign-in and back: sealed, in a cookie that no script reads, that
 * no other call is sent, and that opens for nobody else (docs/decisions/0025).
 */
export async function keepDraft(context: RequestContext<typeof profile.keepDraft>): Promise<undefined> {
  const { config, keys, input, session, now, http } = context
  const text = JSON.stringify({ draft: input, until: now.getTime() + lifetime * 1000 })
  const sealed = seal(keys, key, cell(session.user.accountId), text).toString('base64url')
  http.reply.setCookie(cookie(config), sealed, { ...options(config), maxAge: lifetime })
  return undefined
}

/** Gives it back and forgets it. */
export async function takeDraft(context: RequestContext<typeof profile.takeDraft>) {
  const { config, keys, session, now, http } = context
  const sealed = http.request.cookies[cookie(config)]
  if (!sealed) return { draft: null }
  http.reply.clearCookie(cookie(config), options(config))
  const opened = await openDraft(keys, session.user.accountId, sealed)
  return { draft: opened && opened.until > now.getTime() ? opened.draft : null }
}

async function openDraft(
  keys: Keys,
  accountId: string,
  sealed: string,
): Promise<{ draft: ProfileDraft; until: number } | undefined> {
  try {
    const text = (await open(keys, cell(accountId), Buffer.from(sealed, 'base64url'))).toString('utf8')
    return z.safeParse(kept, JSON.parse(text)).data
  } catch (error) {
    // Somebody else's, or made up.
    if (error instanceof Unsealable) return undefined
    throw error
  }
}
