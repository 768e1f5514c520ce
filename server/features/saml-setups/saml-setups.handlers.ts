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
import { directorySetupsHandlers, openDirectorySetupsHandlers } from './directory-setups.handlers.ts'
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
import { inSetupHours, setupLink } from './setup-links.ts'
import { unsealSetupSecret } from './setup-secrets.ts'
import { configOf, detailsOf, oidcConfigOf, summaryOf } from './show-setup.ts'

export const samlSetupsHandlers: Handlers<typeof samlSetups> = {
  list: async ({ db, now }) =>
    (await listSetups(db, now)).map((setup) => ({
      ...summaryOf(setup),
      setupId: setup.setupId,
      organizationId: setup.organizationId,
      createdAt: setup.createdAt.toISOString(),
    })),
  create: async (context) => {
    const { db, input, now, audit } = context
    const { organizationId, directory } = input
    const name = await findOrganizationName(db, organizationId)
    if (name === undefined)
      throw new Problem(422, 'validationFailed', { issues: [{ path: 'organizationId', message: 'notFound' }] })
    const setupId = newId()
    const expiresAt = inSetupHours(now)
    await insertSetup(db, { setupId, organizationId, createdAt: now, expiresAt, signIn: true, directory })
    audit({
      name: 'createSamlSetup',
      target: { id: organizationId, label: name },
      organizationIds: [organizationId],
      after: { expiresAt, directory },
    })
    return { setupId, url: setupLink(context, setupId), expiresAt: expiresAt.toISOString() }
  },
  read: async ({ db, params, now }) => {
    const setup = found(await findSetup(db, params.id))
    const { setupId, organizationId, draft, state } = setup
    const sameIssuer = draft && state !== 'approved' ? await listSameIssuer(db, draft) : []
    return { ...detailsOf(setup, now), setupId, organizationId, sameIssuer }
  },
  revoke: async ({ db, params, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.id))
    const isOver = setup.state === 'approved' && !setup.directory
    if (isOver || setup.state === 'revoked') throw new Problem(409, 'setupDecided')
    await changeSetup(db, setup.setupId, { state: 'revoked', draft: null, clientSecretSealed: null, tested: null })
    audit(eventOf(setup, 'revokeSamlSetup'))
    return undefined
  },
  approve: async (context) => {
    const { db, params, input, audit } = context
    const setup = found(await findSetupForUpdate(db, params.id))
    const { version, sameIssuer, ...decided } = input
    checkVersion(setup, version)
    const { draft, tested, state, setupId, organizationId, samlConfigId } = setup
    if (state !== 'handedIn' || !draft) throw new Problem(409, 'setupDecided')
    if (decided.active && !tested?.passed) throw new Problem(409, 'setupNotTested')
    if (!sameIssuer && (await listSameIssuer(db, draft)).length > 0) throw new Problem(409, 'setupSameIssuer')
    await addConfig(context, setup, draft, decided)
    await changeSetup(db, setupId, { state: 'approved', rejection: null, clientSecretSealed: null })
    const attached = await attachToOrganization(db, organizationId, samlConfigId)
    const samlConfig = found(await findSamlConfig(db, samlConfigId))
    audit({ name: 'createSamlConfig', ...auditedConfig(samlConfig) })
    audit({ ...eventOf(setup, 'approveSamlSetup'), after: attached ? { samlConfigId } : {} })
    return samlConfig
  },
  reject: async ({ db, params, input, now, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.id))
    checkVersion(setup, input.version)
    if (setup.state !== 'handedIn') throw new Problem(409, 'setupDecided')
    const { reason } = input
    const expiresAt = inSetupHours(now)
    await changeSetup(db, setup.setupId, { state: 'open', handedInAt: null, rejection: reason, expiresAt })
    audit({ ...eventOf(setup, 'rejectSamlSetup'), after: { reason, expiresAt } })
    return undefined
  },
}

/** Makes the draft a configuration. @throws Problem 422 with what could not be saved */
async function addConfig(
  { db, keys, now, config }: Pick<RequestContext<typeof samlSetups.approve>, 'db' | 'keys' | 'now' | 'config'>,
  setup: Setup,
  draft: SetupDraft,
  decided: SetupApproval,
): Promise<void> {
  const { samlConfigId: id } = setup
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
