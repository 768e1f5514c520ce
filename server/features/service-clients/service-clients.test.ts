import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const callback = 'https://journal.example/callback'
const web = { kind: 'web', redirectUris: [callback] }

async function newService(form?: object) {
  const { serviceId } = await portal.service('Journalen Åäö')
  const url = `/api/services/${serviceId}/client`
  const { clientId, newSecret } = form ? (await root.put(url, form)).json() : { clientId: '', newSecret: '' }
  return { serviceId, url, clientId: String(clientId), secret: String(newSecret) }
}
/** What super users did to the client; what its refused requests leave is not theirs. */
const eventsOf = (serviceId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes'])
    .where('targetId', '=', serviceId)
    .where('name', '<>', 'serviceRequestRefused')
    .orderBy('id')
    .execute()

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

/** Signs somebody in to the service. @returns what the provider sends back to it */
async function codeFor({ serviceId, clientId }: { serviceId: string; clientId: string }, more: object = pkce) {
  const person = await portal.person()
  const { organizationId } = await portal.organization()
  await portal.offer(organizationId, serviceId)
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  const browser = await portal.signedIn(person)
  const given = { client_id: clientId, response_type: 'code', redirect_uri: callback, scope: 'openid email', ...more }
  const { url } = await browser.follow(await browser.get(`/oidc/auth?${new URLSearchParams(given)}`))
  return Object.fromEntries(new URL(url, 'http://portal.test').searchParams)
}
const exchange = async (fields: Record<string, string>, credentials?: [id: string, secret: string]) => {
  const authorization = credentials && `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`
  return portal
    .browser()
    .submit('/oidc/token', fields, { accept: 'application/json', ...(authorization && { authorization }) })
}
/** A request for tokens by a code that does not exist: 400 says that the client was let in, 401 that it was not. */
const authenticates = async (clientId: string, secret: string) => {
  const { statusCode } = await exchange({ grant_type: 'authorization_code', code: 'x', redirect_uri: callback }, [
    clientId,
    secret,
  ])
  return { 400: true, 401: false }[statusCode]
}

test('a super user registers a service, which signs somebody in with the secret that is shown once', async () => {
  const { serviceId, url } = await newService()
  const none = (await root.get(url)).json()
  expect(none).toMatchObject({
    kind: 'none',
    clientId: null,
    secret: null,
    version: 0,
    issuer: 'http://portal.test/oidc',
  })
  const made = await root.put(url, { ...web, version: 0 })
  expect(made.statusCode).toBe(200)
  const { clientId, newSecret } = made.json()
  expect(clientId).toMatch(/^journalen-aao-[0-9a-f]{6}$/)
  expect(newSecret).toHaveLength(43)
  const read = await root.get(url)
  expect(read.body).not.toContain(newSecret)
  expect(read.json()).toMatchObject({ kind: 'web', pkceRequired: true, version: 1, secret: { lastUsed: null } })

  const { code = '' } = await codeFor({ serviceId, clientId })
  const tokens = await exchange(
    { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier },
    [clientId, newSecret],
  )
  expect(tokens.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900, id_token: expect.any(String) })
  expect((await root.get(url)).json().secret.lastUsed).toBe(portal.now().toISOString())
  const events = await eventsOf(serviceId)
  expect(events.map(({ name }) => name)).toEqual(['createClient'])
  expect(JSON.stringify(events)).not.toContain(newSecret)
})

test('what is saved counts for the next request: addresses, lifetimes, scopes', async () => {
  const service = await newService(web)
  const saved = await root.put(service.url, { accessMinutes: 5, scopes: ['openid', 'profile'], version: 1 })
  expect(saved.json()).toMatchObject({ version: 2, newSecret: null, redirectUris: [callback], accessMinutes: 5 })
  expect(await codeFor(service)).toMatchObject({ error: 'invalid_scope' })
  const { code = '' } = await codeFor(service, { ...pkce, scope: 'openid' })
  const tokens = await exchange(
    { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier },
    [service.clientId, service.secret],
  )
  expect(tokens.json().expires_in).toBe(300)
  expect((await root.put(service.url, { accessMinutes: 6, version: 1 })).statusCode).toBe(409)
  // The same again changes nothing, and is not in the log.
  await root.put(service.url, { accessMinutes: 5 })
  const events = await eventsOf(service.serviceId)
  expect(events.map(({ name }) => name)).toEqual(['createClient', 'updateClient'])
  expect(events[1]?.changes).toContainEqual({ property: 'accessMinutes', previousValue: '15', newValue: '5' })
})

