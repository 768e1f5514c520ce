import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

/** A minimal browser: keeps cookies by name and path, and sends the headers about the origin of a request. */
export interface Client {
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  put(url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  patch(url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  delete(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** Posts a form as a page would. */
  submit(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** Follows redirects to a page or another origin. @returns the last response and its address */
  follow(response: LightMyRequestResponse): Promise<{ response: LightMyRequestResponse; url: string }>
  /** The cookies that a request to this path would carry, by name. */
  cookies(path?: string): Record<string, string>
  setCookie(name: string, value: string, path?: string): void
  forgetCookies(): void
}

interface Cookie {
  name: string
  value: string
  path: string
}

/** A new browser without cookies, for an app that is not listening. @param ownHeaders sent along with every request */
export function createClient(app: FastifyInstance, baseUrl: string, ownHeaders: Record<string, string> = {}): Client {
  const { host, origin } = new URL(baseUrl)
  let jar: Cookie[] = []

  const matches = ({ path }: Cookie, url: string) => {
    const asked = url.split('?', 1)[0] ?? ''
    return path === '/' || asked === path || asked.startsWith(path.endsWith('/') ? path : `${path}/`)
  }

  function keep(response: LightMyRequestResponse): void {
    const headers = [response.headers['set-cookie'] ?? []].flat()
    for (const header of headers) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const attribute = (wanted: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
      const path = attribute('path') ?? '/'
      jar = jar.filter((cookie) => cookie.name !== name || cookie.path !== path)
      const expires = attribute('expires')
      const gone = attribute('max-age') === '0' || (expires !== undefined && new Date(expires).getTime() <= 0)
      if (!gone) jar.push({ name, value: pair.slice(pair.indexOf('=') + 1), path })
    }
  }

  async function send(options: InjectOptions & { url: string }): Promise<LightMyRequestResponse> {
    const cookie = jar
      .filter((one) => matches(one, options.url))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers: Record<string, string> = {
      host,
      'sec-fetch-site': 'same-origin',
      ...ownHeaders,
      ...(cookie && { cookie }),
    }
    for (const [name, value] of Object.entries(options.headers ?? {}))
      if (value !== undefined) headers[name] = String(value)
    const response = await app.inject({ ...options, headers })
    keep(response)
    return response
  }

  const withBody =
    (method: 'POST' | 'PUT' | 'PATCH'): Client['post'] =>
    (url, body, headers) =>
      send({
        method,
        url,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })

  const client: Client = {
    get: (url, headers = {}) => send({ method: 'GET', url, headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (url, headers = {}) => send({ method: 'DELETE', url, headers }),
    submit: (url, fields, headers = {}) =>
      send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
        payload: new URLSearchParams(fields).toString(),
      }),
    async follow(first) {
      let response = first
      let url = ''
      for (let step = 0; response.statusCode >= 300 && response.statusCode < 400; step++) {
        if (step === 20) throw new Error('redirect loop')
        const target = new URL(String(response.headers.location), new URL(url || '/', origin))
        if (target.origin !== origin) return { response, url: target.href }
        url = target.pathname + target.search
        response = await client.get(url, { accept: 'text/html' })
      }
      return { response, url }
    },
    cookies: (path = '/') =>
      Object.fromEntries(jar.filter((one) => matches(one, path)).map(({ name, value }) => [name, value])),
    setCookie(name, value, path = '/') {
      jar = [...jar.filter((one) => one.name !== name || one.path !== path), { name, value, path }]
    },
    forgetCookies() {
      jar = []
    },
  }
  return client
}

/** The status of an answer, and of a refusal its message, too. */
export const outcome = ({ statusCode, body }: LightMyRequestResponse) =>
  statusCode < 400 ? statusCode : [statusCode, JSON.parse(body).message]
