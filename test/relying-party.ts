import { expect } from 'vitest'
import type { Client } from './client.ts'
import { callback, servicesOf } from './service.ts'
import { testApp } from './test-app.ts'

export const issuer = 'http://portal.test/oidc'
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const parametersOf = (url: URL) => Object.fromEntries(url.searchParams)

/**
 * A portal with a client, and somebody signed in: what the modules of the OpenID Foundation's plans need. They send no PKCE, so
 * it is switched off for their client.
 */
export async function relyingParty() {
  const portal = await testApp()
  const services = servicesOf(portal, { pkce: false })
  const clientId = await services.register()
  const person = await portal.person({ firstName: 'Åsa', lastName: 'Öberg', phoneNumber: '+46701234567' })
  const browser = await portal.signedIn(person)

  /** A request as a service's server sends it: without the headers and cookies of a browser. */
  async function call(path: string, fields?: Record<string, string>, headers: Record<string, string> = {}) {
    const body = `${new URLSearchParams(fields)}`
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${body.length}` }
    const response = await portal.app.inject({
      method: fields ? 'POST' : 'GET',
      url: path,
      headers: {
        host: 'portal.test',
        ...(fields && form),
        ...headers,
      },
      ...(fields && { payload: body }),
    })
    return { status: response.statusCode, body: response.json() }
  }
  const discovery = async () => (await call('/oidc/.well-known/openid-configuration')).body

  /** Where an authorization request ends, without anything that the person does. */
  async function ask(more: Record<string, string> = {}, by: Client = browser): Promise<URL> {
    const { url } = await by.follow(await by.get(services.requestFor(clientId, more), { accept: 'text/html' }))
    return new URL(url, 'http://portal.test')
  }

  async function tokensFor(more?: Record<string, string>, by?: Client) {
    const url = await ask(more, by)
    expect(url.href).toContain(`${callback}?code=`)
    return services.tokensAt(clientId, url.href)
  }

  return { portal, services, clientId, person, browser, call, discovery, ask, tokensFor }
}