describe('a new secret', () => {
  test('works beside the old one until that ends, and each shows when it was last used', async () => {
    const { serviceId, url, clientId, secret } = await newService(web)
    const made = await root.post(`${url}/secrets`, { keepHours: 24 })
    expect(made.statusCode).toBe(201)
    const { newSecret } = made.json()
    expect(await authenticates(clientId, newSecret)).toBe(true)
    expect(await authenticates(clientId, secret)).toBe(true)
    expect(await authenticates(clientId, 'undefined')).toBe(false)
    const { previousSecret, secret: present } = (await root.get(url)).json()
    expect(present.lastUsed).toBe(portal.now().toISOString())
    expect(previousSecret.lastUsed).toBe(portal.now().toISOString())
    expect(Date.parse(previousSecret.endsAt) - portal.now().getTime()).toBe(24 * 3_600_000)
    portal.advance(24 * 3600 + 1)
    root = await portal.signedIn(await portal.person({ superUser: true }))
    expect(await authenticates(clientId, secret)).toBe(false)
    expect(await authenticates(clientId, newSecret)).toBe(true)
    expect((await root.get(url)).json().previousSecret).toBeNull()
    const events = await eventsOf(serviceId)
    expect(events.map(({ name }) => name)).toEqual(['createClient', 'createClientSecret'])
    expect(JSON.stringify(events)).not.toContain(newSecret)
  })

  test('ends the old one now where that is asked for, at once or later', async () => {
    const { serviceId, url, clientId, secret } = await newService(web)
    const [second, third] = [
      (await root.post(`${url}/secrets`, { keepHours: 0 })).json().newSecret,
      (await root.post(`${url}/secrets`, {})).json().newSecret,
    ]
    expect(await authenticates(clientId, secret)).toBe(false)
    expect(await authenticates(clientId, second)).toBe(true)
    expect((await root.delete(`${url}/secrets/previous`)).statusCode).toBe(204)
    expect(await authenticates(clientId, second)).toBe(false)
    expect(await authenticates(clientId, third)).toBe(true)
    expect((await root.delete(`${url}/secrets/previous`)).statusCode).toBe(404)
    expect((await eventsOf(serviceId)).map(({ name }) => name).at(-1)).toBe('deleteClientSecret')
  })

  test('is not made for a client that keeps none', async () => {
    const { url } = await newService({ kind: 'singlePage', redirectUris: [callback] })
    expect((await root.post(`${url}/secrets`, {})).json().message).toBe('clientHasNoSecret')
  })
})

