import { type AdapterPayload, Provider } from 'oidc-provider'
import { addressKey } from '#server/platform/limits/address.ts'
import { findKnownBrowser } from '#server/platform/limits/known-browsers.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from '../provider-problem.ts'
import { findRequest } from '../requests/request-record.ts'

/**
 * Bounds how many sign-ins somebody begins: each is stored before anyone has proven who they are. With a session the account
 * counts, in a browser that has signed in before the browser: they depend on nobody else. Strangers count by address, where
 * a whole company may sit, and all of them together, however many addresses they have.
 */
export async function limitBegunSignIn(system: System, payload: AdapterPayload): Promise<void> {
  const { db, clock, limits, counters, strangerLimiter } = system
  const { ctx } = Provider
  const request = ctx && findRequest(ctx.req)
  if (!request) return
  const own = payload.accountId ?? payload.session?.accountId ?? findKnownBrowser(request, system)
  const limit = own
    ? ({ name: 'begunSignInBrowser', key: own } as const)
    : ({ name: 'begunSignIn', key: addressKey(request.ip) } as const)
  await runForProvider(limits.take(db, [limit], clock()))
  const retryAfter = own ? 0 : strangerLimiter.take('all', clock())
  if (retryAfter === 0) return
  counters.limitsHit.inc({ limit: 'begunSignInTotal' })
  await runForProvider(Promise.reject(new Problem(429, 'tooManyRequests', { retryAfter })))
}
