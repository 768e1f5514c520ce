import { defaultClockSkew } from '#contract/saml-configs/saml-bindings.ts'
import { noSamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { OpenSetup, SetupDraft } from '#contract/saml-setups/saml-setups.ts'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { describeCertificates, serviceProviderOf } from '../saml-configs/saml-configs.ts'
import type { Setup } from './saml-setups.repository.ts'

/** A link in a list. */
export const summaryOf = ({ organizationName, state, expiresAt, handedInAt }: Setup) => ({
  organizationName,
  state,
  expiresAt: expiresAt.toISOString(),
  handedInAt: handedInAt?.toISOString() ?? null,
})

/** A link with its draft. */
export const detailsOf = (setup: Setup, now: Date) => ({
  ...summaryOf(setup),
  draft: setup.draft && { ...setup.draft, certificates: describeCertificates(setup.draft.certificate, now) },
  tested: setup.tested,
  rejection: setup.rejection,
  version: setup.version,
})

/** What someone with the link sees. */
export const openSetupOf = (
  setup: Setup,
  { config, keys, now }: { config: Config; keys: Keys; now: Date },
  { received = null, choices = [] }: Partial<Pick<OpenSetup, 'received' | 'choices'>> = {},
): OpenSetup => ({
  ...detailsOf(setup, now),
  serviceProvider: serviceProviderOf({ config, keys }, setup.samlConfigId),
  received,
  choices,
})

interface Decided {
  name: string
  domain: string
  active: boolean
}

/** A draft of OpenID Connect as a configuration. */
export const oidcConfigOf = ({ url, clientId, clientKey }: SetupDraft, decided: Decided) => ({
  ...decided,
  url,
  clientId: clientId ?? '',
  clientKey,
  emailAttribute: null,
  ssnAttribute: null,
  firstNameAttribute: null,
  lastNameAttribute: null,
  // As with SAML.
  assertsNumbers: false,
})

/** The draft as a configuration: which signatures are wanted, a super user can change later. */
export const configOf = (
  { warnings: _, kind: __, clientId: ___, clientKey: ____, clientSecretSetAt: _____, ...draft }: SetupDraft,
  decided: Decided,
) => ({
  ...decided,
  ...draft,
  clockSkewSeconds: defaultClockSkew,
  cbcAllowed: false,
  wantAssertionsSigned: false,
  wantAuthnResponseSigned: false,
  encryptionEnabled: false,
  // A draft is of the customer; only a super user lets it assert numbers, afterwards.
  assertsNumbers: false,
  ...noSamlOptions,
})
