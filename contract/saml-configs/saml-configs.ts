import * as z from 'zod/mini'
import { maxInteger, message, optionalText, optionalUrl, timestamp, url, version } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { companyDomain } from './company-domain.ts'
import { samlBindingDefaults, samlBindingLabels, samlBindings, storedSamlBindings } from './saml-bindings.ts'
import { certificateState, certificateText } from './saml-certificates.ts'
import { samlConfigState } from './saml-config-state.ts'
import { chosenEntity, metadataRead, metadataText, watchedMetadata } from './saml-metadata.ts'
import { samlOptionDefaults, samlOptionLabels, samlOptions, storedSamlOptions } from './saml-options.ts'
import { forWhom, serviceProvider } from './saml-reservations.ts'

/** The path parameters of a SAML configuration: its id is a positive 32-bit integer. Anything else gives 404. */
export const samlConfigParams = z.strictObject({
  id: z.string().check(
    z.regex(/^[1-9][0-9]{0,9}$/, { abort: true }),
    z.refine((id) => Number(id) <= maxInteger),
  ),
})
const dangerous = { access: 'manageSamlConfigs', freshProof: true } as const
export const samlConfigId = z.int().check(z.minimum(1), z.maximum(maxInteger))

const fields = {
  name: requiredName(),
  /** The issuer of the identity provider's responses: at most 1024 characters (SAML Core, 8.3.6). */
  entityId: optionalText(1024),
  url,
  /** Where the identity provider takes sign-outs. */
  logoutUrl: optionalUrl,
  domain: companyDomain,
  certificate: certificateText,
  wantAssertionsSigned: z.boolean(),
  wantAuthnResponseSigned: z.boolean(),
  requestSigningEnabled: z.boolean(),
  /** Our metadata offers encryption. AD FS then encrypts with AES-CBC, which is not accepted. */
  encryptionEnabled: z.boolean(),
  ...samlBindings,
  ...samlOptions,
  /** On: a personal number that the company sends is proven. */
  assertsNumbers: z.boolean(),
  /** Off: nobody is sent to it, and it signs nobody in. */
  active: z.boolean(),
}
const entityId = z._default(z.optional(fields.entityId), null)

export const samlConfigForm = z.strictObject({
  ...fields,
  entityId,
  logoutUrl: z._default(z.optional(fields.logoutUrl), null),
  wantAssertionsSigned: z._default(z.optional(fields.wantAssertionsSigned), false),
  wantAuthnResponseSigned: z._default(z.optional(fields.wantAuthnResponseSigned), false),
  requestSigningEnabled: z._default(z.optional(fields.requestSigningEnabled), false),
  encryptionEnabled: z._default(z.optional(fields.encryptionEnabled), false),
  ...samlBindingDefaults,
  ...samlOptionDefaults,
  assertsNumbers: z._default(z.optional(fields.assertsNumbers), false),
  // On where an API client does not say; the form starts with off.
  active: z._default(z.optional(fields.active), true),
})
export type SamlConfigForm = z.infer<typeof samlConfigForm>

/** The form in the browser for a new configuration: without the issuer, any tenant of a shared provider would be accepted. */
export const newSamlConfigForm = z.extend(samlConfigForm, {
  entityId: entityId.check(z.refine((given) => given !== null, message('required'))),
})

export const samlConfigLabels: FieldLabels<SamlConfigForm> = {
  name: 'name',
  entityId: 'entityId',
  url: 'samlUrl',
  logoutUrl: 'samlLogoutUrl',
  domain: 'domain',
  certificate: 'certificate',
  wantAssertionsSigned: 'wantAssertionsSigned',
  wantAuthnResponseSigned: 'wantAuthnResponseSigned',
  requestSigningEnabled: 'requestSigningEnabled',
  encryptionEnabled: 'encryptionEnabled',
  ...samlBindingLabels,
  ...samlOptionLabels,
  assertsNumbers: 'assertsNumbers',
  active: 'samlConfigActive',
}

/** The protocol of an organisation's sign-in: SAML 2.0 or OpenID Connect. */
export const samlConfigKind = z.enum(['saml', 'oidc'])
export type SamlConfigKind = z.infer<typeof samlConfigKind>

