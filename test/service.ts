import { createHash, randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { secretCell } from '#server/oidc/clients/client-secrets.ts'
import type { Clients } from '#server/platform/database/database-types.ts'
import { newId } from '#server/platform/ids.ts'
import { seal } from '#server/platform/secrets/sealing.ts'
import type { Client } from './client.ts'
import type { Person } from './people.ts'
import { finishSignIn, openSignIn } from './sign-in.ts'
import type { TestApp } from './test-app.ts'

export const callback = 'https://journal.example/callback'
export const signedOut = 'https://journal.example/bye'

export const secret = randomBytes(32).toString('base64url')
export const verifier = randomBytes(32).toString('base64url')

/** What a request with PKCE carries, and what then goes with the code. */
export const pkceOf = () => ({
  challenge: {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  },
  proof: { code_verifier: verifier },
})

interface Always {
  pkce?: boolean
  response_mode?: 'form_post'
}

/** A service with an OpenID Connect client, as its developer sees the portal. @param always sent with each request */
export function servicesOf(portal: TestApp, { pkce = true, ...always }: Always = {}) {
  const parametersFor = (clientId: string, more: Record<string, string> = {}) => ({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile email',
    state: 'the state',
    nonce: 'the nonce',
    ...(pkce && pkceOf().challenge),
    ...always,
    ...more,
  })
  const requestFor = (clientId: string, more?: Record<string, string>) =>
    `/oidc/auth?${new URLSearchParams(parametersFor(clientId, more))}`

  const post = async (path: string, clientId: string, fields: Record<string, string>) => {
    const response = await portal.browser().submit(path, fields, {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    })
    return response.body ? response.json() : undefined
  }
  const token = (clientId: string, fields: Record<string, string>) => post('/oidc/token', clientId, fields)

  return {
    parametersFor,
    requestFor,
    /** Registers a client. @returns its id */
    async register(more: Partial<Insertable<Clients>> = {}): Promise<string> {
      const clientId = newId()
      await portal.system.db
        .insertInto('clients')
        .values({
          clientId,
          name: 'Journal',
          redirectUris: [callback],
          postLogoutRedirectUris: [signedOut],
          pkceRequired: pkce,
          secretSealed: seal(portal.system.keys, 'fields', secretCell(clientId), secret),
          ...more,
        })
        .execute()
      return clientId
    },
    /** Redeems the code that the browser brought to the service. */
    tokensAt: (clientId: string, address: string, more: Record<string, string> = {}) =>
      token(clientId, {
        ...more,
        grant_type: 'authorization_code',
        code: new URL(address).searchParams.get('code') ?? '',
        redirect_uri: callback,
        ...(pkce && pkceOf().proof),
      }),
    renew: (clientId: string, refreshToken: string) =>
      token(clientId, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    /** A token of a machine for itself. */
    tokenFor: (clientId: string, more: Record<string, string> = {}) =>
      token(clientId, { grant_type: 'client_credentials', ...more }),
    /** What the portal says about a token to the one who asks. */
    introspect: (clientId: string, ofToken: string) => post('/oidc/token/introspection', clientId, { token: ofToken }),
    revoke: (clientId: string, ofToken: string) => post('/oidc/token/revocation', clientId, { token: ofToken }),
    userInfo: (accessToken: string) =>
      portal.browser().get('/oidc/me', { accept: 'application/json', authorization: `Bearer ${accessToken}` }),
    /** Signs a person in to the service. @returns the browser and the tokens of the service */
    async signInTo(clientId: string, person: Person, browser: Client = portal.browser()) {
      const { response, url } = await browser.follow(await browser.get(requestFor(clientId), { accept: 'text/html' }))
      const [page = ''] = url.split('?')
      const end = page.startsWith('/interaction/') ? await finishSignIn(browser, page, person.email) : url
      if (!end.startsWith(callback)) throw new Error(`the sign-in ended at ${end} (${response.statusCode})`)
      return { browser, tokens: await this.tokensAt(clientId, end) }
    },
    /** Opens the sign-in of a service. */
    openSignIn: (browser: Client, clientId: string, more?: Record<string, string>) =>
      openSignIn(browser, requestFor(clientId, more)),
  }
}
