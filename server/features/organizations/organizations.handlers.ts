import type { OrganizationForm, organizations } from '#contract/organizations.ts'
import { can } from '#contract/permissions.ts'
import { inviteesFollow } from '#server/features/invitations/invitations.ts'
import type { Db } from '#server/platform/database.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { checkVersion } from '#server/platform/versioned.ts'
import {
  listOrganizationServices,
  listOwnServices,
  setOrganizationServices,
} from './organization-services.repository.ts'
import {
  findAnyMember,
  findOrganization,
  findOrganizationForUpdate,
  insertOrganization,
  listAllOrganizations,
  listOrganizations,
  removeOrganization,
  updateOrganization,
} from './organizations.repository.ts'

export const organizationsHandlers: Handlers<typeof organizations> = {
  list: async ({ db, query, config }) => listOrganizations(db, query, config.itemsPerPage),
  plainList: async ({ db, query }) => listAllOrganizations(db, query),
  read: async ({ db, params, actor }) => {
    const organizationId = params.id
    const { name, ...settings } = found(await findOrganization(db, organizationId))
    if (!can(actor, 'administerOrganization', { organizationId }))
      return {
        organizationId,
        name,
        services: await listOwnServices(db, { organizationId, accountId: actor.accountId }),
      }
    return { name, ...settings, services: await listOrganizationServices(db, organizationId) }
  },
  services: async ({ db, params, actor }) => {
    const organizationId = params.id
    found(await findOrganization(db, organizationId))
    return can(actor, 'administerOrganization', { organizationId })
      ? listOrganizationServices(db, organizationId)
      : listOwnServices(db, { organizationId, accountId: actor.accountId })
  },
  create: async ({ db, input, audit }) => {
    const { organizationId } = await insertOrganization(db, input)
    const after = await withServices(db, organizationId, input, false)
    audit({
      name: 'createOrganization',
      target: labelled(after),
      after: forAudit(after),
      organizationIds: [organizationId],
    })
    return after
  },
  update: async ({ db, input, query, audit }) => {
    const { organizationId } = input
    const settings = found(await findOrganizationForUpdate(db, organizationId))
    checkVersion(settings, input.version)
    const before = { ...settings, services: await listOrganizationServices(db, organizationId) }
    await updateOrganization(db, organizationId, input)
    const after = await withServices(db, organizationId, input, query.force === 'true')
    audit({
      name: 'updateOrganization',
      target: labelled(after),
      before: forAudit(before),
      after: forAudit(after),
      organizationIds: [organizationId],
    })
    await inviteesFollow(db, before, after, audit)
    return after
  },
  remove: async ({ db, params, query, audit }) => {
    const organizationId = params.id
    const settings = found(await findOrganizationForUpdate(db, organizationId))
    if (query.force !== 'true' && (await findAnyMember(db, organizationId)))
      throw new Problem(409, 'organizationNotEmpty')
    const before = { ...settings, services: await listOrganizationServices(db, organizationId) }
    await removeOrganization(db, organizationId)
    audit({
      name: 'deleteOrganization',
      target: labelled(before),
      before: forAudit(before),
      organizationIds: [organizationId],
    })
    return undefined
  },
}

/** Sets the services that the form names and reads the whole organisation back. */
async function withServices(db: Db, organizationId: string, form: OrganizationForm, force: boolean) {
  if (form.services) await setOrganizationServices(db, { organizationId, services: form.services, force })
  const settings = found(await findOrganization(db, organizationId))
  return { ...settings, services: await listOrganizationServices(db, organizationId) }
}

const labelled = (organization: { organizationId: string; name: string }) => ({
  id: organization.organizationId,
  label: organization.name,
})

/** Services as a person reads them: name and seats, without what changes by itself. */
function forAudit({ services, ...settings }: { services: readonly { name: string; maxNumberOfUsers?: number }[] }) {
  const seats = services.map(({ name, maxNumberOfUsers }) =>
    maxNumberOfUsers ? `${name} (${maxNumberOfUsers})` : name,
  )
  return { ...settings, services: seats.join(', ') }
}
