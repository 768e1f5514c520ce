import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { toNetwork } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { serviceOf } from '../accounts.ts'
import { findRequest, type Refusal, recordOf } from '../requests/request-record.ts'

/** Answers that belong to a working service: nobody is signed in, the person gave up, a sign-in has ended. */
const expected = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'unmet_authentication_requirements',
  'access_denied',
  'invalid_grant',
  'invalid_token',
])

/** Remembers a refusal, which becomes an event at the end of the request. */
export function noteRefusal(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError, refusal: Refusal): void {
  if (error.status < 500 && !expected.has(refusal.error)) recordOf(ctx.req).refusal = refusal
}

/**
 * Writes an event for a refused request: one an hour for a client and an error, and one for all clients that do not exist, because
 * anybody can send such requests. A request is refused whether or not its event can be written.
 */
export function recordRefusals(provider: Provider, system: System): void {
  provider.use(async (ctx, next) => {
    await next()
    const { refusal } = recordOf(ctx.req)
    const request = findRequest(ctx.req)
    if (!refusal || !request) return
    try {
      await record(system, ctx as KoaContextWithOIDC, refusal, request)
    } catch (error) {
      if (error instanceof Problem && error.status === 429) return
      request.log.error({ err: error }, 'the event of a refused request could not be written')
    }
  })
}

async function record(
  { db, clock, limits }: System,
  { oidc: { client } }: KoaContextWithOIDC,
  { clientId, endpoint, error, reason }: Refusal,
  { id: requestId, ip }: NonNullable<ReturnType<typeof findRequest>>,
): Promise<void> {
  const now = clock()
  await limits.take(db, [{ name: 'refusedRequest', key: client ? `${client.clientId} ${error}` : '' }], now)
  const serviceId = serviceOf(client)
  await db.transaction().execute(async (trx) => {
    const service = serviceId
      ? await trx.selectFrom('services').select('name').where('serviceId', '=', serviceId).executeTakeFirst()
      : undefined
    const target = { id: (service && serviceId) ?? null, label: service?.name ?? clientId ?? '' }
    const after = { client: clientId, endpoint, error, reason, address: toNetwork(ip) }
    await writeAuditEvent(trx, { name: 'serviceRequestRefused', target, after, actor: null }, { requestId, now })
  })
}
