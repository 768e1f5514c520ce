import { defaultClockSkew } from '#contract/saml-configs/saml-bindings.ts'
import { noSamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { OpenDirectory, OpenSetup, SetupDraft } from '#contract/saml-setups/saml-setups.ts'
import { maxScimTokens } from '#contract/scim/scim.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { describeCertificates, serviceProviderOf } from '../saml-configs/saml-configs.ts'
import { describeToken, listTokens, scimAddress } from '../scim/scim.ts'
import type { Setup } from './saml-setups.repository.ts'
import { connectsDirectory } from './setup-links.ts'

/** A link in a list. */
export const summaryOf = (setup: Setup, now: Date) => ({
  organizationName: setup.organizationName,
  state: setup.state,
  expiresAt: setup.expiresAt.toISOString(),
  handedInAt: setup.handedInAt?.toISOString() ?? null,
  directory: connectsDirectory(setup, now),
})

/** A link with its draft. */
export const detailsOf = (setup: Setup, now: Date) => ({
  ...summaryOf(setup, now),
  draft: setup.draft && { ...setup.draft, certificates: describeCertificates(setup.draft.certificate, now) },
  tested: setup.tested,
  rejection: setup.rejection,
  version: setup.version,
})

/** What someone with the link sees. */
export const openSetupOf = async (
  setup: Setup,
  { db, config, keys, now }: { db: Db; config: Config; keys: Keys; now: Date },
  { received = null, choices = [] }: Partial<Pick<OpenSetup, 'received' | 'choices'>> = {},
): Promise<OpenSetup> => ({
  ...detailsOf(setup, now),
  signIn: setup.signIn,
  directory: connectsDirectory(setup, now) ? await openDirectoryOf(setup, { db, config, now }) : null,
  serviceProvider: setup.samlConfigId === null ? null : serviceProviderOf({ config, keys }, setup.samlConfigId),
  received,
  choices,
})

/** The directory as someone with the link sees it: the link's own tokens, and whether there is room for another. */
export async function openDirectoryOf(
  { setupId, organizationId }: Setup,
  { db, config, now }: { db: Db; config: Config; now: Date },
): Promise<OpenDirectory> {
  const tokens = await listTokens(db, organizationId, now)
  return {
    address: scimAddress(config),
    tokens: tokens.filter((token) => token.setupId === setupId).map(describeToken),
    full: tokens.length >= maxScimTokens,
  }
}

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
