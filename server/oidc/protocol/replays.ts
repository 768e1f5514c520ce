import { errors, type Provider } from 'oidc-provider'
import { recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from '../provider-problem.ts'
import { providerTime } from '../provider-time.ts'

/** Milliseconds: what a client signs ends within a day, because its id is kept until then. */
const longest = 24 * 60 * 60_000

/**
 * What a client signs is accepted once (RFC 7523, 3). The library looks for the id and saves it at the end of the request, so
 * that several requests at once would each find nothing; here the insert decides, at once and for all nodes.
 */
export function detectReplays(provider: Provider, { db, clock }: System): void {
  provider.ReplayDetection.unique = (iss, jti, exp) => {
    const [now, expiresAt] = [clock(), providerTime(clock).moment(exp)]
    if (!(expiresAt.getTime() - now.getTime() <= longest))
      throw new errors.InvalidClientAuth('exp must be within a day')
    const token = JSON.stringify([iss, jti])
    return runForProvider(recordOnce(db, { purpose: 'clientAssertion', subject: iss, token, now, expiresAt }))
  }
}
