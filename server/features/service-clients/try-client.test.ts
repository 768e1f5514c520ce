import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let person: Person
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  person = await portal.person({ superUser: true })
  root = await portal.signedIn(person)
})
afterAll(() => portal?.close())

const web = { kind: 'web', redirectUris: ['https://journal.example/callback'] }

async function newService(form: object, { assigned = true } = {}) {
  const { serviceId } = await portal.service()
  const url = `/api/services/${serviceId}/client`
  const { clientId } = (await root.put(url, form)).json()
  if (assigned) {
    const { organizationId } = await portal.organization()
    await portal.offer(organizationId, serviceId)
    await portal.join(person.accountId, organizationId)
    await portal.assign(person.accountId, organizationId, serviceId)
  }
  return { serviceId, url, clientId }
}
const outcomes = ({ steps }: { steps: { step: string; outcome: string }[] }) =>
  Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome]))
const allPassed = { request: 'passed', token: 'passed', idToken: 'passed', userInfo: 'passed', refresh: 'passed' }

test('a super user signs in by a client on trial and reads its claims; the tokens are dead afterwards', async () => {
  const { serviceId, url, clientId } = await newService(web)
  const tried = await root.post(`${url}/try`, {})
  expect(tried.statusCode).toBe(200)
  const report = tried.json()
  expect(outcomes(report)).toEqual(allPassed)
  expect(JSON.parse(report.idToken).claims).toMatchObject({ aud: clientId, sub: person.accountId, amr: ['pwd'] })
  expect(JSON.parse(report.userInfo)).toMatchObject({ email: person.email })
  expect(JSON.parse(report.tokens)).toEqual({ expires_in: 900, scope: expect.any(String), token_type: 'Bearer' })
  const left = await portal.system.db
    .selectFrom('providerArtifacts')
    .select('model')
    .where('accountId', '=', person.accountId)
    .where('model', 'in', ['AccessToken', 'RefreshToken'])
    .where('consumedAt', 'is', null)
    .execute()
  expect(left).toEqual([])
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'actor', 'changes'])
    .where('targetId', '=', serviceId)
    .where('name', '=', 'tryClient')
    .execute()
  expect(events).toEqual([{ name: 'tryClient', actor: person.email, changes: [] }])
})

test.each([
  ['without a secret', { kind: 'singlePage', redirectUris: web.redirectUris }],
  ['with its secret in the form', { ...web, authentication: 'client_secret_post' }],
])('a client %s can be tried, too', async (_, form) => {
  const { url } = await newService(form)
  expect(outcomes((await root.post(`${url}/try`, {})).json())).toEqual(allPassed)
})

test('an app is tried up to what its own browser must show', async () => {
  const { url } = await newService({ kind: 'native', redirectUris: ['com.example.app:/callback'] })
  expect((await root.post(`${url}/try`, {})).json().steps).toEqual([
    { step: 'request', outcome: 'skipped', error: null, advice: 'app' },
  ])
  const { steps } = (await root.post(`${url}/try`, { redirectUri: 'com.example.other:/callback' })).json()
  expect(steps).toMatchObject([{ step: 'request', outcome: 'failed', advice: 'redirectUri' }])
})

describe('a trial for an API', () => {
  const api = 'https://api.example/trial'
  const opaque = 'https://api.example/opaque-trial'
  beforeAll(async () => {
    for (const [apiUri, apiToken] of [
      [api, 'jwt'],
      [opaque, 'opaque'],
    ])
      await newService({ kind: 'machine', apiUri, apiToken }, { assigned: false })
  })

  test('shows what stands in the signed token, and no signature that would let it be used', async () => {
    const { url, clientId } = await newService({ ...web, apis: [api], pairwise: true })
    const answer = await root.post(`${url}/try`, { resource: api })
    const { userInfo: _, ...rest } = allPassed
    expect(outcomes(answer.json())).toEqual({ ...rest, apiToken: 'passed' })
    const { request, apiToken, idToken, userInfo } = answer.json()
    expect(new URL(request).searchParams.get('resource')).toBe(api)
    const { header, claims } = JSON.parse(apiToken)
    expect(header).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
    const { sub } = JSON.parse(idToken).claims
    expect(claims).toMatchObject({ aud: api, client_id: clientId, sub, amr: ['pwd'], roles: [] })
    expect(userInfo).toBeNull()
    expect(answer.body).not.toMatch(/eyJ/)
  })

  test('shows the token of a machine, too', async () => {
    const { url, clientId } = await newService({ kind: 'machine', apis: [api] }, { assigned: false })
    const report = (await root.post(`${url}/try`, { resource: api })).json()
    expect(outcomes(report)).toEqual({ token: 'passed', apiToken: 'passed' })
    expect(JSON.parse(report.apiToken).claims).toMatchObject({ aud: api, sub: clientId })
  })

  test('says of an opaque token that only the API can read it, and of an unknown API what to do', async () => {
    const { url } = await newService({ ...web, apis: [api, opaque] })
    const { steps, apiToken } = (await root.post(`${url}/try`, { resource: opaque })).json()
    expect(steps).toContainEqual({ step: 'apiToken', outcome: 'skipped', error: null, advice: 'opaque' })
    expect(apiToken).toBeNull()
    const { steps: refused } = (await root.post(`${url}/try`, { resource: 'urn:example:other' })).json()
    expect(refused).toMatchObject([{ step: 'request', outcome: 'failed', advice: 'target' }])
  })
})

