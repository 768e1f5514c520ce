import { Agent, request } from 'undici'

/** As much of a browser as a sign-in needs: cookies by name and path, and where a request comes from. */
export interface BenchBrowser {
  /** @returns where it leads, or undefined for a page */
  get(path: string): Promise<string | undefined>
  submit(path: string, fields: Record<string, string>): Promise<string | undefined>
  cookieHeader(path: string): string
  /** As after a night: only what marks a known browser is left. */
  forgetSession(): void
}

const agent = new Agent({ connections: 64, pipelining: 1 })

/**
 * A new browser without cookies.
 *
 * @param origin what the address line shows
 * @param serverOf the server that a request goes to, if not that one
 * @param extra further headers, such as those of a proxy
 */
export function createBrowser(
  origin: string,
  serverOf = () => origin,
  extra: Record<string, string> = {},
): BenchBrowser {
  const jar = new Map<string, { pair: string; path: string }>()

  const cookieHeader = (path: string) =>
    [...jar.values()]
      .filter((cookie) => path.startsWith(cookie.path))
      .map((cookie) => cookie.pair)
      .join('; ')

  async function send(method: 'GET' | 'POST', path: string, body?: string): Promise<string | undefined> {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(serverOf() + path, {
      method,
      dispatcher: agent,
      headers: {
        host: new URL(origin).host,
        accept: 'text/html',
        'accept-encoding': 'gzip',
        'sec-fetch-site': 'same-origin',
        cookie: cookieHeader(path),
        ...extra,
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    await answer.dump()
    for (const header of [headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = header.split('; ')
      const cookiePath = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
      jar.set(`${pair.split('=', 1)[0]} ${cookiePath}`, { pair, path: cookiePath })
    }
    if (statusCode >= 400) throw new Error(`${method} ${path.split('?', 1)[0]} answered ${statusCode}`)
    const location = [headers.location ?? []].flat()[0]
    const address = location && new URL(location, origin).href
    return address?.startsWith(origin) ? address.slice(origin.length) : address
  }

  return {
    get: (path) => send('GET', path),
    submit: (path, fields) => send('POST', path, new URLSearchParams(fields).toString()),
    cookieHeader,
    forgetSession() {
      for (const name of jar.keys()) if (!name.startsWith('known-')) jar.delete(name)
    },
  }
}

/**
 * A whole sign-in with a password, wherever the portal leads: begin, fetch the page, post its form, arrive.
 */
export async function signIn(browser: BenchBrowser, email: string, password: string): Promise<void> {
  const follow = async (address: string | undefined, isEnd: (path: string) => boolean) => {
    let at = address ?? ''
    for (let steps = 0; steps < 10 && !isEnd(at); steps++) at = (await browser.get(at)) ?? ''
    return at
  }
  const page = await follow('/login?returnTo=%2F', (path) => path.startsWith('/interaction/'))
  await browser.get(page)
  const sent = await browser.submit(`${page.split('?', 1)[0]}/login`, { email, login: email, password })
  const end = await follow(sent, (path) => path === '/' || path.startsWith('/interaction/'))
  if (end !== '/') throw new Error(`the sign-in of ${email} ended at ${end}`)
}
