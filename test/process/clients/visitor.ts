import { request } from 'undici'

/** Where a visit ended. */
export interface Arrival {
  url: URL
  status: number
  body: string
  headers: Awaited<ReturnType<typeof request>>['headers']
}

const password = 'Demo-password-1'

/** As much of a browser as several sites need: cookies by site, redirects, the sign-in form, and forms that post themselves. */
export function createVisitor(email: string) {
  const jars = new Map<string, Map<string, string>>()

  async function send(url: URL, from: URL | undefined, fields?: Record<string, string>) {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    // Not fetch, which says that it is no navigation.
    const { statusCode, headers, body } = await request(url, {
      method: fields ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-mode': 'navigate',
        'sec-fetch-site': from === undefined ? 'none' : from.host === url.host ? 'same-origin' : 'cross-site',
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields && { body: `${new URLSearchParams(fields)}` }),
    })
    for (const header of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(header)) jar.delete(name)
      else jar.set(name, value)
    }
    return { status: statusCode, headers, text: await body.text() }
  }

  /** Follows redirects, throws an error with the address `at` where nothing listens, signs in where the portal asks, and posts forms that the portal or a service shows. */
  async function visit(address: string): Promise<Arrival> {
    let url = new URL(address)
    let from: URL | undefined
    let fields: Record<string, string> | undefined
    for (let steps = 0; steps < 20; steps++) {
      const response = await send(url, from, fields).catch((error) => {
        throw Object.assign(error as Error, { at: url })
      })
      const { headers, status, text: body } = response
      from = url
      fields = undefined
      const location = [headers.location ?? []].flat()[0]
      const [, action] = /<form\b(?=[^>]*\bmethod="post")[^>]*\baction="(http[^"]*)"/i.exec(body) ?? []
      if (location) url = new URL(location, url)
      else if (action) {
        url = new URL(action.replaceAll('&amp;', '&'))
        fields = Object.fromEntries(
          [...body.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
        )
      } else if (/data-page="logout"[^>]* data-ask=""/.test(body)) {
        // The page posts this form by itself.
        url = new URL('/logout', url)
        fields = {}
      } else return { url, status, body, headers }
      // Its page is drawn by the web app; what it posts is known.
      if (/^\/interaction\/[^/]+(\/login)?$/.test(url.pathname) && !fields) {
        const [, interaction] = /^(\/interaction\/[^/]+)/.exec(url.pathname) ?? []
        from = url
        url = new URL(`${interaction}/login`, url)
        fields = { email, login: email, password }
      }
    }
    throw new Error(`too many redirects, at ${url}`)
  }
  return { visit }
}
