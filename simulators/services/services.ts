import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readPlainPageStyles } from '#server/platform/http/plain-page.ts'
import { listenOnFreePort } from '../listen.ts'
import { readBody, readCookie, redirect, send, setCookie } from './messages.ts'
import type { RelyingParty, SignInRequest } from './relying-party.ts'
import type { DemoServiceLook, SignedIn } from './service.ts'
import { endingPage, homePage, indexPage } from './service-pages.ts'
import { serviceLanguage } from './service-texts.ts'
import { createServiceSessions, type ServiceSessions } from './sessions.ts'

export interface ServicesOptions {
  services: readonly DemoServiceLook[]
  /** The portal's origin. */
  portal: string
  /** The origin of the services for browsers, once their port is known. */
  originFor: (port: number) => string
  /** The credentials of a service's client, by its path. */
  credentials: (path: string) => Promise<{ clientId: string; secret: string }>
  /** The preferred port; if it is in use, any free port. */
  port: number
  host: string
}

export interface RunningServices {
  origin: string
  close(): Promise<void>
}

interface Service {
  look: DemoServiceLook
  sessions: ServiceSessions
  /** Sign-ins under way, by their state. */
  requests: Map<string, SignInRequest & { browser: string }>
  /** Loaded with the first sign-in, so that it does not delay the start of the portal. */
  relyingParty: () => Promise<RelyingParty>
}

interface Exchange {
  service: Service
  options: ServicesOptions
  request: IncomingMessage
  response: ServerResponse
  query: string
  person: SignedIn | undefined
}

/** The demo's services: one server, and a path, an own client and own sessions for each. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const services = new Map<string, Service>()
  const server = createServer((request, response) => {
    handle(options, services, request, response).catch(() => response.headersSent || response.writeHead(500).end())
  })
  await listenOnFreePort(server, options)
  const origin = options.originFor((server.address() as AddressInfo).port)
  for (const look of options.services) services.set(look.path, createService(look, origin, options))
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function createService(look: DemoServiceLook, origin: string, { portal, credentials }: ServicesOptions): Service {
  let created: Promise<RelyingParty> | undefined
  const create = async () =>
    (await import('./relying-party.ts')).createRelyingParty({
      issuer: `${portal}/oidc`,
      home: `${origin}/${look.path}/`,
      credentials: () => credentials(look.path),
    })
  return {
    look,
    sessions: createServiceSessions(),
    requests: new Map(),
    relyingParty: () => (created ??= create()),
  }
}

const cookies = { session: 'demo_session', browser: 'demo_browser' }

async function handle(
  options: ServicesOptions,
  services: ReadonlyMap<string, Service>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://services')
  const language = serviceLanguage(undefined, request.headers['accept-language'])
  response.setHeader('cache-control', 'no-store')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; style-src 'self'; img-src data:; form-action 'self' ${options.portal}; frame-ancestors 'none'; base-uri 'none'`,
  )
  if (pathname === '/services.css') return void send(response, await styles(options.services), 'text/css')
  const [, path = '', action] = /^\/([a-z]+)(?:\/(.*))?$/.exec(pathname) ?? []
  const service = services.get(path)
  if (!service)
    return void send(response, indexPage(options.services, language), 'text/html', pathname === '/' ? 200 : 404)
  if (action === undefined) return redirect(response, `/${path}/`)
  const person = service.sessions.find(readCookie(request, cookies.session))
  const exchange = { service, options, request, response, query: search, person }
  const answer = actions[`${request.method} ${action}`]
  if (answer) await answer(exchange)
  else response.writeHead(404).end()
}

const actions: Record<string, (exchange: Exchange) => Promise<void>> = {
  'GET ': async (exchange) =>
    exchange.person ? send(exchange.response, homePage(exchange.person, viewOf(exchange))) : beginSignIn(exchange),
  'GET start': startFromPortal,
  'GET callback': finishSignIn,
  'GET signed-out': async (exchange) =>
    exchange.person
      ? redirect(exchange.response, `/${exchange.service.look.path}/`)
      : send(exchange.response, endingPage('signedOut', viewOf(exchange))),
  'POST sign-out': signOut,
  'POST backchannel-logout': async ({ request, response, service }) => {
    const token = new URLSearchParams(await readBody(request)).get('logout_token') ?? ''
    const ended = await (await service.relyingParty()).readLogoutToken(token).catch(() => undefined)
    if (ended) service.sessions.endOf(ended)
    response.writeHead(ended ? 200 : 400).end()
  },
}

const mostRequests = 1000

/** The launcher opens the service here (OpenID Connect Core, 4), perhaps for another organisation than a session is of. */
async function startFromPortal(exchange: Exchange): Promise<void> {
  const { service, response, query } = exchange
  const asked = new URLSearchParams(query)
  const { issuer } = await service.relyingParty()
  if (asked.get('iss') !== issuer) return redirect(response, `/${service.look.path}/`)
  await beginSignIn(exchange, asked.get('organization_id') ?? undefined)
}

async function beginSignIn({ service, request, response }: Exchange, organizationId?: string): Promise<void> {
  const [relyingParty, { newSignInRequest }] = await Promise.all([service.relyingParty(), import('./relying-party.ts')])
  const browser = readCookie(request, cookies.browser) ?? randomBytes(32).toString('base64url')
  const signIn = newSignInRequest()
  const [oldest] = service.requests.keys()
  if (service.requests.size >= mostRequests && oldest) service.requests.delete(oldest)
  service.requests.set(signIn.state, { ...signIn, browser })
  const goal = await relyingParty.begin(signIn, organizationId)
  setCookie(response, service.look.path, cookies.browser, browser)
  redirect(response, goal)
}

/** The browser comes back from the portal; it must be the one that was sent there. */
async function finishSignIn(exchange: Exchange): Promise<void> {
  const { service, request, response, query } = exchange
  const state = new URLSearchParams(query).get('state') ?? ''
  const begun = service.requests.get(state)
  service.requests.delete(state)
  const { isRefusal } = await import('./relying-party.ts')
  try {
    if (!begun || begun.browser !== readCookie(request, cookies.browser)) throw new Error('another browser asked')
    const person = await (await service.relyingParty()).finish(query, begun)
    setCookie(response, service.look.path, cookies.session, service.sessions.begin(person))
    redirect(response, `/${service.look.path}/`)
  } catch (error) {
    const refused = isRefusal(error)
    send(response, endingPage(refused ? 'refused' : 'failed', viewOf(exchange)), 'text/html', refused ? 403 : 400)
  }
}

async function signOut({ service, request, response, person }: Exchange): Promise<void> {
  service.sessions.end(readCookie(request, cookies.session))
  setCookie(response, service.look.path, cookies.session, '')
  redirect(
    response,
    person ? await (await service.relyingParty()).signOutUrl(person) : `/${service.look.path}/signed-out`,
  )
}

const viewOf = ({ service, options, request, person }: Exchange) => ({
  service: service.look,
  portal: options.portal,
  language: serviceLanguage(person?.locale, request.headers['accept-language']),
})

async function styles(services: readonly DemoServiceLook[]): Promise<string> {
  const hues = services.map(({ path, hue }) => `[data-service='${path}'] { --brand-h: ${hue}; }`)
  return [await readPlainPageStyles(join(import.meta.dirname, 'services.css')), ...hues].join('\n')
}
