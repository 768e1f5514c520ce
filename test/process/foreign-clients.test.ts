import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { createBrowser, signIn } from '../../bench/browser.ts'
import { isApacheInstalled, startApache } from './clients/apache-service.ts'
import { type Registered, startAuthJs, startExpressOpenIdConnect, startPassport } from './clients/express-services.ts'
import { createVisitor } from './clients/visitor.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

// Services that others wrote sign a person of the demo in, over real connections.
const person = { email: 'user@nordvik.example', given_name: 'Emil' }
const { dataDir, remove } = temporaryDataDir()
const ports: Record<'express' | 'authJs' | 'passport' | 'apache' | 'authlib', number> = {
  express: await freePort(),
  authJs: await freePort(),
  passport: await freePort(),
  apache: await freePort(),
  authlib: await freePort(),
}
let portal: ServerProcess
let withPkce: Registered
let withoutPkce: Registered

beforeAll(async () => {
  portal = await startServerProcess({ dataDir, env: { DEMO: 'on', LOG_LEVEL: 'error' } })
  await portal.ready
  const at = (name: keyof typeof ports, path: string) => `http://localhost:${ports[name]}${path}`
  withPkce = await register('Journal', {
    authentication: 'client_secret_basic',
    redirectUris: [
      at('express', '/callback'),
      at('authJs', '/auth/callback/portal'),
      at('apache', '/protected/callback'),
      at('authlib', '/callback'),
    ],
    postLogoutRedirectUris: [at('express', '')],
  })
  withoutPkce = await register('Bokning', {
    authentication: 'client_secret_post',
    pkceRequired: false,
    redirectUris: [at('passport', '/callback')],
  })
}, 180_000)
afterAll(async () => {
  portal?.signal('SIGINT')
  await portal?.ended
  remove()
})

/** Registers a demo service as its super user does. */
async function register(name: string, form: object): Promise<Registered> {
  const root = createBrowser(portal.url)
  await signIn(root, 'super@vestibule.example', 'Demo-password-1')
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(portal.url + path, {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: root.cookieHeader(path) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { clientId: string; newSecret: string } & { serviceId: string; name: string }[]
  }
  const services = await send('GET', '/api/services')
  const url = `/api/services/${services.find((one) => one.name === name)?.serviceId}/client`
  const { clientId } = await send('PUT', url, { kind: 'web', backchannelLogoutUri: null, ...form })
  const { newSecret } = await send('POST', `${url}/secrets`, { keepHours: 0 })
  return { issuer: `${portal.url}/oidc`, clientId, secret: newSecret }
}

test('express-openid-connect signs a person in by a posted form, and out', async () => {
  const service = await startExpressOpenIdConnect(ports.express, withPkce)
  try {
    const { visit } = createVisitor(person.email)
    const base = `http://localhost:${ports.express}`
    const arrived = await visit(`${base}/person`)
    expect(JSON.parse(arrived.body)).toMatchObject(person)
    const left = await visit(`${base}/logout`)
    expect([left.url.origin, left.body]).toEqual([base, 'signed out'])
    // The portal's session has ended too: it asks for the password again, and gets it.
    expect((await visit(`${base}/person`)).status).toBe(200)
  } finally {
    await service.close()
  }
})

test('Auth.js signs a person in after a click on its own page', async () => {
  const service = await startAuthJs(ports.authJs, withPkce)
  try {
    const { body } = await createVisitor(person.email).visit(`http://localhost:${ports.authJs}/person`)
    expect(JSON.parse(body)).toMatchObject({ email: person.email, name: expect.stringContaining(person.given_name) })
  } finally {
    await service.close()
  }
})

test('passport-openidconnect, which knows no PKCE', async () => {
  const service = await startPassport(ports.passport, withoutPkce)
  try {
    const { body } = await createVisitor(person.email).visit(`http://localhost:${ports.passport}/login`)
    expect(JSON.parse(body)).toMatchObject({
      emails: [{ value: person.email }],
      name: { givenName: person.given_name },
    })
  } finally {
    await service.close()
  }
})

test.skipIf(!isApacheInstalled)('mod_auth_openidc of Apache', async () => {
  const service = await startApache(ports.apache, withPkce)
  try {
    const { visit } = createVisitor(person.email)
    const arrived = await visit(`http://localhost:${ports.apache}/protected/`)
    expect([arrived.status, arrived.body, arrived.headers['x-person']]).toEqual([
      200,
      'the protected page',
      person.email,
    ])
  } finally {
    await service.close()
  }
})

// Debian's own Python has Debian's packages.
const python = '/usr/bin/python3'
const hasAuthlib = spawnSync(python, ['-c', 'import authlib, requests']).status === 0
test.skipIf(!hasAuthlib)('Authlib of Python', async () => {
  const { issuer, clientId, secret } = withPkce
  const redirectUri = `http://localhost:${ports.authlib}/callback`
  const script = join(import.meta.dirname, 'clients', 'authlib-service.py')
  const service = spawn(python, [script, issuer, clientId, secret, redirectUri])
  let errors = ''
  service.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value ?? errors)
  const ended = await createVisitor(person.email)
    .visit(await next())
    // Nothing listens there: the address is what counts.
    .catch((error: Error & { at?: URL }) => error)
  expect(ended).toHaveProperty('at')
  service.stdin.end(`${(ended as { at: URL }).at}\n`)
  expect(JSON.parse(await next())).toMatchObject({ id_token: person, userinfo: person })
  await once(service, 'close').catch(() => {})
})
