import { CompactSign, exportSPKI, generateKeyPair, UnsecuredJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { craftedProvider, rightClaims } from '#test/company-oidc/crafted-provider.ts'
import { checkIssuer, connectProvider, createProof, redeemAnswer } from './company-provider.ts'

const redirectUri = 'http://localhost/company-oidc/1/callback'
const outgoing = createOutgoing({ log: createLog('silent'), production: false, allow: [] })
const setting = { outgoing, production: false }
const client = { clientId: 'portal', credential: 'a-secret-of-the-company-with-32-bytes' }
const now = () => Math.floor(Date.now() / 1000)

const crafted = await craftedProvider()
const { issuer, calls, sign } = crafted
const open: (() => void)[] = [() => void outgoing.close(), crafted.close]
afterAll(() => {
  for (const close of open) close()
})

/** Asks, lets the provider answer with the claims, and redeems the answer. */
async function signIn({
  claims = {},
  query = {},
  token = sign,
}: {
  claims?: object
  query?: Record<string, string>
  token?: (claims: object) => Promise<string> | string
} = {}) {
  const provider = await connectProvider(setting, { issuer, ...client })
  const asked = { state: 'state-of-this-request', ...createProof() }
  crafted.idToken = await token({ ...rightClaims(issuer, asked.nonce), ...claims })
  const answer = new URL(redirectUri)
  answer.search = new URLSearchParams({ code: 'c', state: asked.state, iss: issuer, ...query }).toString()
  return redeemAnswer(provider, answer, asked)
}

test('an answer with everything right names the person', async () => {
  expect(await signIn()).toMatchObject({ sub: 'eva' })
})

test.each([
  ['the nonce of another request', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['another issuer', { iss: 'https://evil.example' }],
  ['another client', { aud: 'another' }],
  ['several clients, issued to another one', { aud: ['portal', 'another'], azp: 'another' }],
  ['an end that has passed', { exp: now() - 120 }],
  ['a beginning in an hour', { iat: now() + 3600 }],
  ['no beginning', { iat: undefined }],
  ['no end', { exp: undefined }],
  ['no subject', { sub: undefined }],
])('a token with %s is refused', async (_, claims) => {
  await expect(signIn({ claims })).rejects.toThrow()
})

test.each<[string, (claims: object) => Promise<string> | string]>([
  ['no signature', (claims) => new UnsecuredJWT({ ...claims }).encode()],
  ['the signature of another key', async (claims) => sign(claims, (await generateKeyPair('RS256')).privateKey)],
  [
    'an HMAC by the public key',
    async (claims) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(await exportSPKI(crafted.publicKey))),
  ],
  [
    'an HMAC by the secret',
    (claims) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(client.credential)),
  ],
])('a token with %s is refused', async (_, token) => {
  await expect(signIn({ token })).rejects.toThrow()
})

test.each([
  ['the state of another request', { state: 'another' }],
  ['the issuer of another provider', { iss: 'https://other.example' }],
  ['an error', { error: 'access_denied' }],
])('an answer with %s is refused before its code is redeemed', async (_, query) => {
  calls.length = 0
  await expect(signIn({ query })).rejects.toThrow()
  expect(calls).not.toContain('/token')
})

test('a discovery document of another issuer is refused', async () => {
  await expect(
    connectProvider(setting, { issuer: issuer.replace('127.0.0.1', 'localhost'), ...client }),
  ).rejects.toThrow()
})

test.each([
  ['all tenants', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
  ['another tenant', 'https://login.microsoftonline.com/11111111-1111-4111-8111-111111111111/v2.0'],
])('a document of Entra for %s is refused', (_, discovered) => {
  expect(() => checkIssuer('https://login.microsoftonline.com/organizations/v2.0', discovered)).toThrow()
})

test('a document whose page for sign-in is a script is refused', async () => {
  crafted.page = 'javascript:alert(1)'
  await expect(connectProvider(setting, { issuer, ...client })).rejects.toThrow('no page for sign-in')
  crafted.page = `${issuer}/auth`
})

test('production calls no address inside', async () => {
  const guarded = createOutgoing({ log: createLog('silent'), production: true, allow: [] })
  open.push(() => void guarded.close())
  calls.length = 0
  await expect(connectProvider({ outgoing: guarded, production: true }, { issuer, ...client })).rejects.toThrow()
  expect(calls).toEqual([])
})

test('a host that the operator allows is not for a provider that somebody without an account named', async () => {
  const allowing = createOutgoing({ log: createLog('silent'), production: false, allow: [new URL(issuer).host] })
  open.push(() => void allowing.close())
  calls.length = 0
  const given = { issuer, ...client }
  const own = { outgoing: allowing, production: false }
  await expect(connectProvider(own, { ...given, outsider: true })).rejects.toThrow()
  expect(calls).toEqual([])
  const provider = await connectProvider(own, given)
  expect(provider.serverMetadata().issuer).toBe(issuer)
})

test('a provider that hangs is given up', async () => {
  const short = createOutgoing({ log: createLog('silent'), production: false, allow: [], timeout: 300 })
  open.push(() => void short.close())
  const provider = await connectProvider({ outgoing: short, production: false }, { issuer, ...client })
  const asked = { state: 'state-of-this-request', ...createProof() }
  crafted.isHanging = true
  const answer = new URL(`${redirectUri}?${new URLSearchParams({ code: 'c', state: asked.state, iss: issuer })}`)
  await expect(redeemAnswer(provider, answer, asked)).rejects.toThrow()
  crafted.isHanging = false
})