describe('kinds of clients', () => {
  test('a web app of an old library signs in without PKCE where that is switched off; no other client does', async () => {
    const service = await newService(web)
    expect(await codeFor(service, {})).toMatchObject({ error: 'invalid_request' })
    await root.put(service.url, { pkceRequired: false })
    const { code = '' } = await codeFor(service, {})
    const tokens = await exchange({ grant_type: 'authorization_code', code, redirect_uri: callback }, [
      service.clientId,
      service.secret,
    ])
    expect(tokens.statusCode).toBe(200)
    const refused = await root.put(service.url, { kind: 'native', authentication: 'none' })
    expect(refused.json().issues).toEqual([{ path: 'pkceRequired', message: 'notForClientKind' }])
  })

  test('an app without a secret returns to any port of its own device, and to a scheme of its own', async () => {
    const own = 'com.example.journal:/callback'
    const service = await newService({ kind: 'native', redirectUris: ['http://127.0.0.1/callback', own] })
    expect(service.secret).toBe('null')
    const port = 'http://127.0.0.1:51234/callback'
    const { code = '' } = await codeFor(service, { ...pkce, redirect_uri: port })
    const tokens = await exchange({
      grant_type: 'authorization_code',
      client_id: service.clientId,
      code,
      redirect_uri: port,
      code_verifier: verifier,
    })
    expect(tokens.statusCode).toBe(200)
    expect(await codeFor(service, { ...pkce, redirect_uri: own })).toHaveProperty('code')
  })

  test('a machine gets a token for itself, and signs nobody in', async () => {
    const { clientId, secret } = await newService({ kind: 'machine' })
    const tokens = await exchange({ grant_type: 'client_credentials' }, [clientId, secret])
    expect(tokens.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
    expect((await exchange({ grant_type: 'authorization_code', code: 'x' }, [clientId, secret])).json()).toMatchObject({
      error_description: 'requested grant type is not allowed for this client',
    })
    const me = await portal.browser().get('/oidc/me', { authorization: `Bearer ${tokens.json().access_token}` })
    expect(me.statusCode).toBe(401)
  })
})

type Refused = [what: string, form: object, path: string, message: string]
const weakKey = (what: string, key: object): Refused => [
  what,
  { authentication: 'private_key_jwt', jwks: JSON.stringify({ keys: [key] }) },
  'jwks',
  'clientKeyWeak',
]
test.each<Refused>([
  ['a fragment', { redirectUris: ['https://a.example/#x'] }, 'redirectUris', 'clientAddressFragment'],
  ['a wildcard', { redirectUris: ['https://*.a.example/'] }, 'redirectUris', 'clientAddressInvalid'],
  ['a password', { redirectUris: ['https://a:b@a.example/'] }, 'redirectUris', 'clientAddressInvalid'],
  ['a scheme that runs script', { redirectUris: ['javascript:alert(1)'] }, 'redirectUris', 'clientAddressInvalid'],
  ['http elsewhere', { redirectUris: ['http://a.example/'] }, 'redirectUris', 'clientAddressInsecure'],
  ['no address', { redirectUris: [' '] }, 'redirectUris', 'required'],
  [
    'an app scheme without a dot',
    { kind: 'native', redirectUris: ['myapp:/x'] },
    'redirectUris',
    'clientAddressNative',
  ],
  [
    'http of an app elsewhere',
    { kind: 'native', redirectUris: ['http://a.example/'] },
    'redirectUris',
    'clientAddressNative',
  ],
  [
    'a secret in a browser',
    { kind: 'singlePage', authentication: 'client_secret_post' },
    'authentication',
    'notForClientKind',
  ],
  [
    'a private key',
    { authentication: 'private_key_jwt', jwks: '{"keys":[{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"c"}]}' },
    'jwks',
    'clientKeyPrivate',
  ],
  [
    'an RSA key of 1024 bits',
    {
      authentication: 'private_key_jwt',
      jwks: JSON.stringify({
        keys: [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
      }),
    },
    'jwks',
    'clientKeyShort',
  ],
  ...Object.entries({
    'an RSA key with the exponent 3': generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }),
    'a key on a curve that is not asked for': generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    'a key of Ed448': generateKeyPairSync('ed448'),
  }).map(([what, { publicKey }]) => weakKey(what, publicKey.export({ format: 'jwk' }))),
  weakKey('a point off its curve', { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }),
  weakKey('a point of a small group', { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }),
  ['no key', { authentication: 'private_key_jwt' }, 'jwks', 'eitherKeysOrAddress'],
  ['an API that nobody is', { apis: ['https://api.example/none'] }, 'apis', 'apiUnknown'],
  ['an API without a name', { apiUri: 'orders' }, 'apiUri', 'apiUriInvalid'],
  ['an API that keeps no secret', { kind: 'singlePage', apiUri: 'urn:orders' }, 'apiUri', 'notForClientKind'],
  [
    'reading people, without a secret',
    { kind: 'singlePage', directoryAccess: true },
    'directoryAccess',
    'notForClientKind',
  ],
  ['a lifetime out of bounds', { accessMinutes: 61 }, 'accessMinutes', 'invalidNumber'],
  [
    'an unsafe sign-out address',
    { backchannelLogoutUri: 'http://10.0.0.1/' },
    'backchannelLogoutUri',
    'clientAddressInsecure',
  ],
])('%s is refused at its field, and nothing is written', async (_, wrong, path, message) => {
  const { serviceId, url } = await newService()
  const refused = await root.put(url, { ...web, ...wrong })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().issues).toContainEqual({ path, message })
  expect((await root.get(url)).json().kind).toBe('none')
  expect(await eventsOf(serviceId)).toEqual([])
})

