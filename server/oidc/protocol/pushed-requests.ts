import { type AdapterPayload, Provider } from 'oidc-provider'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { ProviderProblem, runForProvider } from '../provider-problem.ts'
import { findRequest } from '../requests/request-record.ts'

/** Of a request as it is stored: a JWT, a third longer than the request. */
const maxStored = 16_000

/**
 * Bounds what pushed requests (RFC 9126) store. Anyone can push in the name of a client that has no secret, so those are
 * limited; a client with a secret pushes for all its users from one address, and is known by then.
 */
export async function limitPushedRequest({ db, clock, limits }: System, payload: AdapterPayload): Promise<void> {
  if (String(payload.request).length > maxStored) throw new ProviderProblem(new Problem(413, 'tooLarge'))
  const { ctx } = Provider
  const request = ctx && findRequest(ctx.req)
  if (!request || ctx.oidc.client?.clientAuthMethod !== 'none') return
  await runForProvider(limits.take(db, [{ name: 'pushedRequest', key: addressKey(request.ip) }], clock()))
}
