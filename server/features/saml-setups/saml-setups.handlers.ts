import { setupPages } from '#contract/saml-setups/saml-setup-pages.ts'
import { openSetups, samlSetups, setupHours } from '#contract/saml-setups/saml-setups.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { auditedConfig, checkForm, findSamlConfig } from '../saml-configs/saml-configs.ts'
import { eventOf, openSetupsHandlers } from './open-setups.handlers.ts'
import {
  attachToOrganization,
  changeSetup,
  findOrganizationName,
  findSetup,
  findSetupForUpdate,
  insertReserved,
  insertSetup,
  listSameIssuer,
  listSetups,
} from './saml-setups.repository.ts'
import { setupLink } from './setup-links.ts'
import { configOf, detailsOf, summaryOf } from './show-setup.ts'

const inSetupHours = (now: Date) => new Date(now.getTime() + setupHours * 3600_000)

export const samlSetupsHandlers: Handlers<typeof samlSetups> = {
  list: async ({ db }) =>
    (await listSetups(db)).map((setup) => ({
      ...summaryOf(setup),
      setupId: setup.setupId,
      createdAt: setup.createdAt.toISOString(),
    })),
  create: async (context) => {
    const { db, input, now, audit } = context
    const { organizationId } = input
    const name = await findOrganizationName(db, organizationId)
    if (name === undefined)
      throw new Problem(422, 'validationFailed', { issues: [{ path: 'organizationId', message: 'notFound' }] })
    const setupId = newId()
    const expiresAt = inSetupHours(now)
    await insertSetup(db, { setupId, organizationId, createdAt: now, expiresAt })
    audit({
      name: 'createSamlSetup',
      target: { id: organizationId, label: name },
      organizationIds: [organizationId],
      after: { expiresAt },
    })
    return { setupId, url: setupLink(context, setupId), expiresAt: expiresAt.toISOString() }
  },
  read: async ({ db, params, now }) => {
    const setup = found(await findSetup(db, params.id))
    const { setupId, organizationId, draft, state } = setup
    const sameIssuer = draft && state !== 'approved' ? await listSameIssuer(db, draft.entityId) : []
    return { ...detailsOf(setup, now), setupId, organizationId, sameIssuer }
  },
  revoke: async ({ db, params, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.id))
    if (setup.state === 'approved' || setup.state === 'revoked') throw new Problem(409, 'setupDecided')
    await changeSetup(db, setup.setupId, { state: 'revoked', draft: null, tested: null })
    audit(eventOf(setup, 'revokeSamlSetup'))
    return undefined
  },
  approve: async ({ db, params, input, config, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.id))
    const { version, sameIssuer, ...decided } = input
    checkVersion(setup, version)
    const { draft, tested, state, setupId, organizationId, samlConfigId } = setup
    if (state !== 'handedIn' || !draft) throw new Problem(409, 'setupDecided')
    if (decided.active && !tested?.passed) throw new Problem(409, 'setupNotTested')
    if (!sameIssuer && (await listSameIssuer(db, draft.entityId)).length > 0) throw new Problem(409, 'setupSameIssuer')
    const form = configOf(draft, decided)
    checkForm(config, form)
    await insertReserved(db, samlConfigId, form)
    await changeSetup(db, setupId, { state: 'approved', rejection: null })
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

const setupPagesHandlers = (pages: PublicPages): Handlers<typeof setupPages> => ({
  open: async ({ http }) => pages.render(http.request, 'saml-setup'),
  openWithoutToken: async ({ http }) => pages.render(http.request, 'saml-setup'),
})

export const createCallGroups: CreateCallGroups = ({ pages }) => [
  callGroup(samlSetups, samlSetupsHandlers),
  callGroup(openSetups, openSetupsHandlers),
  callGroup(setupPages, setupPagesHandlers(pages)),
]