test('the name of an API belongs to one service, and others may be allowed to ask for it', async () => {
  const [api, other, caller] = [await newService(web), await newService(web), await newService(web)]
  const apiUri = 'https://api.example/journal'
  expect((await root.put(api.url, { apiUri })).json()).toMatchObject({ apiUri, apiToken: 'jwt' })
  const taken = await root.put(other.url, { apiUri })
  expect([taken.statusCode, taken.json().issues]).toEqual([422, [{ path: 'apiUri', message: 'apiUriTaken' }]])
  expect((await root.put(caller.url, { apis: [apiUri] })).json().apis).toEqual([apiUri])
  expect((await eventsOf(caller.serviceId)).at(-1)).toMatchObject({
    name: 'updateClient',
    changes: [{ property: 'apis', previousValue: null, newValue: apiUri }],
  })
})

test('a client that is removed lets nobody in any more', async () => {
  const { serviceId, url, clientId, secret } = await newService(web)
  expect(await authenticates(clientId, secret)).toBe(true)
  expect((await root.delete(url)).statusCode).toBe(204)
  expect(await authenticates(clientId, secret)).toBe(false)
  expect((await root.get(url)).json().kind).toBe('none')
  expect((await root.delete(url)).statusCode).toBe(404)
  expect((await eventsOf(serviceId)).map(({ name }) => name)).toEqual(['createClient', 'deleteClient'])
})

test('of two super users who register at once, one is told', async () => {
  const { url } = await newService()
  const answers = await Promise.all([root.put(url, { ...web, version: 0 }), root.put(url, { ...web, version: 0 })])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
})

test('a super user sees which sign-outs a service knows of, and why others did not arrive', async () => {
  const service = await newService({ ...web, kind: 'web', backchannelLogoutUri: null })
  const list = async (query = '') => (await root.get(`${service.url}/sign-outs${query}`)).json()
  expect(await list()).toEqual([])
  const person = await portal.person()
  const { db } = portal.system
  const { accountId } = person
  const delivery = { clientId: service.clientId, accountId, sid: 'x', signOut: newId() }
  await db
    .insertInto('logoutDeliveries')
    .values([
      { ...delivery, id: newId(), state: 'told', attempts: 1, createdAt: new Date('2026-11-20T10:00:00Z') },
      {
        ...delivery,
        id: newId(),
        state: 'queued',
        attempts: 2,
        reason: 'unreachable',
        createdAt: new Date('2026-11-20T11:00:00Z'),
      },
      {
        ...delivery,
        id: newId(),
        accountId: newId(),
        state: 'failed',
        attempts: 9,
        reason: 'HTTP 500',
        createdAt: new Date('2026-11-20T12:00:00Z'),
      },
      { ...delivery, id: newId(), state: 'queued', createdAt: new Date('2026-11-20T13:00:00Z') },
    ])
    .execute()
  expect((await list()).map(({ email, state, reason }: Record<string, unknown>) => [email, state, reason])).toEqual([
    [person.email, 'queued', null],
    [null, 'failed', 'HTTP 500'],
    [person.email, 'queued', 'outgoingUnreachable'],
    [person.email, 'told', null],
  ])
  expect((await list('?failed=true')).map(({ state, attempts }: Record<string, unknown>) => [state, attempts])).toEqual(
    [
      ['failed', 9],
      ['queued', 2],
    ],
  )
  const other = await newService()
  expect((await root.get(`${other.url}/sign-outs`)).json()).toEqual([])
})
