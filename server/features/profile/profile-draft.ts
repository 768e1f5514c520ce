import * as z from 'zod/mini'
import { type ProfileDraft, type profile, profileDraft } from '#contract/profile/profile.ts'
import type { Config } from '#server/config.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { UnsealError } from '#server/platform/secrets/envelope.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'

/** Seconds; a change must follow a new sign-in within a quarter of an hour anyway. */
const lifetime = 15 * 60
const path = '/api/profile/draft'

const secure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (secure(config) ? '__Secure-draft' : 'draft')
const options = (config: Config) => ({ path, httpOnly: true, sameSite: 'lax', secure: secure(config) }) as const

// The key for short-lived data. The ciphertext is bound to the account.
const key = 'cookies'
const cell = (accountId: string) => ({ table: 'users', column: 'profile_draft', row: accountId })
const kept = z.object({ draft: profileDraft, until: z.number() })

/**
 * Saves the user's unsaved input during a new sign-in: encrypted for this account, in an HttpOnly cookie that is sent to
 * this path only (docs/decisions/0025).
 */
export async function saveDraft(context: RequestContext<typeof profile.saveDraft>): Promise<undefined> {
  const { config, keys, input, session, now, http } = context
  const text = JSON.stringify({ draft: input, until: now.getTime() + lifetime * 1000 })
  const sealed = seal(keys, key, cell(session.user.accountId), text).toString('base64url')
  http.reply.setCookie(cookie(config), sealed, { ...options(config), maxAge: lifetime })
  return undefined
}

/** Returns the draft and clears the cookie. */
export async function restoreDraft(context: RequestContext<typeof profile.restoreDraft>) {
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
    const text = (await unseal(keys, cell(accountId), Buffer.from(sealed, 'base64url'))).toString('utf8')
    return z.safeParse(kept, JSON.parse(text)).data
  } catch (error) {
    // Another account's draft, or forged.
    if (error instanceof UnsealError) return undefined
    throw error
  }
}
