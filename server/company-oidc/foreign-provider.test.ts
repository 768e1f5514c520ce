import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { serveProvider, signInThere } from '#test/company-oidc/foreign-provider.ts'
import { listen } from '#test/company-oidc/listen.ts'
import { askProvider, connectProvider, createProof, redeemAnswer } from './company-provider.ts'

const redirectUri = 'http://localhost/company-oidc/1/callback'
const client = { clientId: 'portal', credential: 'a-secret-of-the-company-with-32-bytes' }
const ownKeys = await generateKeyPair('RS256')

const outgoing = createOutgoing({ log: createLog('silent'), production: false, allow: [] })
const setting = { outgoing, production: false }

const open: (() => void)[] = [() => void outgoing.close()]
afterAll(() => {
  for (const close of open) close()
})
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
  open.push(at.close)
  await serveProvider(at, { redirectUri, clientSecret: client.credential, client: registered })
  const provider = await connectProvider(setting, { issuer: at.issuer, ...client, credential })
  const asked = { state: 'state-of-this-request', ...createProof() }
  const url = await askProvider(provider, { redirectUri, ...asked, email: 'eva@acme.se' })
  const answer = await signInThere(url, redirectUri, 'eva')
  expect(await redeemAnswer(provider, answer, asked)).toMatchObject({ sub: 'eva' })
  await expect(redeemAnswer(provider, answer, asked)).rejects.toThrow()
})
