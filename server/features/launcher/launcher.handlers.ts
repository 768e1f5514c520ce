import { launcher } from '#contract/launcher.ts'
import { listOwnInvitations } from '#server/features/invitations/invitations.ts'
import { listCurrentNotices } from '#server/features/notices/notices.ts'
import { readCurrentUser } from '#server/features/session/session.ts'
import { listAssignments, listMemberships } from '#server/features/users/users.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { launchService } from './launch.ts'
import {
  findAccount,
  findMembership,
  findOwnService,
  listLauncherServices,
  savePreference,
} from './launcher.repository.ts'
import { findMissingService, listRequestable } from './missing-services.repository.ts'

export const launcherHandlers: Handlers<typeof launcher> = {
  start: async ({ db, session, keys, now }) => {
    const { user } = session
    const own = { user: await readCurrentUser(keys, user) }
    if (user.passwordMustChange)
      return { ...own, organizations: [], services: [], requestable: [], invitations: [], notices: [] }
    return {
      ...own,
      organizations: await listMemberships(db, user.accountId),
      services: await listLauncherServices(db, user.accountId),
      requestable: await listRequestable(db, { accountId: user.accountId }),
      invitations: await listOwnInvitations(db, user.accountId, now),
      notices: await listCurrentNotices(db, user.accountId, now),
    }
  },
  organizations: async ({ db, params }) => {
    found(await findAccount(db, params.id))
    return listMemberships(db, params.id)
  },
  adminServices: async ({ db, params }) => {
    found(await findAccount(db, params.id))
    const services = await listAssignments(db, params.id)
    return services.filter(({ userRole }) => userRole === 'serviceAdmin')
  },
  services: async ({ db, params, actor }) => {
    const { accountId, organizationId } = params
    found(await findMembership(db, params))
    const services = await listLauncherServices(db, accountId, organizationId)
    // What somebody likes and uses is not for their admins.
    return accountId === actor.accountId
      ? services
      : services.map((service) => ({ ...service, favourite: false, lastUsed: null }))
  },
  requestable: async ({ db, params, actor }) =>
    listRequestable(db, { accountId: actor.accountId, organizationId: params.id }),
  missingService: async ({ db, params, actor }) =>
    found(await findMissingService(db, { accountId: actor.accountId, organizationId: params.id }, params.serviceId)),
  setFavourite: async ({ db, params, input, actor }) => {
    const own = { accountId: actor.accountId, serviceId: params.serviceId }
    found(await findOwnService(db, own))
    await savePreference(db, { ...own, favourite: input.favourite })
    return undefined
  },
  launch: launchService,
}

export const createCallGroups: CreateCallGroups = () => [callGroup(launcher, launcherHandlers)]
