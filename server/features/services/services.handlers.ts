import { serviceIcons } from '#contract/services/service-icons.ts'
import { services } from '#contract/services/services.ts'
import { readHolders } from '#server/accounts/grants.repository.ts'
import { checkVersion, isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { serviceIconsHandlers, storedIcon } from './service-icon.ts'
import {
  countPeople,
  findService,
  findServiceForUpdate,
  insertService,
  listCategories,
  listOrganizationIds,
  listServices,
  removeService,
  setCategoryOrder,
  updateService,
} from './services.repository.ts'

export const servicesHandlers: Handlers<typeof services> = {
  list: async ({ db, query }) => listServices(db, query),
  people: async ({ db }) => countPeople(db),
  read: async ({ db, params }) => found(await findService(db, params.id)),
  create: async ({ db, input, audit, config }) => {
    refuseInsecureUrls(config, input, ['url'])
    const after = await insertService(db, { ...input, ...(await storedIcon(input.icon, null)) })
    audit({ name: 'createService', target: labelled(after), after })
    return after
  },
  update: async ({ db, input, audit, config }) => {
    const { serviceId, version, icon, ...rest } = input
    const before = found(await findServiceForUpdate(db, serviceId))
    checkVersion(before, version)
    refuseInsecureUrls(config, { url: rest.url ?? before.url }, ['url'])
    const form = { ...rest, ...(await storedIcon(icon, before.icon)) }
    if (isUnchanged<object>(before, form)) return before
    const after = await updateService(db, serviceId, form)
    const organizationIds = await listOrganizationIds(db, serviceId)
    audit({ name: 'updateService', target: labelled(after), before, after, organizationIds })
    return after
  },
  remove: async ({ db, params, query, audit }) => {
    const before = found(await findServiceForUpdate(db, params.id))
    const organizationIds = await listOrganizationIds(db, before.serviceId)
    if (organizationIds.length > 0 && query.force !== 'true') throw new Problem(409, 'serviceInUse')
    const { serviceOwners } = await readHolders(db, { serviceIds: [before.serviceId] })
    await removeService(db, before.serviceId)
    audit({
      name: 'deleteService',
      target: labelled(before),
      before: { ...before, serviceOwners },
      organizationIds,
    })
    return undefined
  },
  categories: async ({ db }) => listCategories(db),
  orderCategories: async ({ db, input, audit }) => {
    const before = await listCategories(db)
    await setCategoryOrder(db, input.categories)
    const after = await listCategories(db)
    if (before.join('\n') === after.join('\n')) return undefined
    audit({
      name: 'orderServiceCategories',
      target: { id: null, label: after.join(', ') },
      before: { categories: before.join(', ') },
      after: { categories: after.join(', ') },
      organizationIds: [],
    })
    return undefined
  },
}

const labelled = (service: { serviceId: string; name: string }) => ({ id: service.serviceId, label: service.name })

export const createCallGroups: CreateCallGroups = () => [
  callGroup(services, servicesHandlers),
  callGroup(serviceIcons, serviceIconsHandlers),
]
