import { expect } from 'vitest'
import { issuer, type RelyingParty } from '../relying-party.ts'
import { modulesOf } from './module.ts'

/** Every member: one that is missing, new or different is a decision, and the services that read it are told. */
const members = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  jwks_uri: `${issuer}/jwks`,
  end_session_endpoint: `${issuer}/session/end`,
  introspection_endpoint: `${issuer}/token/introspection`,
  revocation_endpoint: `${issuer}/token/revocation`,
  pushed_authorization_request_endpoint: `${issuer}/request`,
  service_documentation: 'http://portal.test/docs/services.md',
  response_types_supported: ['code', 'none'],
  response_modes_supported: ['form_post', 'fragment', 'query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  subject_types_supported: ['public', 'pairwise'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'],
  code_challenge_methods_supported: ['S256'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  acr_values_supported: ['urn:vestibule:acr:one-factor', 'urn:vestibule:acr:two-factors', 'phr'],
  claim_types_supported: ['normal'],
  scopes_supported: [
    ...['openid', 'offline_access', 'directory', 'profile', 'email', 'phone', 'organizations', 'organization'],
    'personal_identity_number',
  ],
  claims_supported: [
    ...['sub', 'iss', 'sid', 'auth_time', 'amr', 'acr', 'name', 'given_name', 'family_name', 'preferred_username'],
    ...['locale', 'email', 'email_verified', 'phone_number', 'phone_number_verified', 'organizations', 'organization'],
    ...['roles', 'personal_identity_number', 'personal_identity_number_verified'],
  ],
  ui_locales_supported: ['sv', 'en', 'fi', 'fr'],
  claims_parameter_supported: true,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
}

/** Lists in the order of the alphabet: theirs says nothing. */
const sorted = (metadata: object) =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value]),
  )

/** The module of the Config plan. */
export const config = modulesOf<RelyingParty>({
  'oidcc-discovery-endpoint-verification': {
    demands: 'metadata with all that it must have, endpoints of this issuer, and published keys without secret parts',
    async check({ portal, call, discovery }) {
      const { headers } = await portal.browser().get('/oidc/.well-known/openid-configuration')
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(sorted(await discovery())).toEqual(sorted(members))
      for (const key of (await call('/oidc/jwks')).body.keys) {
        expect(key).toMatchObject({ kty: expect.stringMatching(/^(RSA|EC)$/), kid: expect.any(String), use: 'sig' })
        for (const secretPart of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
          expect(key).not.toHaveProperty(secretPart)
      }
    },
  },
})
