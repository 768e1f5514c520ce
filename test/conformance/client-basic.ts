import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { expect } from 'vitest'
import type { CompanyParty } from './company-party.ts'
import { modulesOf } from './module.ts'

type Answer = Parameters<CompanyParty['signIn']>[0]

const accepts = (demands: string, answer: Answer = {}) => ({
  demands,
  check: async ({ signIn }: CompanyParty) =>
    expect(await signIn(answer)).toMatchObject({ signedIn: true, failure: null }),
})
const refuses = (demands: string, failure: string, answer: Answer) => ({
  demands: `nobody is signed in by ${demands}`,
  check: async ({ signIn }: CompanyParty) => expect(await signIn(answer)).toMatchObject({ signedIn: false, failure }),
})

/** The plan for relying parties: the portal at a company's OpenID Provider, which answers as the module says. */
export const clientBasic = modulesOf<CompanyParty>({
  'oidcc-client-test': accepts('a sign-in by code, with an ID token in which everything is right'),
  'oidcc-client-test-invalid-iss': refuses('an ID token of another issuer', 'issuer', {
    claims: { iss: 'https://other.example' },
  }),
  'oidcc-client-test-missing-sub': refuses('an ID token without `sub`', 'malformed', { claims: { sub: undefined } }),
  'oidcc-client-test-invalid-aud': refuses('an ID token for another client', 'audience', { claims: { aud: 'other' } }),
  'oidcc-client-test-missing-iat': refuses('an ID token without `iat`', 'malformed', { claims: { iat: undefined } }),
  'oidcc-client-test-kid-absent-single-jwks': accepts('an ID token without `kid`, where one key is published'),
  'oidcc-client-test-kid-absent-multiple-jwks': {
    demands:
      'an ID token without `kid`, where several keys are published, is refused or verified by trying; here it is refused',
    async check({ signIn }) {
      const otherKeys = [await anotherKey()]
      expect(await signIn({ provider: { otherKeys } })).toMatchObject({ signedIn: false, failure: 'signature' })
    },
  },
  'oidcc-client-test-idtoken-sig-rs256': {
    demands: 'an ID token signed with RS256, by the key of several that its `kid` names',
    async check({ signIn }) {
      const { publicKey, privateKey } = await generateKeyPair('RS256')
      const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
      const token = (claims: object) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
      expect(await signIn({ provider: { otherKeys: [key] }, token })).toMatchObject({ signedIn: true })
    },
  },
  'oidcc-client-test-idtoken-sig-none': {
    demands: 'an ID token without a signature is taken by a client that registered for it',
    notApplicable: 'the portal registers for no such thing, and refuses unsigned ID tokens',
    async check({ signIn }) {
      const token = (claims: object) => new UnsecuredJWT({ ...claims }).encode()
      expect(await signIn({ token })).toMatchObject({ signedIn: false })
    },
  },
  'oidcc-client-test-invalid-sig-rs256': refuses('an ID token whose signature is of another key', 'signature', {
    token: async (claims, { sign }) => sign(claims, (await generateKeyPair('RS256')).privateKey),
  }),
  'oidcc-client-test-userinfo-invalid-sub': refuses('userinfo of another `sub` than the ID token', 'issuer', {
    claims: { email: undefined },
    provider: { userInfo: { sub: 'mallory' } },
  }),
  'oidcc-client-test-nonce-invalid': refuses('an ID token with the nonce of another request', 'otherRequest', {
    claims: { nonce: 'other' },
  }),
  'oidcc-client-test-scope-userinfo-claims': {
    demands: 'claims are asked for by `scope`, and come from userinfo where the token has none',
    async check({ signIn }) {
      const { asked, signedIn } = await signIn({ claims: { email: undefined }, provider: { userInfo: {} } })
      expect([asked.get('scope'), signedIn]).toEqual(['openid email profile', true])
    },
  },
  'oidcc-client-test-client-secret-basic': {
    demands: 'the secret goes to the token endpoint by HTTP Basic',
    async check({ signIn, secret }) {
      const { authorization, signedIn } = await signIn({})
      const [scheme, credentials = ''] = authorization?.split(' ') ?? []
      expect([scheme, signedIn]).toEqual(['Basic', true])
      const [id, given = ''] = Buffer.from(credentials, 'base64').toString().split(':')
      expect([id, decodeURIComponent(given)]).toEqual(['portal', secret])
    },
  },
})

async function anotherKey() {
  const { publicKey } = await generateKeyPair('RS256')
  return { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' }
}
