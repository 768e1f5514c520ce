import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { findRequest } from '../requests/request-record.ts'
import { toStorableText } from '../storable.ts'
import { noteRefusal } from './refusal-events.ts'

const events = ['authorization', 'end_session', 'grant', 'introspection', 'revocation', 'userinfo'] as const

/** What a page and the log say about a request that the provider refuses: the cause, for the service's developer. */
export function describeRefusal({
  message,
  error_description,
}: Error & { error_description?: string | undefined }): string {
  return [message, error_description].filter(Boolean).join(': ').slice(0, 300)
}

/**
 * Logs every refused request of a service with its client and the reason, which the answer may not name in full; most are also
 * noted for an event.
 */
export function logRefusedRequests(provider: Provider, system: Pick<System, 'log'>): void {
  const log = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    if (error instanceof ProviderProblem) return
    const { client, params, route } = ctx.oidc
    const { error_detail: detail } = error
    const clientId = client?.clientId ?? short(params?.client_id)
    const reason = error.error_description
    noteRefusal(ctx, error, { clientId, endpoint: route, error: error.message, reason })
    ;(findRequest(ctx.req)?.log ?? system.log).info(
      {
        clientId,
        endpoint: route,
        error: error.message,
        reason,
        ...(detail ? { detail: short(detail) } : {}),
        ...(error instanceof errors.InvalidRedirectUri ? { redirectUri: withoutQuery(params?.redirect_uri) } : {}),
      },
      'a request of a service was refused',
    )
  }
  for (const event of events) provider.on(`${event}.error` as 'authorization.error', log)
}

const short = (text: unknown) => (typeof text === 'string' ? toStorableText(text).slice(0, 200) : undefined)

/** A query may carry secrets. */
const withoutQuery = (address: unknown) => short(String(address).split(/[?#]/, 1)[0])
