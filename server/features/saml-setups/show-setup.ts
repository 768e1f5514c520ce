import { defaultClockSkew } from '#contract/saml-configs/saml-bindings.ts'
import { noSamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { OpenSetup, SetupDraft } from '#contract/saml-setups/saml-setups.ts'
import type { Config } from '#server/config.ts'
import { acsUrl, ownEntityId, sloUrl, startUrl } from '#server/saml/service-provider.ts'
import { describeCertificates } from '../saml-configs/saml-configs.ts'
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
  { config, now }: { config: Config; now: Date },
  { received = null, choices = [] }: Partial<Pick<OpenSetup, 'received' | 'choices'>> = {},
): OpenSetup => ({
  ...detailsOf(setup, now),
  serviceProvider: {
    entityId: ownEntityId(config, setup.samlConfigId),
    acsUrl: acsUrl(config, setup.samlConfigId),
    sloUrl: sloUrl(config, setup.samlConfigId),
    startUrl: startUrl(config, setup.samlConfigId),
  },
  received,
  choices,
})

/** The draft as a configuration: which signatures are wanted, a super user can change later. */
export const configOf = (
  { warnings: _, ...draft }: SetupDraft,
  decided: { name: string; domain: string; active: boolean },
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
