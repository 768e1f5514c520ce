import type { launcher } from '#contract/launcher.ts'
import { found } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import {
  findAccount,
  findMembership,
  listAdminServices,
  listOrganizations,
  listServices,
} from './launcher.repository.ts'

export const launcherHandlers: Handlers<typeof launcher> = {
  organizations: async ({ db, params }) => {
    found(await findAccount(db, params.id))
    return listOrganizations(db, params.id)
  },
  adminServices: async ({ db, params }) => {
    found(await findAccount(db, params.id))
    return listAdminServices(db, params.id)
  },
  services: async ({ db, params }) => {
    found(await findMembership(db, params))
    return listServices(db, params)
  },
}
