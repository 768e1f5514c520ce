import type { MessageKey } from '#contract/message-key.ts'
import { metadataWarningTexts } from '#contract/saml-configs/metadata-warning-texts.ts'
import type { IdentityProvider, MetadataRead, MetadataWarning } from '#contract/saml-configs/saml-metadata.ts'
import type { openSetups } from '#contract/saml-setups/open-setups.ts'
import { type SetupDraft, samlDraft } from '#contract/saml-setups/saml-setups.ts'
import type { Config } from '#server/config.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { toNetwork } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import { MetadataRefusal } from '#server/saml/metadata-refusal.ts'
import { fetchMetadata, findTestResult, mailSuperUsers, readMetadata } from '../saml-configs/saml-configs.ts'
import { changeSetup, findSetupForUpdate, type Setup } from './saml-setups.repository.ts'
import { findByToken } from './setup-links.ts'
import { withMail } from './setup-mails.ts'
import { sealSetupSecret } from './setup-secrets.ts'
import { openSetupOf } from './show-setup.ts'

/** What someone with a link can do. Nobody is signed in, and nothing that is found out about a person is kept. */
export const openSetupsHandlers: Handlers<typeof openSetups> = {
  find: async (context) => {
    const { db, keys, now, input, audit } = context
    const setup = await findByToken(context, input.token)
    audit(eventOfUse(setup, 'opened', context.ip))
    const { samlConfigId, setupId: sessionKey } = setup
    const { ticket } = input
    const of = ticket && samlConfigId !== null && { samlConfigId, sessionKey, ticket }
    const result = of ? await findTestResult(db, keys, now, of) : undefined
    return openSetupOf(setup, context, { received: result?.found.received ?? null })
  },
  readMetadata: async (context) => takeMetadata(context, context.audit, () => readMetadata(context.input, context.now)),
  fetchMetadata: async (context) => {
    const { input, outgoing, transact } = context
    // Only for someone with a link is anything called, and what went wrong there is told without details.
    refuseDecided(await findByToken(context, input.token))
    const { now } = context
    const read = await fetchMetadata(outgoing, input, { now, outsider: true }).catch((cause: unknown) => {
      throw cause instanceof Problem && !isOfDocument(cause) ? refused('metadataNotFetched', 'address', cause) : cause
    })
    return transact((db, audit) => takeMetadata({ ...context, db }, audit, () => read, 'address'))
  },
  giveProvider: async (context) => {
    const { db, keys, now, config, input, audit, ip } = context
    const { token, clientSecret, clientKey, url, clientId } = input
    const setup = await findByToken(context, token, { lock: true })
    refuseDecided(setup)
    refuseInsecureUrls(config, { url }, ['url'])
    const secret = clientKey ? null : clientSecret
    const clientSecretSetAt = secret === null ? null : now.toISOString()
    const draft: SetupDraft = { ...nothingOfSaml, kind: 'oidc', url, clientId, clientKey, clientSecretSetAt }
    audit(eventOfUse(setup, 'provider', ip))
    const clientSecretSealed = sealSetupSecret(keys, setup.setupId, secret)
    await changeSetup(db, setup.setupId, { state: 'open', draft, clientSecretSealed, tested: null, handedInAt: null })
    return openSetupOf((await findSetupForUpdate(db, setup.setupId)) ?? setup, context)
  },
  handIn: async (context) => {
    const of = await findByToken(context, context.input.token)
    return withMail(context, of, 'draft', (mails) =>
      context.transact((db, audit) => handIn({ ...context, db }, audit, mails)),
    )
  },
}

async function handIn(
  context: RequestContext<typeof openSetups.handIn>,
  audit: RequestContext['audit'],
  mails: boolean,
) {
  const { db, input, now, outbox } = context
  const setup = await findByToken(context, input.token, { lock: true })
  refuseDecided(setup)
  if (setup.version !== input.version) throw new Problem(409, 'changedByOthers')
  const draft = givenDraft(setup)
  audit({ ...eventOf(setup, 'handInSamlSetup'), after: { entityId: draft.entityId, url: draft.url } })
  const change = { state: 'handedIn', handedInAt: now, rejection: null } as const
  await changeSetup(db, setup.setupId, change)
  const path = `/saml-configuration/setups/${setup.setupId}`
  if (mails) await mailSuperUsers(db, outbox, 'sign-in-to-check', { what: 'draft', name: setup.organizationName, path })
  return openSetupOf({ ...setup, ...change, version: setup.version + 1 }, context)
}

