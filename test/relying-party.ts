import { expect } from 'vitest'
import type { Client } from './client.ts'
import { callback, servicesOf } from './service.ts'
import { submitPassword } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

export const issuer = 'http://portal.test/oidc'
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const parametersOf = (url: URL) => Object.fromEntries(url.searchParams)
/** The parameters of an answer that has reached the service, at the address that it registered. */
export function answerOf(url: URL) {
  expect(`${url.origin}${url.pathname}`).toBe(callback)
  return parametersOf(url)
}

export type RelyingParty = Awaited<ReturnType<typeof relyingParty>>

interface Options {
  portal?: TestApp
  responseMode?: 'form_post'
}

/**
 * A portal with a client, and somebody signed in: what the modules of the OpenID Foundation's plans need. They send no PKCE, so
 * it is switched off for their client.
 */
export async function relyingParty({ portal: given, responseMode }: Options = {}) {
  const portal = given ?? (await testApp())
  const services = servicesOf(portal, { pkce: false, ...(responseMode && { response_mode: responseMode }) })
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

  /** Where the browser goes from a response: to an address, or by a form that it posts to the service, with what that has. */
  async function endOf(by: Client, first: Awaited<ReturnType<Client['get']>>): Promise<URL> {
    const { response, url } = await by.follow(first)
    const [, action] = /<form method="post" action="(https:[^"]+)">/.exec(response.body) ?? []
    if (!action && responseMode && url.startsWith(callback)) throw new Error('the answer came by no form')
    if (!action) return new URL(url, 'http://portal.test')
    const end = new URL(action)
    const fields = response.body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
    for (const [, name = '', value = ''] of fields) end.searchParams.set(name, value)
    return end
  }

  /** Where an authorization request ends, without anything that the person does. */
  const ask = async (more: Record<string, string> = {}, by: Client = browser, client = clientId): Promise<URL> =>
    endOf(by, await by.get(services.requestFor(client, more), { accept: 'text/html' }))

  /** Where the sign-in ends whose page the browser shows. */
  const signIn = async (by: Client, { pathname }: URL, email = person.email): Promise<URL> =>
    endOf(by, await submitPassword(by, pathname, email))

  async function tokensFor(more?: Record<string, string>, by?: Client) {
    const url = await ask(more, by)
    expect(answerOf(url)).toHaveProperty('code')
    return services.tokensAt(clientId, url.href)
  }

  return { portal, services, clientId, person, browser, call, discovery, endOf, ask, signIn, tokensFor }
}
