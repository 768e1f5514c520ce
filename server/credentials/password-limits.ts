import type { RequestContext } from '#server/platform/http/request-context.ts'
import type { LimitKey, Taken } from '#server/platform/limits/limits.ts'
import { knownBrowser } from './known-browser.ts'

/** The limits that a wrong password counts against: the pair of account and address, and each of them or the known browser alone. */
export function limitsFor(
  context: Pick<RequestContext, 'config' | 'keys' | 'http'>,
  email: string,
  address: string,
): { pair: LimitKey; others: LimitKey[] } {
  const browser = knownBrowser(context.http.request, context, email)
  return {
    pair: { name: 'wrongPassword', key: `${email} ${address}` },
    others: [
      ...(browser === undefined
        ? ([
            { name: 'wrongPasswordAccount', key: email },
            { name: 'addressFailures', key: address },
          ] as const)
        : ([{ name: 'wrongPasswordBrowser', key: `${email} ${browser}` }] as const)),
    ],
  }
}

/**
 * How often this account and address failed before the right password. The failures of an address stand for guesses at many
 * accounts, and these were none. Only what fell into both windows of the address can be taken from them.
 */
export function typosBefore(counts: Taken['counts']): number {
  const pair = counts.get('wrongPassword')
  const windows = [counts.get('addressFailures'), counts.get('addressFailuresHourly')]
  return pair && windows.every((window) => window && window.since <= pair.since) ? pair.count - 1 : 0
}
