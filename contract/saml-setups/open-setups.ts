import * as z from 'zod/mini'
import { message, optionalText, requiredText, text, version } from '#contract/fields/fields.ts'
import { token } from '#contract/invitations/accept-form.ts'
import { route } from '#contract/route.ts'
import { oidcIssuer } from '#contract/saml-configs/oidc-configs.ts'
import { chosenEntity, metadataText } from '#contract/saml-configs/saml-metadata.ts'
import { metadataAddressForm } from '#contract/saml-configs/saml-metadata-address.ts'
import { openSetup } from './saml-setups.ts'

const bearer = { token }

/** What the IT gives of an OpenID Provider. */
export const setupProviderForm = z
  .strictObject({
    ...bearer,
    url: oidcIssuer,
    clientId: requiredText(500),
    clientSecret: z._default(z.optional(optionalText(2000)), null),
    clientKey: z._default(z.optional(z.boolean()), false),
  })
  .check(
    z.refine(({ clientKey, clientSecret }) => clientKey || clientSecret !== null, {
      error: message('required'),
      path: ['clientSecret'],
    }),
  )

/** What someone with a link can do, without an account. */
export const openSetups = {
  find: route('POST /api/saml-setup', {
    summary: 'What a set-up link is for',
    access: 'public',
    session: false,
    input: z.strictObject({ ...bearer, ticket: z.optional(text(100)) }),
    answer: openSetup,
    limit: 'samlSetup',
    audit: 'useSamlSetup',
  }),
  readMetadata: route('POST /api/saml-setup/metadata', {
    summary: "Reads the identity provider's SAML metadata as the draft; a submitted draft is withdrawn",
    access: 'public',
    session: false,
    input: z.strictObject({ ...bearer, metadata: metadataText, entityId: chosenEntity }),
    answer: openSetup,
    limit: 'samlSetup',
    bodyLimit: 512 * 1024,
    audit: 'useSamlSetup',
  }),
  fetchMetadata: route('POST /api/saml-setup/metadata-address', {
    summary: "Reads the identity provider's SAML metadata at its address as the draft",
    access: 'public',
    session: false,
    input: z.extend(metadataAddressForm, { ...bearer, entityId: chosenEntity }),
    answer: openSetup,
    limit: 'samlSetup',
    audit: 'useSamlSetup',
    atomic: false,
  }),
  giveProvider: route('POST /api/saml-setup/oidc', {
    summary: 'Gives an OpenID Provider as the draft: its issuer, and what it calls this portal',
    access: 'public',
    session: false,
    input: setupProviderForm,
    answer: openSetup,
    limit: 'samlSetup',
    audit: 'useSamlSetup',
  }),
  handIn: route('POST /api/saml-setup/hand-in', {
    summary: 'Hands the draft in, for a super user to approve or reject',
    access: 'public',
    session: false,
    input: z.strictObject({ ...bearer, version }),
    answer: openSetup,
    limit: 'samlSetup',
    audit: 'handInSamlSetup',
    atomic: false,
  }),
}

/** A test sign-in by someone with a link, which signs nobody in. */
export const openSetupTests = {
  begin: route('POST /api/saml-setup/test', {
    summary: 'Begins a test sign-in with the draft: the address to send the browser to',
    access: 'public',
    session: false,
    input: z.strictObject(bearer),
    answer: z.object({ url: z.string() }),
    limit: 'samlSetup',
    audit: 'useSamlSetup',
    atomic: false,
  }),
}
