import type { RequestContext } from '#server/platform/http/request-context.ts'
import type { LimitKey, Taken } from '#server/platform/limits/limits.ts'
import { isCutOff, knownBrowser } from './known-browser.ts'
import type { Person } from './people.repository.ts'

type Context = Pick<RequestContext, 'config' | 'keys' | 'http'>

/** The limits that a wrong password counts against: the pair of account and address, and each of them or the known browser alone. */
export function limitsFor(context: Context, email: string, address: string): { pair: LimitKey; others: LimitKey[] } {
  const browser = knownBrowser(context.http.request, context, email)
  return {
    pair: { name: 'wrongPassword', key: `${email} ${address}` },
    others: [
      ...(browser === undefined
        ? limitsOfStrangers(email, address)
        : ([{ name: 'wrongPasswordBrowser', key: `${email} ${browser}` }] as const)),
    ],
  }
}

const limitsOfStrangers = (email: string, address: string): LimitKey[] => [
  { name: 'wrongPasswordAccount', key: email },
  { name: 'addressFailures', key: address },
]

/** What it counts against as well, once the person is read: their owner may have cut this browser off. */
export const limitsOfCutOff = (context: Context, person: Person | undefined, address: string): LimitKey[] =>
  person && isCutOff(context.http.request, context, person) ? limitsOfStrangers(person.email, address) : []

/**
 * How often this account and address failed before the right password. The failures of an address stand for guesses at many
 * accounts, and these were none. Only what fell into both windows of the address can be taken from them.
 */
export function typosBefore(counts: Taken['counts']): number {
  const pair = counts.get('wrongPassword')
  const windows = [counts.get('addressFailures'), counts.get('addressFailuresHourly')]
  return pair && windows.every((window) => window && window.since <= pair.since) ? pair.count - 1 : 0
}
