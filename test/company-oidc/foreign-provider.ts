import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type ClientMetadata } from 'oidc-provider'
import type { Listening } from './listen.ts'

interface Options {
  redirectUri: string
  /** The portal's client there, by a secret. */
  client?: Partial<ClientMetadata>
  clientSecret?: string
  /** What the provider says of a person, by the name that was typed at its login. */
  claims?: Record<string, Record<string, unknown>>
}

/** Serves an OpenID Provider that we did not write: everybody signs in there with any password. */
export async function serveProvider(
  { server, issuer }: Listening,
  { redirectUri, client, clientSecret, claims = {} }: Options,
): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'portal',
        ...(clientSecret ? { client_secret: clientSecret } : {}),
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        ...client,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...claims[id] }) }),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => true },
  })
  server.on('request', provider.callback())
}

/** A browser that signs in on the provider's own pages. @returns the address that it is sent back to */
export async function signInThere(url: string, redirectUri: string, login: string): Promise<URL> {
  const jar = new Map<string, string>()
  let at = new URL(url)
  let body: URLSearchParams | undefined
  for (let step = 0; step < 12; step++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const next = answer.headers.get('location')
    body = undefined
    if (next) {
      at = new URL(next, at)
      if (at.href.startsWith(redirectUri)) return at
    } else {
      const page = await answer.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login'
      at = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', at)
      body = new URLSearchParams({ prompt, login, password: 'x' })
    }
  }
  throw new Error('the provider never answered')
}
