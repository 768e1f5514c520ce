import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '#test/people.ts'
import { pkceOf, secret, servicesOf, verifier } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// What well-known applications send, as their own code or their library writes it. Each signs somebody in.

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let person: Person
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  person = await portal.person({ firstName: 'Åsa', lastName: 'Öberg' })
})
afterAll(() => portal?.close())

interface Application {
  name: string
  redirect: string
  /** How the secret is sent. */
  secretBy: 'basic' | 'post'
  request: Record<string, string>
  pkce: boolean
}

const s256 = pkceOf().challenge
/** A state as data protection of ASP.NET writes it, with much in it. */
const longState = `CfDJ8${'aB3-_xYz9Q0k'.repeat(1000)}`.slice(0, 12_000)

const applications: Application[] = [
  {
    name: 'Grafana (golang.org/x/oauth2)',
    redirect: 'https://grafana.example/login/generic_oauth',
    secretBy: 'basic',
    request: { scope: 'openid profile email groups', state: 'bWFkZSBieSBHcmFmYW5h', ...s256 },
    pkce: true,
  },
  {
    name: 'GitLab (omniauth_openid_connect)',
    redirect: 'https://gitlab.example/users/auth/openid_connect/callback',
    secretBy: 'basic',
    request: { nonce: '4f1c2e', scope: 'openid profile email', state: '0c1a7e3f55', ...s256 },
    pkce: true,
  },
  {
    name: 'Nextcloud (user_oidc)',
    redirect: 'https://cloud.example/index.php/apps/user_oidc/code',
    secretBy: 'post',
    request: {
      scope: 'openid email profile',
      state: 'R4ND0MSTATE',
      nonce: 'N0NCE',
      claims: JSON.stringify({
        id_token: { email: null, name: null, quota: null },
        userinfo: { email: null, name: null, quota: null, preferred_username: null },
      }),
      ...s256,
    },
    pkce: true,
  },
  {
    name: 'Mattermost (OpenID Connect)',
    redirect: 'https://chat.example/signup/openid/complete',
    secretBy: 'post',
    request: {
      scope: 'profile openid email',
      state: Buffer.from(JSON.stringify({ action: 'login', token: 'x'.repeat(64) })).toString('base64'),
    },
    pkce: false,
  },
  {
    name: 'Outline (passport-oauth2)',
    redirect: 'https://wiki.example/auth/oidc.callback',
    secretBy: 'post',
    request: { scope: 'openid profile email', state: 'wiki.example|abc|web' },
    pkce: false,
  },
  {
    name: 'Spring Security',
    redirect: 'https://app.example/login/oauth2/code/vestibule',
    secretBy: 'basic',
    request: { scope: 'openid profile email', state: 'pF1mZ0Hq2uY_x9Qe7w==', nonce: 'WYdQ7tS_nOnCe', ...s256 },
    pkce: true,
  },
  {
    name: 'ASP.NET Core',
    redirect: 'https://app.example/signin-oidc',
    secretBy: 'post',
    request: {
      scope: 'openid profile',
      response_mode: 'form_post',
      nonce: '638999999999999999.YWJj',
      state: longState,
      'x-client-SKU': 'ID_NET9_0',
      'x-client-ver': '8.14.0.0',
      ...s256,
    },
    pkce: true,
  },
]

/** `application/x-www-form-urlencoded` before base64 (RFC 6749, 2.3.1). */
const basic = (clientId: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`

/** What arrives at the redirect address: in its query, or in a form that the browser posts to it. */
function arrivalOf(url: string, body: string, redirect: string): Record<string, string> {
  if (url.startsWith(redirect)) return Object.fromEntries(new URL(url).searchParams)
  expect(body).toContain(`<form method="post" action="${redirect.replaceAll('&', '&amp;')}">`)
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&#x3D;', '=')]))
}

async function signIn({ redirect, secretBy, request, pkce }: Application) {
  const clientId = await services.register({
    redirectUris: [redirect],
    tokenEndpointAuthMethod: secretBy === 'basic' ? 'client_secret_basic' : 'client_secret_post',
    pkceRequired: pkce,
  })
  const browser = await portal.signedIn(person)
  const query = new URLSearchParams({ client_id: clientId, response_type: 'code', redirect_uri: redirect, ...request })
  const { response, url } = await browser.follow(await browser.get(`/oidc/auth?${query}`, { accept: 'text/html' }))
  const arrival = arrivalOf(url, response.body, redirect)
  expect(arrival.state).toBe(request.state)
  const form = {
    grant_type: 'authorization_code',
    code: arrival.code ?? '',
    redirect_uri: redirect,
    ...(pkce && { code_verifier: verifier }),
    ...(secretBy === 'post' && { client_id: clientId, client_secret: secret }),
  }
  const answer = await portal.browser().submit('/oidc/token', form, {
    accept: 'application/json',
    ...(secretBy === 'basic' && { authorization: basic(clientId) }),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const tokens = answer.json()
  expect(decodeJwt(tokens.id_token)).toMatchObject({
    sub: person.accountId,
    aud: clientId,
    ...(request.nonce && { nonce: request.nonce }),
  })
  return (await services.userInfo(tokens.access_token)).json()
}

test.each(applications)('$name signs somebody in, and finds a name for the account', async (application) => {
  const claims = await signIn(application)
  expect(claims).toMatchObject({ sub: person.accountId, name: 'Åsa Öberg', preferred_username: person.email })
})

test.each(applications)('$name with the secret sent the other way', async (application) => {
  const secretBy = application.secretBy === 'basic' ? 'post' : 'basic'
  expect(await signIn({ ...application, secretBy })).toMatchObject({ sub: person.accountId })
})

describe('a redirect address', () => {
  test.each([
    ['with a query', 'https://app.example/callback?provider=vestibule&next=%2Fstart'],
    ['with a port and a slash at its end', 'https://app.example:8443/oidc/'],
    ['with letters that are encoded', 'https://app.example/%C3%A5terkomst/a%20b'],
    ['with a dot, a plus and a tilde', 'https://app.example/~me/a+b/oidc.callback'],
    ['without a path', 'https://app.example'],
    ['of a name in punycode', 'https://xn--frskola-r1a.example/callback'],
  ])('%s comes back as it was sent', async (_, redirect) => {
    const application = { name: '', secretBy: 'basic', request: { scope: 'openid', state: 's' }, pkce: false } as const
    expect(await signIn({ ...application, redirect })).toMatchObject({ sub: person.accountId })
    const form = { scope: 'openid', state: 's', response_mode: 'form_post' }
    expect(await signIn({ ...application, request: form, redirect })).toMatchObject({ sub: person.accountId })
  })
})
