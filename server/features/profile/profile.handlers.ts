import { ownData } from '#contract/profile/own-data.ts'
import { ownRoles } from '#contract/profile/own-roles.ts'
import { profile } from '#contract/profile/profile.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { changePassword } from './change-password.ts'
import { ownDataHandlers } from './own-data/own-data.handlers.ts'
import { listPortalRoles, listRolesIn } from './own-roles.repository.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
import { updateProfile } from './update-profile.ts'

/** The user's own account. */
export const profileHandlers: Handlers<typeof profile> = {
  update: (context) => updateProfile(context),
  changePassword: (context) => changePassword(context),
  sessions: listOwnSessions,
  endSession: (context) => endOwnSession(context),
  endOtherSessions: (context) => endOtherSessions(context),
}

const ownRolesHandlers: Handlers<typeof ownRoles> = {
  read: async ({ db, actor: { accountId, organizations } }) => ({
    portal: await listPortalRoles(db, accountId),
    organizations: await listRolesIn(
      db,
      accountId,
      organizations.map(({ organizationId }) => organizationId),
    ),
  }),
}

export const createCallGroups: CreateCallGroups = () => [
  callGroup(profile, profileHandlers),
  callGroup(ownRoles, ownRolesHandlers),
  callGroup(ownData, ownDataHandlers),
]
