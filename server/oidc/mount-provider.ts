import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { Problem } from '#server/platform/problem.ts'
import type { Http, System } from '#server/platform/system.ts'
import { completeWithin } from './complete-within.ts'
import type { Completion } from './completion.ts'
import type { SignedInService } from './end-sessions.ts'
import { rememberExchange } from './exchange.ts'
import { allowRedirectTarget } from './form-targets.ts'
import { askWithin, holdInnerAnswers, passOn } from './inner-request.ts'
import { createProvider } from './provider.ts'
import type { ProviderPages } from './provider-pages.ts'
import { createRefreshSession } from './refresh-session.ts'
import { answerUnknownAddress } from './unknown-address.ts'

/** What other rooms may ask of the mounted provider. */
export interface MountedProvider {
  /** Tells services that sessions are over (OpenID Connect Back-Channel Logout). Does not wait for them. */
  tellServices(services: readonly SignedInService[]): void
  /**
   * Puts an authorization request in the name of a browser, within the request that is being answered.
   *
   * @returns where it leads; the address of the request itself where the provider has something to say about it
   */
  authorize(http: Http, request: URLSearchParams): Promise<string>
  /**
   * Lets the provider end a sign-in within the request that proved it.
   *
   * @returns where it leads; `over` when it is over already; undefined when the provider has made no session, and
   * nothing was written: the browser goes there itself to see why
   */
  complete(http: Http, completion: Completion): Promise<string | undefined>
}

const maxBody = 64 * 1024

/**
 * Mounts the OpenID Provider at `/oidc`, with `GET /oidc/auth` without a client as the refresh of the session.
 * The provider reads its bodies itself.
 */
export async function mountProvider(
  app: FastifyInstance,
  system: System,
  pages: ProviderPages,
): Promise<MountedProvider> {
  const current = providerOfKeys(system, pages)
  const refreshSession = createRefreshSession(system)
  current()

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const path = request.url.split('?', 1)[0]
    if (request.method === 'GET' && path === '/oidc/auth' && !hasClient(request.query)) {
      if (!(await refreshSession(request))) throw new Problem(401, 'signInRequired')
      return reply.code(204).send()
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBody) throw new Problem(413, 'tooLarge')
    rememberExchange(request)
    const { callback } = current()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    const { raw } = request
    const url = raw.url ?? '/oidc/'
    Object.assign(raw, { originalUrl: url, url: url.slice('/oidc'.length) || '/' })
    await callback(raw, reply.raw)
    raw.url = url
    // What it refused to read to the end would otherwise hold the connection, and a stop of the server, for a minute.
    if (raw.complete === false) raw.socket.destroySoon()
    return reply
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route({ method: ['GET', 'HEAD', 'POST', 'OPTIONS'], url: '/oidc/*', handler: handle })
  })

  return {
    async authorize(http, query) {
      const answer = await askWithin(current().callback, http, { path: `/auth?${query}` })
      return answer.location ? passOn(http, answer) : `/oidc/auth?${query}`
    },
    complete: (http, completion) => completeWithin(system, current().callback, http, completion),
    tellServices(services) {
      for (const service of services)
        tell(current().provider, service).catch((error: unknown) =>
          system.log.warn({ err: error, clientId: service.clientId }, 'a service did not take the sign-out'),
        )
    },
  }
}

async function tell(provider: Provider, { clientId, accountId, sid }: SignedInService): Promise<void> {
  const client = await provider.Client.find(clientId)
  if (!client?.backchannelLogoutUri) return
  // The library's types leave this method out.
  await (client as unknown as { backchannelLogout(sub: string, sid: string): Promise<void> }).backchannelLogout(
    accountId,
    sid,
  )
}

const hasClient = (query: unknown) => Object.hasOwn(query as object, 'client_id')

/** The provider takes its signing keys once; when they change it is made anew. */
function providerOfKeys(system: System, pages: ProviderPages) {
  let made: { generation: number; provider: Provider; callback: ReturnType<Provider['callback']> } | undefined
  return () => {
    const { generation } = system.keys
    if (made?.generation !== generation) {
      const provider = createProvider(system, pages)
      holdInnerAnswers(provider)
      allowRedirectTarget(provider)
      answerUnknownAddress(provider, pages)
      made = { generation, provider, callback: provider.callback() }
    }
    return made
  }
}
