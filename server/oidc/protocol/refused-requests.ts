import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { findRequest } from '../provider-requests.ts'
import { toStorableText } from '../storable.ts'

const events = ['authorization', 'end_session', 'grant', 'introspection', 'revocation', 'userinfo'] as const

/** What a page and the log say about a request that the provider refuses: the cause, for the service's developer. */
export function describeRefusal({
  message,
  error_description,
}: Error & { error_description?: string | undefined }): string {
  return [message, error_description].filter(Boolean).join(': ').slice(0, 300)
}

/** Logs every refused request of a service with its client and the reason, which the answer may not name in full. */
export function logRefusedRequests(provider: Provider, system: Pick<System, 'log'>): void {
  const log = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    if (error instanceof ProviderProblem) return
    const { client, params, route } = ctx.oidc
    const { error_detail: detail } = error
    ;(findRequest(ctx.req)?.log ?? system.log).info(
      {
        clientId: client?.clientId ?? short(params?.client_id),
        endpoint: route,
        error: error.message,
        reason: error.error_description,
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
