import type { signOut } from '#contract/sign-in.ts'
import { cookieNames } from '#server/oidc/cookies.ts'
import { endSession } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { forgetSignOutGoal, signOutGoal } from '#server/oidc/sign-out-goal.ts'
import type { PublicPages } from '#server/platform/public-pages.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { allowFormTarget } from '#server/platform/security-headers.ts'

/** Signing out: the session with everything that hangs on it, and the services that asked to be told. */
export function signOutHandlers(pages: PublicPages, provider: MountedProvider): Handlers<typeof signOut> {
  return {
    page: async (context) => {
      const { http } = context
      const goal = signOutGoal(http.request, context)
      if (goal !== '/') allowFormTarget(http.reply, new URL(goal).origin)
      return pages.render(http.request, 'logout')
    },
    expiredPage: async ({ http }) => pages.render(http.request, 'session-expired'),
    logout: async (context) => {
      const { session, config, http, transact } = context
      if (session) {
        const services = await transact(async (db, audit) => {
          audit({ name: 'logout', target: { id: session.actor.accountId, label: session.label } })
          return endSession(db, session.key)
        })
        provider.tellServices(services)
      }
      const name = cookieNames(config).session
      const options = {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: config.baseUrl.startsWith('https:'),
      } as const
      http.reply.clearCookie(name, options).clearCookie(`${name}.sig`, options)
      const goal = signOutGoal(http.request, context)
      if (goal !== '/') forgetSignOutGoal(http.reply, config)
      return goal
    },
  }
}
