import { clientErrors } from '#contract/client-errors/client-errors.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { withoutPersonalData } from '#server/platform/log.ts'
import { Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'

// Query strings contain e-mail addresses and fragments may contain anything: log only the path.
const pathOnly = (url: string) => url.replace(/^[a-z]+:\/\/[^/]+/i, '').split(/[?#]/, 1)[0] ?? ''
const tokens = /[A-Za-z0-9_-]{32,}/g
const redacted = (text: string | null | undefined) =>
  text ? withoutPersonalData(text).replaceAll(tokens, '[token]') : null

export const clientErrorsHandlers: Handlers<typeof clientErrors> = {
  report: async ({ input, log, requestId, limits, db, ip, now }) => {
    // Drop reports over the limit silently: a crashed page can do nothing with an error.
    if (await isTooMuch(() => limits.take(db, [{ name: 'clientErrors', key: addressKey(ip) }], now))) return undefined
    log.warn(
      {
        clientError: redacted(input.error),
        page: redacted(pathOnly(input.url)),
        stack: redacted(input.stack),
        componentStack: redacted(input.componentStack),
        requestId,
      },
      'the web app crashed',
    )
    return undefined
  },
}

async function isTooMuch(take: () => Promise<unknown>): Promise<boolean> {
  try {
    await take()
    return false
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return true
    throw error
  }
}

export const createCallGroups: CreateCallGroups = () => [callGroup(clientErrors, clientErrorsHandlers)]
