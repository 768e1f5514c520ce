import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type CryptoKey as Key, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClient } from '#contract/service-clients/client-form.ts'
import { registerClient } from '#server/oidc/clients/service-clients.ts'
import type { Client } from '#test/client.ts'
import { callback } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal.close())

test('a web app with a key of its own signs somebody in, and another key gets nothing', async () => {
  const [own, other] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }] })
  const { serviceId } = await portal.service()
  const saved = await root.put(`/api/services/${serviceId}/client`, {
    kind: 'web',
    authentication: 'private_key_jwt',
    redirectUris: [callback],
    jwks,
  })
  expect(saved.json()).toMatchObject({ newSecret: null, secret: null })
  const { clientId, issuer } = saved.json()
  const person = await portal.person()
  const { organizationId } = await portal.organization()
  await portal.offer(organizationId, serviceId)
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  const browser = await portal.signedIn(person)

  // The provider compares these times with the machine's.
  const assertion = (key: Key) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: 'own' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setJti(randomBytes(16).toString('hex'))
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key)
  const exchange = async (key: Key) => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const { headers } = await browser.get(`/oidc/auth?${query}`, { accept: 'text/html' })
    const answer = await portal.browser().submit(
      '/oidc/token',
      {
        grant_type: 'authorization_code',
        code: new URL(String(headers.location)).searchParams.get('code') ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await assertion(key),
      },
      { accept: 'application/json' },
    )
    return [answer.statusCode, answer.json()]
  }
  expect(await exchange(own.privateKey)).toEqual([200, expect.objectContaining({ id_token: expect.any(String) })])
  expect(await exchange(other.privateKey)).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
})

describe('an address without https', () => {
  const register = async (redirectUri: string, production: boolean, kind: 'web' | 'native' = 'web') => {
    const { system } = portal
    const { serviceId } = await portal.service()
    const authentication = kind === 'web' ? newClient.authentication : ('none' as const)
    const form = { ...newClient, kind, authentication, redirectUris: [redirectUri] }
    const config = { ...system.config, production }
    return system.db
      .transaction()
      .execute((db) => registerClient({ ...system, config }, db, { serviceId, form }))
      .then(
        () => 'registered',
        (problem) => problem.issues,
      )
  }
  const insecure = [{ path: 'redirectUris', message: 'clientAddressInsecure' }]

  test('is refused in production, on the same machine, too', async () => {
    expect(await register('http://journal.example/callback', true)).toEqual(insecure)
    expect(await register('http://localhost:4000/callback', true)).toEqual(insecure)
    expect(await register('https://journal.example/callback', true)).toBe('registered')
    // An app on the person's own machine has no other.
    expect(await register('http://127.0.0.1/callback', true, 'native')).toBe('registered')
  })

  test('is for the same machine elsewhere', async () => {
    expect(await register('http://localhost:4000/callback', false)).toBe('registered')
    expect(await register('http://journal.example/callback', false)).toEqual(insecure)
  })
})
