import { directorySetups, openDirectorySetups } from '#contract/saml-setups/directory-setups.ts'
import { openSetups } from '#contract/saml-setups/open-setups.ts'
import { setupPages } from '#contract/saml-setups/saml-setup-pages.ts'
import { type SetupApproval, type SetupDraft, samlSetups } from '#contract/saml-setups/saml-setups.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  attachToOrganization,
  auditedConfig,
  checkForm,
  findSamlConfig,
  insertConfig,
  insertOidcConfig,
} from '../saml-configs/saml-configs.ts'
import { directorySetupsHandlers, endDirectory, openDirectorySetupsHandlers } from './directory-setups.handlers.ts'
import { eventOf, openSetupsHandlers } from './open-setups.handlers.ts'
import {
  changeSetup,
  findOrganizationName,
  findSetup,
  findSetupForUpdate,
  insertSetup,
  listSameIssuer,
  listSetups,
  type Setup,
} from './saml-setups.repository.ts'
import { connectsDirectory, directoryUntil, inSetupHours, setupLink } from './setup-links.ts'
import { unsealSetupSecret } from './setup-secrets.ts'
import { configOf, detailsOf, oidcConfigOf, summaryOf } from './show-setup.ts'

export const samlSetupsHandlers: Handlers<typeof samlSetups> = {
  list: async ({ db, now }) =>
    (await listSetups(db, now)).map((setup) => ({
      ...summaryOf(setup, now),
      setupId: setup.setupId,
      organizationId: setup.organizationId,
      createdAt: setup.createdAt.toISOString(),
    })),
  create: async (context) => {
    const { db, input, now, audit, actor } = context
    const { organizationId, directory } = input
    const name = await findOrganizationName(db, organizationId)
    if (name === undefined)
      throw new Problem(422, 'validationFailed', { issues: [{ path: 'organizationId', message: 'notFound' }] })
    const setupId = newId()
    const expiresAt = inSetupHours(now)
    const madeBy = actor.accountId
    await insertSetup(db, { setupId, organizationId, createdAt: now, expiresAt, signIn: true, directory, madeBy })
    audit({
      name: 'createSamlSetup',
      target: { id: organizationId, label: name },
      organizationIds: [organizationId],
      after: { setupId, expiresAt, directory },
    })
    return { setupId, url: setupLink(context, setupId), expiresAt: expiresAt.toISOString() }
  },
  read: async ({ db, params, now }) => {
    const setup = found(await findSetup(db, params.id))
    const { setupId, organizationId, draft, state } = setup
    const sameIssuer = draft && state !== 'approved' ? await listSameIssuer(db, draft) : []
    return { ...detailsOf(setup, now), setupId, organizationId, sameIssuer }
  },
  revoke: async ({ db, params, now, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.id))
    const { setupId, state } = setup
    if (state === 'revoked' || (state === 'approved' && !connectsDirectory(setup, now)))
      throw new Problem(409, 'setupDecided')
    // The approved sign-in stays: it is a configuration of its own.
    if (state === 'approved') return endDirectory({ db, audit }, setup)
    await changeSetup(db, setupId, { state: 'revoked', draft: null, clientSecretSealed: null, tested: null })
    audit({ ...eventOf(setup, 'revokeSamlSetup'), after: { setupId } })
    return undefined
  },
  approve: async (context) => {
    const { db, params, input, audit } = context
    const setup = found(await findSetupForUpdate(db, params.id))
    const { version, sameIssuer, ...decided } = input
    checkVersion(setup, version)
    const { draft, tested, state, setupId, organizationId, samlConfigId } = setup
    if (state !== 'handedIn' || !draft || samlConfigId === null) throw new Problem(409, 'setupDecided')
    if (decided.active && !tested?.passed) throw new Problem(409, 'setupNotTested')
    if (!sameIssuer && (await listSameIssuer(db, draft)).length > 0) throw new Problem(409, 'setupSameIssuer')
    await addConfig(context, setup, { id: samlConfigId, draft, decided })
    // What is left of the link is the directory.
    const expiresAt = setup.directory ? directoryUntil(setup) : setup.expiresAt
    await changeSetup(db, setupId, { state: 'approved', rejection: null, clientSecretSealed: null, expiresAt })
    const attached = await attachToOrganization(db, organizationId, samlConfigId)
    const samlConfig = found(await findSamlConfig(db, samlConfigId))
    audit({ name: 'createSamlConfig', ...auditedConfig(samlConfig) })
    audit({ ...eventOf(setup, 'approveSamlSetup'), after: attached ? { samlConfigId } : {} })
    return samlConfig
  },
  reject: async ({ db, params, input, now, audit, actor }) => {
    const setup = found(await findSetupForUpdate(db, params.id))
    checkVersion(setup, input.version)
    if (setup.state !== 'handedIn') throw new Problem(409, 'setupDecided')
    const { reason } = input
    const expiresAt = inSetupHours(now)
    // The link is the rejecter's from here on, but they were not asked about the directory.
    const of = { madeBy: actor.accountId, directory: connectsDirectory(setup, now) }
    await changeSetup(db, setup.setupId, { ...of, state: 'open', handedInAt: null, rejection: reason, expiresAt })
    audit({ ...eventOf(setup, 'rejectSamlSetup'), after: { reason, expiresAt } })
    return undefined
  },
}

/** Makes the draft a configuration. @throws Problem 422 with what could not be saved */
async function addConfig(
  { db, keys, now, config }: Pick<RequestContext<typeof samlSetups.approve>, 'db' | 'keys' | 'now' | 'config'>,
  setup: Setup,
  { id, draft, decided }: { id: number; draft: SetupDraft; decided: SetupApproval },
): Promise<void> {
  if (draft.kind === 'oidc') {
    const columns = oidcConfigOf(draft, decided)
    refuseInsecureUrls(config, columns, ['url', 'domain'])
    await insertOidcConfig(db, keys, now, { id, columns, secret: await unsealSetupSecret(keys, setup) })
    return
  }
  const form = configOf(draft, decided)
  checkForm(config, form)
  await insertConfig(db, id, form)
}

const setupPagesHandlers = (pages: PublicPages): Handlers<typeof setupPages> => ({
  open: async ({ http }) => pages.render(http.request, 'saml-setup'),
  openWithoutToken: async ({ http }) => pages.render(http.request, 'saml-setup'),
})

export const createCallGroups: CreateCallGroups = ({ pages }) => [
  callGroup(samlSetups, samlSetupsHandlers),
  callGroup(openSetups, openSetupsHandlers),
  callGroup(directorySetups, directorySetupsHandlers),
  callGroup(openDirectorySetups, openDirectorySetupsHandlers),
  callGroup(setupPages, setupPagesHandlers(pages)),
]
