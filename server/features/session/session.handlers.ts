import type { session } from '#contract/session.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { openSsn } from '#server/platform/ssn.ts'

export const sessionHandlers: Handlers<typeof session> = {
  me: async ({ session: { user }, keys }) => ({
    ...user,
    ssn: user.ssnSealed ? await openSsn(keys, user.accountId, user.ssnSealed) : null,
  }),
  expire: async ({ session, now }) => ({
    secondsToLive: session ? Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000)) : 0,
  }),
}
