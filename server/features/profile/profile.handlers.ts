import { profile } from '#contract/profile.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { changePassword } from './change-password.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
import { restoreDraft, saveDraft } from './profile-draft.ts'
import { updateProfile } from './update-profile.ts'

/** The user's own account. */
export const profileHandlers = (provider: MountedProvider): Handlers<typeof profile> => ({
  update: (context) => updateProfile(context, provider),
  saveDraft,
  restoreDraft,
  changePassword: (context) => changePassword(context, provider),
  sessions: listOwnSessions,
  endSession: (context) => endOwnSession(context, provider),
  endOtherSessions: (context) => endOtherSessions(context, provider),
})

export const createCallGroups: CreateCallGroups = ({ provider }) => [callGroup(profile, profileHandlers(provider))]