export const samlConfig = z.object({
  id: z.int(),
  name: z.string(),
  entityId: z.nullable(z.string()),
  url: z.string(),
  logoutUrl: z.nullable(z.string()),
  domain: z.string(),
  certificate: z.string(),
  wantAssertionsSigned: z.boolean(),
  wantAuthnResponseSigned: z.boolean(),
  requestSigningEnabled: z.boolean(),
  encryptionEnabled: z.boolean(),
  ...storedSamlBindings,
  ...storedSamlOptions,
  assertsNumbers: z.boolean(),
  active: z.boolean(),
  version,
})
export type SamlConfig = z.infer<typeof samlConfig>

/** A configuration with the read-only parts of its dialog. One of OpenID Connect has its issuer as `url`, and no certificate. */
export const samlConfigDetails = z.extend(samlConfig, {
  kind: samlConfigKind,
  /** Of OpenID Connect alone, like the time of its secret. */
  clientId: z.nullable(z.string()),
  clientSecretSetAt: z.nullable(timestamp),
  clientKey: z.boolean(),
  certificates: z.array(certificateState),
  serviceProvider,
  ...samlConfigState.shape,
})
export type SamlConfigDetails = z.infer<typeof samlConfigDetails>

/** A configuration in the list. */
export const samlConfigSummary = z.extend(samlConfig, {
  kind: samlConfigKind,
  clientId: z.nullable(z.string()),
  clientSecretSetAt: z.nullable(timestamp),
  clientKey: z.boolean(),
  /** How many more mail domains count for it. */
  furtherDomains: z.int(),
  ...samlConfigState.shape,
})
export type SamlConfigSummary = z.infer<typeof samlConfigSummary>

export const samlConfigs = {
  list: route('GET /api/saml-configs', {
    summary: 'All SAML configurations',
    access: 'manageSamlConfigs',
    query: z.strictObject({
      sort: z._default(z.optional(z.enum(['name', 'domain'])), 'name'),
      sortDirection: z._default(z.optional(z.enum(['asc', 'desc'])), 'asc'),
    }),
    answer: z.array(samlConfigSummary),
  }),
  read: route('GET /api/saml-configs/{id}', {
    summary: 'One SAML configuration, its certificates, and the addresses that the identity provider needs',
    access: 'manageSamlConfigs',
    params: samlConfigParams,
    answer: samlConfigDetails,
  }),
  create: route('POST /api/saml-configs', {
    summary: 'Adds a SAML configuration; metadata names the address that is read every day from now on',
    ...dangerous,
    input: z.extend(samlConfigForm, { metadata: z.optional(watchedMetadata), ...forWhom }),
    answer: samlConfig,
    status: 201,
    audit: { one: 'createSamlConfig', andFollowing: 'updateOrganization' },
  }),
  update: route('PUT /api/saml-configs', {
    takesBack: '/api/saml-configs/{id}',
    summary: 'Changes a SAML configuration; the next sign-in uses it',
    ...dangerous,
    // A field that is left out stays: a default would drop a check of the responses.
    input: z.extend(z.partial(z.strictObject(fields)), {
      id: samlConfigId,
      version: z.optional(version),
    }),
    answer: samlConfig,
    audit: { atMost: ['updateSamlConfig'] },
  }),
  remove: route('DELETE /api/saml-configs/{id}', {
    summary: 'Deletes a SAML configuration; 409 samlConfigInUse while an organisation or a user needs it',
    ...dangerous,
    params: samlConfigParams,
    answer: 'nothing',
    audit: 'deleteSamlConfig',
  }),
  checkCertificates: route('POST /api/saml-configs/check-certificates', {
    summary: 'Describes the certificates in a text; saves nothing',
    access: 'manageSamlConfigs',
    input: z.strictObject({ certificate: certificateText }),
    answer: z.array(certificateState),
    audit: 'none',
  }),
  readMetadata: route('POST /api/saml-configs/read-metadata', {
    summary: "Reads an identity provider's SAML metadata for the form; saves nothing",
    access: 'manageSamlConfigs',
    input: z.strictObject({ metadata: metadataText, entityId: chosenEntity }),
    answer: metadataRead,
    audit: 'none',
    bodyLimit: 512 * 1024,
  }),
}
