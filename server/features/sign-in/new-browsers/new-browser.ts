import type { Language } from '#contract/roles.ts'
import { isKnownTo } from '#server/credentials/known-browser.ts'
import type { Person } from '#server/credentials/people.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { deviceName } from '#server/platform/http/user-agent.ts'
import { toNetwork } from '#server/platform/limits/address.ts'

type Context = Pick<RequestContext, 'config' | 'keys' | 'http'>

/** What the owner of an account is told about a browser that the account has not used. */
export interface NewBrowser {
  network: string
  /** Brands, "Firefox, Windows"; empty where the browser does not say. */
  browser: string
  language: Language
}

/**
 * The browser of a sign-in, if the owner of the address is to know of it. The first one of an account is where its mailed invitation
 * was accepted. Where nobody has proven the address, as by a link that an admin can read, the owner may know of no account.
 */
export function findNewBrowser({ config, keys, http }: Context, person: Person): NewBrowser | undefined {
  const { hasBeenHere, addressProven, preferredLanguage } = person
  const { request } = http
  if (!config.newBrowserMail || (!hasBeenHere && addressProven)) return undefined
  if (isKnownTo(request, { config, keys }, person)) return undefined
  return {
    network: toNetwork(request.ip) ?? '',
    browser: deviceName(request.headers['user-agent']),
    language: preferredLanguage ?? detectLanguage(request),
  }
}