test('a machine gets its token, and nobody signs in', async () => {
  const { url } = await newService({ kind: 'machine' }, { assigned: false })
  expect(outcomes((await root.post(`${url}/try`, {})).json())).toEqual({ token: 'passed' })
})

test('a client with a key of its own is tried up to the code, which only that key can exchange', async () => {
  const jwks = JSON.stringify({
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
    ],
  })
  const { url } = await newService({ ...web, authentication: 'private_key_jwt', jwks })
  expect((await root.post(`${url}/try`, {})).json().steps).toEqual([
    { step: 'request', outcome: 'passed', error: null, advice: null },
    { step: 'token', outcome: 'skipped', error: null, advice: 'ownKey' },
  ])
})

test.each([
  [
    'an address that is not registered',
    { redirectUri: 'https://journal.example/callback/' },
    'redirectUri',
    /redirect_uri/,
  ],
  ['a scope that was not granted', { scope: 'openid phone' }, 'scope', /invalid_scope/],
  ['a request without PKCE', { pkce: false }, 'pkce', /PKCE/],
])('%s fails at the request, which says what to do', async (_, input, advice, error) => {
  const { url } = await newService({ ...web, scopes: ['openid', 'profile'] })
  const { steps } = (await root.post(`${url}/try`, input)).json()
  expect(steps).toEqual([{ step: 'request', outcome: 'failed', error: expect.stringMatching(error), advice }])
})

test('the last sign-in is told of a service, and a trial is none', async () => {
  const { url } = await newService(web)
  const lastSignIn = async () => (await root.get(url)).json().lastSignIn
  const { request } = (await root.post(`${url}/try`, {})).json()
  expect(await lastSignIn()).toBeNull()
  const { pathname, search } = new URL(request)
  expect((await root.get(pathname + search)).headers.location).toMatch(/[?&]code=/)
  expect(await lastSignIn()).toBe(portal.now().toISOString())
})

describe('a super user who does not have the service', () => {
  test('tries it all the same: the answer and the event say so, and nothing counts as a sign-in', async () => {
    const { serviceId, url } = await newService(web, { assigned: false })
    const tried = (await root.post(`${url}/try`, {})).json()
    expect(outcomes(tried)).toEqual(allPassed)
    expect(tried.assigned).toBe(false)
    const { claims } = JSON.parse(tried.idToken)
    expect(claims).toMatchObject({ sub: person.accountId, email: person.email })
    expect(claims).not.toHaveProperty('organization')
    expect(claims.organizations).toEqual([])
    const { changes } = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('targetId', '=', serviceId)
      .where('name', '=', 'tryClient')
      .executeTakeFirstOrThrow()
    expect(changes).toMatchObject([{ property: 'trialWithoutService', newValue: 'true' }])
    expect((await root.get(url)).json().lastSignIn).toBeNull()
  })

  test('enters on trial alone: a request of the same browser at the same time is refused', async () => {
    const { url, clientId } = await newService(web, { assigned: false })
    const { request } = (await root.post(`${url}/try`, {})).json()
    const ask = () => root.get(new URL(request).pathname + new URL(request).search)
    const [beside] = await Promise.all([ask(), root.post(`${url}/try`, {}), root.post(`${url}/try`, {})])
    expect(beside.headers.location).toMatch(/error=access_denied/)
    expect(new URL(request).searchParams.get('client_id')).toBe(clientId)
  })
})

test('a test of the sign-out tells what the service answered', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(400).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const { url } = await newService({ ...web, backchannelLogoutUri: `http://127.0.0.1:${port}/logout` })
    expect((await root.post(`${url}/test-logout`)).json()).toEqual({ status: 400 })
    expect(bodies).toEqual([expect.stringMatching(/^logout_token=ey/)])
    const { url: deaf } = await newService({ ...web, backchannelLogoutUri: 'http://127.0.0.1:1/logout' })
    expect((await root.post(`${deaf}/test-logout`)).json().message).toBe('outgoingUnreachable')
    const { url: none } = await newService(web)
    expect((await root.post(`${none}/test-logout`)).statusCode).toBe(404)
  } finally {
    server.close()
  }
})
