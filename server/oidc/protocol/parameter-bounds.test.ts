import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secret, servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { longestOf } from './parameter-bounds.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let clientId: string
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  clientId = await services.register()
})
afterAll(() => portal?.close())

/** Every parameter of an endpoint, each with what the endpoint wants beside it. */
const ofRequests = `acr_values claims claims_locales code_challenge code_challenge_method display id_token_hint login_hint
  max_age nonce organization_id prompt redirect_uri registration request request_uri resource response_mode response_type
  scope state ui_locales`
const ofClients = 'client_assertion client_assertion_type client_secret'
const endpoints: [path: string, parameters: string, beside?: Record<string, string>][] = [
  ['/oidc/auth', `client_id ${ofRequests}`],
  ['/oidc/request', `client_id ${ofClients} ${ofRequests}`],
  ['/oidc/token', `client_id ${ofClients} grant_type`],
  ['/oidc/token', 'code code_verifier redirect_uri resource', { grant_type: 'authorization_code' }],
  ['/oidc/token', 'refresh_token resource scope', { grant_type: 'refresh_token' }],
  ['/oidc/token', 'resource scope', { grant_type: 'client_credentials' }],
  ['/oidc/token/introspection', `client_id ${ofClients} token token_type_hint`],
  ['/oidc/token/revocation', `client_id ${ofClients} token token_type_hint`],
  ['/oidc/session/end', 'client_id id_token_hint logout_hint post_logout_redirect_uri state ui_locales'],
]
const cases = endpoints.flatMap(([path, parameters, beside = {}]) =>
  parameters.split(/\s+/).map((name) => [name, path, beside] as const),
)

async function ask(path: string, fields: [string, string][]): Promise<string> {
  const browser = portal.browser()
  const sent = new URLSearchParams(fields)
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = /auth$|end$/.test(path)
    ? await browser.get(`${path}?${sent}`, headers)
    : await portal.app.inject({
        method: 'POST',
        url: path,
        payload: `${sent}`,
        headers: { ...headers, host: 'portal.test' },
      })
  expect(answer.statusCode).toBeLessThan(500)
  return decodeURIComponent(`${answer.headers.location} ${answer.body}`).replaceAll('+', ' ')
}

describe('a parameter that is too long is refused', () => {
  test.each(cases)('%s at %s', async (name, path, beside) => {
    const all = { client_id: clientId, client_secret: secret, ...beside }
    const rest = Object.entries(all).filter(([other]) => other !== name)
    const most = longestOf(name)
    const refused = `${name} is longer than ${most} characters`
    expect(await ask(path, [...rest, [name, 'x'.repeat(most + 1)]])).toContain(refused)
    if (most < 15_000) expect(await ask(path, [...rest, [name, 'x'.repeat(most)]])).not.toContain(refused)
  })
})

test('an address of an API that is repeated is looked up ten times at most', async () => {
  const apiUri = 'https://api.example/repeated'
  await services.register({ apiUri, apiToken: 'jwt' })
  const caller = await services.register({ apis: [apiUri] })
  const repeated = (times: number): [string, string][] => [
    ...Object.entries(services.parametersFor(caller)),
    ...Array.from({ length: times }, (): [string, string] => ['resource', apiUri]),
  ]
  expect(await ask('/oidc/auth', repeated(11))).toContain('resource is repeated too often')
  expect(await ask('/oidc/auth', repeated(10))).not.toContain('repeated')
})
