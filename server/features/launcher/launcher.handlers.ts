import { launcher } from '#contract/launcher.ts'
import { listOwnInvitations } from '#server/features/invitations/invitations.ts'
import { readCurrentUser } from '#server/features/session/session.ts'
import { listAssignments, listMemberships } from '#server/features/users/users.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findAccount, findMembership, listServices } from './launcher.repository.ts'

export const launcherHandlers: Handlers<typeof launcher> = {
  start: async ({ db, session, keys, now }) => {
    const { user } = session
    const own = { user: await readCurrentUser(keys, user) }
    if (user.passwordMustChange) return { ...own, organizations: [], services: [], invitations: [] }
    return {
      ...own,
      organizations: await listMemberships(db, user.accountId),
      services: await listAssignments(db, user.accountId),
      invitations: await listOwnInvitations(db, user.accountId, now),
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
  services: async ({ db, params }) => {
    found(await findMembership(db, params))
    return listServices(db, params)
  },
}

export const createCallGroups: CreateCallGroups = () => [callGroup(launcher, launcherHandlers)]
