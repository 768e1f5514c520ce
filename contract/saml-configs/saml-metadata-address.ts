import * as z from 'zod/mini'
import { limited, timestamp, url, version } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { certificateState, certificateText } from './saml-certificates.ts'
import { samlConfig, samlConfigParams } from './saml-configs.ts'
import { chosenEntity, metadataRead } from './saml-metadata.ts'

/** Where an identity provider publishes its metadata. */
export const metadataAddressForm = z.strictObject({ address: url })

/** The address that is read every day, and what it said. */
export const metadataWatch = z.object({
  /** Null: none is read. */
  address: z.nullable(z.string()),
  /** The certificates that the metadata must be signed with, as PEM; null: its signature is not checked. */
  signer: z.nullable(z.string()),
  checkedAt: z.nullable(timestamp),
  /** The key of the message why it could not be read the last time. */
  problem: z.nullable(z.string()),
  /** In the metadata, and not in the configuration: they count once a super user has confirmed them. */
  newCertificates: z.array(certificateState),
})
export type MetadataWatch = z.infer<typeof metadataWatch>

export const samlMetadataAddress = {
  fetch: route('POST /api/saml-configs/fetch-metadata', {
    summary: "Reads an identity provider's SAML metadata at its address for the form; saves nothing",
    access: 'manageSamlConfigs',
    input: z.extend(metadataAddressForm, { entityId: chosenEntity, signer: z.optional(z.nullable(certificateText)) }),
    answer: metadataRead,
    audit: 'none',
    atomic: false,
  }),
  list: route('GET /api/saml-metadata-watches', {
    summary: 'SAML configurations whose metadata has a certificate to confirm, or could not be read',
    access: 'manageSamlConfigs',
    answer: z.array(
      z.object({ id: z.int(), name: z.string(), newCertificates: z.int(), problem: z.nullable(z.string()) }),
    ),
  }),
  read: route('GET /api/saml-configs/{id}/metadata', {
    summary: 'The address of the metadata of a SAML configuration, and what it said',
    access: 'manageSamlConfigs',
    params: samlConfigParams,
    answer: metadataWatch,
  }),
  watch: route('PUT /api/saml-configs/{id}/metadata', {
    takesBack: '/api/saml-configs/{id}/metadata',
    summary: 'Sets the address whose metadata is read every day, or none',
    access: 'manageSamlConfigs',
    freshProof: true,
    params: samlConfigParams,
    input: z.strictObject({ address: z.nullable(url), signer: z.optional(z.nullable(certificateText)) }),
    answer: metadataWatch,
    audit: { atMost: ['updateSamlConfig'] },
  }),
  refresh: route('POST /api/saml-configs/{id}/metadata/refresh', {
    summary: 'Reads the metadata now; changes nothing of the configuration',
    access: 'manageSamlConfigs',
    params: samlConfigParams,
    answer: metadataWatch,
    audit: 'none',
    atomic: false,
  }),
  confirm: route('POST /api/saml-configs/{id}/metadata/confirm', {
    summary: 'Adds certificates of the metadata to the configuration, by their fingerprints, beside those that it has',
    access: 'manageSamlConfigs',
    freshProof: true,
    params: samlConfigParams,
    input: z.strictObject({
      fingerprints: z
        .array(z.string().check(z.regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)))
        .check(limited(20), z.minLength(1)),
      version,
    }),
    answer: samlConfig,
    audit: 'updateSamlConfig',
  }),
}
