import * as z from 'zod/mini'
import { url } from './fields.ts'
import { route } from './route.ts'
import { identityProvider } from './saml-metadata.ts'

/** Where an identity provider publishes its metadata. */
export const metadataAddressForm = z.strictObject({ address: url })

export const samlMetadataAddress = {
  fetch: route('POST /api/saml-configs/fetch-metadata', {
    summary: "Reads an identity provider's SAML metadata at its address for the form; saves nothing",
    access: 'manageSamlConfigs',
    input: metadataAddressForm,
    answer: identityProvider,
    audit: 'none',
    atomic: false,
  }),
}
