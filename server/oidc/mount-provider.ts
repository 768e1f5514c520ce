import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { Problem } from '#server/platform/problem.ts'
import type { Http, System } from '#server/platform/system.ts'
import { allowRedirectTarget } from './form-targets.ts'
import { createLogoutToken, type LogoutSubject, postLogoutToken } from './logout/logout-token.ts'
import { limitProviderHeaders } from './protocol/bounded-headers.ts'
import { cacheMetadata } from './protocol/cacheable-metadata.ts'
import { endConfirmedSession } from './protocol/confirmed-sign-out.ts'
import { skipEndedSignOut } from './protocol/ended-sign-out.ts'
import { showFormPostPage } from './protocol/form-post-page.ts'
import { recordRefusals } from './protocol/refusal-events.ts'
import { serveServiceDocumentation } from './protocol/service-documentation.ts'
import { redirectServiceRequests } from './protocol/service-requests.ts'
import { createProvider } from './provider.ts'
import { createRenderError, type ProviderPages } from './provider-pages.ts'
import { createRefreshSession } from './refresh-session.ts'
import { captureInternalResponses, forwardRedirect, sendInternalRequest } from './requests/internal-request.ts'
import { createReleasingCallback } from './requests/release-context.ts'
import { linkRequest, recordOf } from './requests/request-record.ts'
import { presentTrial } from './requests/trial.ts'
import { writeAtTheEnd } from './storage/pending-writes.ts'
import { answerUnknownPath } from './unknown-path.ts'

/** The interface of the mounted provider. */
export interface MountedProvider {
  /** Signs a logout token for a client; undefined if the client is gone. */
  createLogoutToken(clientId: string, subject: LogoutSubject): Promise<string | undefined>
  /** Sends a request to this very app, in the process, through everything that a request from outside passes. */
  inject: FastifyInstance['inject']
  /** Posts a logout token of no session to a client's address. @returns the status; throws an OutgoingFailure */
  testLogout(clientId: string): Promise<number>
  /**
   * Sends an authorization request on behalf of the browser whose request is being handled.
   *
   * @returns the redirect target; the URL of the request itself where the provider shows a page
   */
  authorize(http: Http, request: URLSearchParams): Promise<string>
}

const maxBody = 64 * 1024
// RFC 8414, 3.1: the well-known part stands between host and path of the issuer.
const discovery = '/.well-known/oauth-authorization-server'
const metadata = `${discovery}/oidc`

/**
 * Mounts the OpenID Provider at `/oidc`. `GET /oidc/auth` without a client refreshes the session. The provider parses
 * request bodies itself.
 */
export async function mountProvider(
  app: FastifyInstance,
  system: System,
  pages: ProviderPages,
): Promise<MountedProvider> {
  const current = createProviderCache(app, system, pages)
  const refreshSession = createRefreshSession(system)
  current()

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const path = request.url.split('?', 1)[0]
    if (request.method === 'GET' && path === '/oidc/auth' && !hasClient(request.query)) {
      if (!(await refreshSession(request))) throw new Problem(401, 'signInRequired')
      return reply.code(204).send()
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBody) throw new Problem(413, 'tooLarge')
    linkRequest(request)
    recordOf(request.raw).trial = presentTrial()
    const { callback } = current()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    const { raw } = request
    const sent = raw.url
    const url = path === metadata ? `/oidc${discovery}` : (sent ?? '/oidc/')
    Object.assign(raw, { originalUrl: url, url: url.slice('/oidc'.length) || '/' })
    await callback(raw, reply.raw)
    raw.url = sent
    // Otherwise an unread body would keep the connection open, and delay a shutdown, for a minute.
    if (raw.complete === false) raw.socket.destroySoon()
    return reply
  }

  redirectServiceRequests(app)
  serveServiceDocumentation(app, system.config)
  app.route({ method: ['GET', 'HEAD', 'OPTIONS'], url: metadata, handler: handle })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route({ method: ['GET', 'HEAD', 'POST', 'OPTIONS'], url: '/oidc/*', handler: handle })
  })

  return {
    async authorize(http, query) {
      const answer = await sendInternalRequest(current().callback, http, `/auth?${query}`)
      return answer.location ? forwardRedirect(http, answer) : `/oidc/auth?${query}`
    },
    createLogoutToken: (clientId, subject) => createLogoutToken(current().provider, clientId, subject),
    inject: app.inject.bind(app),
    async testLogout(clientId) {
      const { provider } = current()
      const address = (await provider.Client.find(clientId))?.backchannelLogoutUri
      const token = await createLogoutToken(provider, clientId, { accountId: 'test', sid: 'test' })
      return address && token ? postLogoutToken(system.outgoing, address, token) : 200
    },
  }
}

const hasClient = (query: unknown) => Object.hasOwn(query as object, 'client_id')

/** The provider reads its signing keys only once, so it is recreated when they change. */
function createProviderCache(app: FastifyInstance, system: System, pages: ProviderPages) {
  let cached: { generation: number; provider: Provider; callback: ReturnType<Provider['callback']> } | undefined
  return () => {
    const { generation } = system.keys
    if (cached?.generation !== generation) {
      const provider = createProvider(system, pages)
      const callback = createReleasingCallback(provider)
      captureInternalResponses(provider)
      limitProviderHeaders(provider, pages)
      endConfirmedSession(provider, app, system.config)
      writeAtTheEnd(provider, system, createRenderError(system, pages))
      recordRefusals(provider, system)
      cacheMetadata(provider)
      allowRedirectTarget(provider)
      skipEndedSignOut(provider)
      showFormPostPage(provider, system.config)
      answerUnknownPath(provider, pages)
      cached = { generation, provider, callback }
    }
    return cached
  }
}
