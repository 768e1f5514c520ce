import type { profile } from '#contract/profile.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { changePassword } from './change-password.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
import { keepDraft, takeDraft } from './profile-draft.ts'
import { updateProfile } from './update-profile.ts'

/** The own account. */
export const profileHandlers = (provider: MountedProvider): Handlers<typeof profile> => ({
  update: updateProfile,
  keepDraft,
  takeDraft,
  changePassword: (context) => changePassword(context, provider),
  sessions: listOwnSessions,
  endSession: (context) => endOwnSession(context, provider),
  endOtherSessions: (context) => endOtherSessions(context, provider),
})
