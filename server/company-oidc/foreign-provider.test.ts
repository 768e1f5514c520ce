import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { askProvider, connectProvider, createProof, redeemAnswer } from './company-provider.ts'

const redirectUri = 'http://localhost/company-oidc/1/callback'
const client = { clientId: 'portal', credential: 'a-secret-of-the-company-with-32-bytes' }
const keys = await generateKeyPair('RS256', { extractable: true })
const ownKeys = await generateKeyPair('RS256')

const outgoing = createOutgoing({ log: createLog('silent'), production: false, allow: [] })
const setting = { outgoing, production: false }

const open: (() => void)[] = [() => void outgoing.close()]
afterAll(() => {
  for (const close of open) close()
})
async function listen() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each([
  ['a secret', client.credential, {}],
  [
    'a key',
    ownKeys.privateKey,
    {
      client_secret: undefined,
      token_endpoint_auth_method: 'private_key_jwt' as const,
      token_endpoint_auth_signing_alg: 'RS256' as const,
      jwks: { keys: [{ ...(await exportJWK(ownKeys.publicKey)), alg: 'RS256' }] },
    },
  ],
])('a provider that we did not write signs a person in once, by %s', async (_, credential, registered) => {
  const at = await listen()
  const foreign = new Provider(at.issuer, {
    clients: [
      {
        client_id: 'portal',
        client_secret: client.credential,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        ...registered,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => true },
  })
  at.server.on('request', foreign.callback())
  const provider = await connectProvider(setting, { issuer: at.issuer, ...client, credential })
  const asked = { state: 'state-of-this-request', ...createProof() }
  const url = new URL(await askProvider(provider, { redirectUri, ...asked, email: 'eva@acme.se' }))
  const answer = await walk(url)
  expect(await redeemAnswer(provider, answer, asked)).toMatchObject({ sub: 'eva' })
  await expect(redeemAnswer(provider, answer, asked)).rejects.toThrow()
})

/** A browser that signs in as Eva on the provider's own pages. */
async function walk(url: URL): Promise<URL> {
  const jar = new Map<string, string>()
  let at = url
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
      body = new URLSearchParams({ prompt, login: 'eva', password: 'x' })
    }
  }
  throw new Error('the provider never answered')
}