type Context = Pick<RequestContext<typeof openSetups.readMetadata>, 'db' | 'keys' | 'now' | 'config' | 'ip'> & {
  input: { token: string }
}

/** Makes what the metadata says the draft. */
async function takeMetadata(
  context: Context,
  audit: RequestContext['audit'],
  read: () => MetadataRead,
  field: 'metadata' | 'address' = 'metadata',
) {
  const { db, input, config } = context
  const setup = await findByToken(context, input.token, { lock: true })
  refuseDecided(setup)
  const { provider, choices } = read()
  if (!provider) return openSetupOf(setup, context, { choices })
  const draft = draftOf(config, provider, field)
  audit(eventOfUse(setup, 'metadata', context.ip))
  const change = { state: 'open', draft, clientSecretSealed: null, tested: null, handedInAt: null } as const
  await changeSetup(db, setup.setupId, change)
  return openSetupOf((await findSetupForUpdate(db, setup.setupId)) ?? setup, context)
}

/** The event of an organisation's link; its admins see it too. */
export const eventOf = <Name extends string>({ organizationId, organizationName }: Setup, name: Name) => ({
  name,
  target: { id: organizationId, label: organizationName },
  organizationIds: [organizationId],
})

export const eventOfUse = (setup: Setup, use: 'opened' | 'metadata' | 'provider' | 'test', ip: string) => ({
  ...eventOf(setup, 'useSamlSetup'),
  after: { setupUse: use, address: toNetwork(ip) },
})

const nothingOfSaml = {
  entityId: null,
  certificate: '',
  postRequests: false,
  logoutUrl: null,
  logoutResponseUrl: null,
  postLogout: false,
  requestSigningEnabled: false,
  warnings: [],
}

/** Only metadata of SAML gives these: they say nothing of another document at the address. */
const isOfDocument = ({ cause }: Problem) => cause instanceof MetadataRefusal && cause.problem !== 'metadataDoctype'

/** @returns the number of the sign-in @throws Problem where nothing can be changed about it by this link */
export function refuseDecided({ samlConfigId, state }: Setup): number {
  if (samlConfigId === null) throw new Problem(404, 'setupLinkInvalid')
  if (state !== 'open' && state !== 'handedIn') throw new Problem(409, 'setupDecided')
  return samlConfigId
}

export function givenDraft({ draft }: Setup): SetupDraft {
  if (!draft) throw new Problem(409, 'setupNoDraft')
  return draft
}

/** @throws Problem 422 where the metadata lacks what a sign-in needs, or has it in a form that could not be saved */
function draftOf(config: Config, provider: IdentityProvider, field: 'metadata' | 'address'): SetupDraft {
  if (provider.url === null) throw refused('metadataNoSignIn', field)
  if (provider.certificate === '') throw withoutCertificate(provider.warnings, field)
  const draft = samlDraft.safeParse(provider)
  if (!draft.success) throw refused('metadataNotReadable', field)
  const { url } = draft.data
  refuseInsecureUrls(config, { metadata: url, address: url }, [field])
  return { ...draft.data, kind: 'saml', clientId: null, clientKey: false, clientSecretSetAt: null }
}

/** Names the certificates that were left out, and why. */
const withoutCertificate = (warnings: readonly MetadataWarning[], path: 'metadata' | 'address') =>
  new Problem(422, 'validationFailed', {
    issues: [
      { path, message: 'metadataNoCertificate' },
      ...warnings
        .filter(({ kind }) => kind !== 'expired')
        .map(({ kind, detail }) => ({ path, message: metadataWarningTexts[kind], detail })),
    ],
  })

const refused = (message: MessageKey, path: 'metadata' | 'address', cause?: unknown) =>
  new Problem(422, 'validationFailed', { issues: [{ path, message }], cause })
