import * as z from 'zod/mini'
import { message, optionalText, requiredText, text, timestamp, url, version } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { companyDomain } from './company-domain.ts'
import { samlConfigId, samlConfigKind, samlConfigParams } from './saml-configs.ts'
import { claimNames } from './saml-options.ts'
import { forWhom } from './saml-reservations.ts'

const wellKnown = /\/\.well-known\/openid-configuration\/?$/

/** The issuer as its discovery document names it; the address of that document itself will do. */
export const oidcIssuer = url.check(
  z.overwrite((typed) => typed.replace(wellKnown, '')),
  z.refine((typed) => !/[?#]/.test(typed), message('invalidUrl')),
)

const fields = {
  name: requiredName(),
  domain: companyDomain,
  /** The issuer. */
  url: oidcIssuer,
  clientId: requiredText(500),
  /** Write-only. */
  clientSecret: optionalText(2000),
  /** The portal proves who it is by its key (private_key_jwt), without a secret. */
  clientKey: z.boolean(),
  /** The names of claims, as with SAML those of attributes. */
  ...claimNames.fields,
  /** On: a personal number that the company sends is proven. */
  assertsNumbers: z.boolean(),
  /** Off: nobody is sent to it, and it signs nobody in. */
  active: z.boolean(),
}

/** The form for a configuration that exists: without a secret, the present one stays. */
export const oidcConfigForm = z.strictObject({
  ...fields,
  clientSecret: z._default(z.optional(fields.clientSecret), null),
  clientKey: z._default(z.optional(fields.clientKey), false),
  ...claimNames.defaults,
  assertsNumbers: z._default(z.optional(fields.assertsNumbers), false),
  // On where an API client does not say; the form starts with off.
  active: z._default(z.optional(fields.active), true),
})
export type OidcConfigForm = z.infer<typeof oidcConfigForm>

const newOidcConfigForm = z.extend(oidcConfigForm, forWhom).check(
  z.refine(({ clientKey, clientSecret }) => clientKey || clientSecret !== null, {
    error: message('required'),
    path: ['clientSecret'],
  }),
)

/** The form for a new configuration with a secret: a missing secret is reported together with the other errors. */
export const oidcConfigFormBySecret = z.extend(oidcConfigForm, {
  clientSecret: fields.clientSecret.check(z.refine((given) => given !== null, message('required'))),
})

export const oidcConfigLabels: FieldLabels<OidcConfigForm> = {
  name: 'name',
  url: 'issuer',
  domain: 'domain',
  clientId: 'clientId',
  clientSecret: 'clientSecret',
  clientKey: 'clientKey',
  ...claimNames.labels,
  assertsNumbers: 'assertsNumbers',
  active: 'samlConfigActive',
}

/** A configuration of OpenID Connect. */
const oidcConfig = z.object({
  id: z.int(),
  kind: samlConfigKind,
  name: z.string(),
  /** The issuer. */
  url: z.string(),
  domain: z.string(),
  clientId: z.nullable(z.string()),
  clientSecretSetAt: z.nullable(timestamp),
  clientKey: z.boolean(),
  ...claimNames.stored,
  assertsNumbers: z.boolean(),
  active: z.boolean(),
  version,
})

/** Sign-in of an organisation by OpenID Connect. `/api/saml-configs` lists, reads and deletes these too. */
export const oidcConfigs = {
  create: route('POST /api/oidc-configs', {
    summary: 'Adds a configuration of OpenID Connect; url is the issuer',
    access: 'manageSamlConfigs',
    freshProof: true,
    input: newOidcConfigForm,
    answer: oidcConfig,
    status: 201,
    audit: { one: 'createSamlConfig', andFollowing: 'updateOrganization' },
  }),
  update: route('PUT /api/oidc-configs', {
    takesBack: '/api/saml-configs/{id}',
    summary: 'Changes a configuration of OpenID Connect; without a secret the present one stays',
    access: 'manageSamlConfigs',
    freshProof: true,
    input: z.extend(z.partial(z.strictObject(fields)), { id: samlConfigId, version: z.optional(version) }),
    answer: oidcConfig,
    // A request that changes nothing is not audited.
    audit: { atMost: ['updateSamlConfig'] },
  }),
}

/** A sign-in at an OpenID Provider that signs nobody in. `samlTests` reads its result. */
export const oidcTests = {
  begin: route('POST /api/oidc-configs/test', {
    summary: 'Begins a test sign-in with these values, saved or not: the address to send the browser to; saves nothing',
    access: 'manageSamlConfigs',
    input: z.extend(oidcConfigForm, { id: samlConfigId }),
    answer: z.object({ url: z.string() }),
    audit: 'none',
    atomic: false,
  }),
}

// Other sites redirect browsers here: ignore invalid values and show the error on the sign-in page.
const ifReadable = (max: number) => z.catch(z.optional(text(max)), undefined)

const jwk = z.object({
  ...{ kty: z.literal('RSA'), alg: z.literal('RS256'), use: z.literal('sig') },
  ...{ kid: z.string(), n: z.string(), e: z.string(), x5c: z.array(z.string()) },
})

/** Where a company's OpenID Provider sends the browser back to. */
export const companyOidc = {
  jwks: route('GET /company-oidc/jwks', {
    summary: "The public keys by which the portal proves who it is at companies' OpenID Providers (JWKS)",
    access: 'public',
    session: false,
    answer: z.object({ keys: z.array(jwk) }),
  }),
  callback: route('GET /company-oidc/{id}/callback', {
    summary: "Takes the answer of a company's OpenID Provider; redeems its code",
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    session: false,
    params: samlConfigParams,
    query: z.object({
      code: ifReadable(8000),
      state: ifReadable(80),
      iss: ifReadable(2000),
      error: ifReadable(100),
    }),
    answer: 'redirect',
    audit: {
      atMost: ['loginFailure', 'createUser'],
      // What an account at the address was that nobody had proven.
      andFollowing: ['applyGroupRules', 'deleteUser', 'inviteUser'],
    },
    atomic: false,
  }),
}
