import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import type { Client } from '../client.ts'
import { answerOf, bearer, type RelyingParty } from '../relying-party.ts'
import { callback, pkceOf, secret } from '../service.ts'
import { modulesOf } from './module.ts'

const reused = (seconds: number) => ({
  demands: 'a code counts once; a second use is refused and ends the tokens of the first',
  async check({ portal, services, clientId, ask, call }: RelyingParty) {
    const { href } = await ask()
    const { access_token } = await services.tokensAt(clientId, href)
    portal.advance(seconds)
    expect(await services.tokensAt(clientId, href)).toMatchObject({ error: 'invalid_grant' })
    expect((await call('/oidc/me', undefined, bearer(access_token))).status).toBe(401)
  },
})

/** An error page of the portal: the browser goes nowhere, neither by a redirect nor by a form or a link of the page. */
const staysHere = (response: Awaited<ReturnType<Client['get']>>) => {
  expect([response.statusCode, response.headers.location, response.headers.refresh]).toEqual([
    400,
    undefined,
    undefined,
  ])
  expect(response.body).not.toContain(new URL(callback).host)
  for (const [, action = ''] of response.body.matchAll(/<form[^>]*action="([^"]*)"/g))
    expect(action).toMatch(/^\/(?!\/)/)
}

/** A request object without a signature. */
const unsigned = (claims: object) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims)}.`
}

/** The last modules of the Basic plan: codes, clients, request objects and refresh tokens. */
export const codes = modulesOf<RelyingParty>({
  'oidcc-codereuse': reused(0),
  'oidcc-codereuse-30seconds': reused(30),
  'oidcc-ensure-registered-redirect-uri': {
    demands: 'an error page, and no redirect',
    async check({ services, clientId, browser }) {
      staysHere(await browser.get(services.requestFor(clientId, { redirect_uri: `${callback}/other` })))
    },
  },
  'oidcc-ensure-post-request-succeeds': {
    demands: 'a request that a page of the service posts',
    async check({ portal, services, clientId, browser, endOf }) {
      const posted = await portal.browser().submit('/oidc/auth', services.parametersFor(clientId), {
        'sec-fetch-site': 'cross-site',
      })
      const end = await endOf(browser, posted)
      expect(await services.tokensAt(clientId, end.href)).toHaveProperty('id_token')
    },
  },
  'oidcc-server-client-secret-post': {
    demands: 'a client that sends its secret in the body',
    async check({ portal, services, ask, call }) {
      const posting = await services.register()
      const method = { tokenEndpointAuthMethod: 'client_secret_post' }
      await portal.system.db.updateTable('clients').set(method).where('clientId', '=', posting).execute()
      const code = (await ask({}, undefined, posting)).searchParams.get('code') ?? ''
      const grant = { grant_type: 'authorization_code', redirect_uri: callback, code }
      const { status } = await call('/oidc/token', { ...grant, client_id: posting, client_secret: secret })
      expect(status).toBe(200)
    },
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': {
    demands: '`request_uri` works, or is refused as not supported; here it is refused, and nothing is fetched',
    async check({ discovery, ask }) {
      expect((await discovery()).request_uri_parameter_supported).toBe(false)
      const url = await ask({ request_uri: 'https://journal.example/request.jwt' })
      expect(answerOf(url)).toMatchObject({ error: 'request_uri_not_supported' })
    },
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': {
    demands: '`request` works, or is refused as not supported; here it is refused',
    async check({ services, clientId, discovery, ask }) {
      expect((await discovery()).request_parameter_supported ?? false).toBe(false)
      const request = unsigned(services.parametersFor(clientId))
      expect(answerOf(await ask({ request }))).toMatchObject({ error: 'request_not_supported' })
    },
  },
  'oidcc-claims-essential': {
    demands: 'a single claim that the request calls essential, from userinfo',
    async check({ tokensFor, call }) {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
      const { access_token } = await tokensFor({ scope: 'openid', claims })
      expect((await call('/oidc/me', undefined, bearer(access_token))).body.name).toBe('Åsa Öberg')
    },
  },
  'oidcc-ensure-request-object-with-redirect-uri': {
    demands:
      'with a wrong address beside the right one in a request object: an error page, and no redirect to the wrong one',
    async check({ services, clientId, browser }) {
      const request = unsigned(services.parametersFor(clientId))
      staysHere(await browser.get(services.requestFor(clientId, { request, redirect_uri: `${callback}/other` })))
    },
  },
  'oidcc-refresh-token': {
    demands: 'new tokens for the same person and sign-in, and none for another client',
    async check({ services, clientId, tokensFor, call }) {
      const first = await tokensFor()
      const other = await services.register()
      expect(await services.renew(other, first.refresh_token)).toMatchObject({ error: 'invalid_grant' })
      const second = await services.renew(clientId, first.refresh_token)
      const claims = ({ id_token }: { id_token: string }) => {
        const { iss, sub, aud, auth_time } = decodeJwt(id_token)
        return { iss, sub, aud, auth_time }
      }
      expect(claims(second)).toEqual(claims(first))
      expect((await call('/oidc/me', undefined, bearer(second.access_token))).status).toBe(200)
    },
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': {
    demands: 'a code that was asked for with PKCE, redeemed with its verifier',
    async check({ services, clientId, ask }) {
      const { challenge, proof } = pkceOf()
      const { href } = await ask(challenge)
      expect(await services.tokensAt(clientId, href, proof)).toHaveProperty('id_token')
    },
  },
})
