import type { services } from '#contract/services.ts'
import type { Config } from '#server/config.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { checkVersion } from '#server/platform/versioned.ts'
import {
  findService,
  findServiceForUpdate,
  insertService,
  listOrganizationIds,
  listServices,
  removeService,
  updateService,
} from './services.repository.ts'

export const servicesHandlers: Handlers<typeof services> = {
  list: async ({ db, query }) => listServices(db, query),
  read: async ({ db, params }) => found(await findService(db, params.id)),
  create: async ({ db, input, audit, config }) => {
    refuseInsecure(config, input.url)
    const after = await insertService(db, input)
    audit({ name: 'createService', target: labelled(after), after })
    return after
  },
  update: async ({ db, input, audit, config }) => {
    refuseInsecure(config, input.url)
    const before = found(await findServiceForUpdate(db, input.serviceId))
    checkVersion(before, input.version)
    const after = await updateService(db, before.serviceId, input)
    const organizationIds = await listOrganizationIds(db, before.serviceId)
    audit({ name: 'updateService', target: labelled(after), before, after, organizationIds })
    return after
  },
  remove: async ({ db, params, query, audit }) => {
    const before = found(await findServiceForUpdate(db, params.id))
    const organizationIds = await listOrganizationIds(db, before.serviceId)
    if (organizationIds.length > 0 && query.force !== 'true') throw new Problem(409, 'serviceInUse')
    await removeService(db, before.serviceId)
    audit({ name: 'deleteService', target: labelled(before), before, organizationIds })
    return undefined
  },
}

/** Where other people's data is at stake, a service is reached through https alone (security.md, By construction 18). */
function refuseInsecure({ production }: Pick<Config, 'production'>, url: string): void {
  if (production && !url.startsWith('https:'))
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'url', message: 'invalidUrl' }] })
}

const labelled = (service: { serviceId: string; name: string }) => ({ id: service.serviceId, label: service.name })
