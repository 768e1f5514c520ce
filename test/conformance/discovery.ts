import { expect } from 'vitest'
import { issuer, type RelyingParty } from '../relying-party.ts'
import { modulesOf } from './module.ts'

/** The module of the Config plan. */
export const config = modulesOf<RelyingParty>({
  'oidcc-discovery-endpoint-verification': {
    demands: 'metadata with all that it must have, endpoints of this issuer, and published keys without secret parts',
    async check({ portal, call, discovery }) {
      const { headers } = await portal.browser().get('/oidc/.well-known/openid-configuration')
      expect(headers['content-type']).toMatch(/^application\/json/)
      const found = await discovery()
      expect(found).toMatchObject({
        issuer,
        response_types_supported: expect.arrayContaining(['code']),
        subject_types_supported: expect.arrayContaining(['public']),
        id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
        grant_types_supported: expect.arrayContaining(['authorization_code']),
        scopes_supported: expect.arrayContaining(['openid']),
        claims_supported: expect.arrayContaining(['sub']),
        code_challenge_methods_supported: ['S256'],
        claims_parameter_supported: true,
      })
      // In production BASE_URL must be https.
      const endpoints = Object.entries(found).filter(([name]) => /_(endpoint|uri)$/.test(name))
      expect(endpoints.length).toBeGreaterThan(5)
      for (const [, address] of endpoints) expect(address).toMatch(new RegExp(`^${issuer}/`))
      for (const key of (await call('/oidc/jwks')).body.keys) {
        expect(key).toMatchObject({ kty: expect.stringMatching(/^(RSA|EC)$/), kid: expect.any(String), use: 'sig' })
        for (const secretPart of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secretPart)
      }
    },
  },
})
