import type { launcher } from '#contract/launcher.ts'
import { listAssignments, listMemberships } from '#server/features/users/users.ts'
import { found } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { findAccount, findMembership, listServices } from './launcher.repository.ts'

export const launcherHandlers: Handlers<typeof launcher> = {
  organizations: async ({ db, params }) => {
    found(await findAccount(db, params.id))
    return listMemberships(db, params.id)
  },
  adminServices: async ({ db, params }) => {
    found(await findAccount(db, params.id))
    const services = await listAssignments(db, params.id)
    return services.filter(({ userRole }) => userRole === 'serviceAdmin')
  },
  services: async ({ db, params }) => {
    found(await findMembership(db, params))
    return listServices(db, params)
  },
}
