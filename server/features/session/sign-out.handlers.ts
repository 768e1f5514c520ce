import type { signOut } from '#contract/sign-in.ts'
import { cookieNames } from '#server/oidc/cookies.ts'
import { askAgain } from '#server/oidc/logout/ask-again.ts'
import { readSignOut, rememberSignOut } from '#server/oidc/logout/remembered-sign-out.ts'
import { listToldServices } from '#server/oidc/logout/told-services.ts'
import { clearLogoutRedirect, readLogoutRedirect } from '#server/oidc/logout-redirect.ts'
import { signOutSession } from '#server/oidc/sign-out.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { allowFormTarget, formTargetOf } from '#server/platform/http/security-headers.ts'
import { continueAtCompany, prepareCompanySignOut } from '../saml-sign-out/saml-sign-out.ts'

/** True for a link on our own pages or a typed address. A request from another site must be confirmed by the user. */
const isUserInitiated = (site: string | string[] | undefined) => site === 'same-origin' || site === 'none'

/** Signs out: ends the session with its tokens, and queues what its services are told. */
export function signOutHandlers(pages: PublicPages): Handlers<typeof signOut> {
  return {
    page: async (context) => {
      const { http } = context
      const { address, confirmed } = readLogoutRedirect(http.request, context)
      if (address !== '/') allowFormTarget(http.reply, formTargetOf(address) ?? '')
      return pages.render(http.request, 'logout', {
        ask: confirmed || isUserInitiated(http.request.headers['sec-fetch-site']) ? '' : 'yes',
      })
    },
    expiredPage: async ({ http }) => pages.render(http.request, 'session-expired'),
    logout: async (context) => {
      const { db, now, session, config, http } = context
      const goal = readLogoutRedirect(http.request, context)
      const onward = goal.address === '/' ? '/signed-out' : goal.address
      const company = session && (await prepareCompanySignOut(db, now, session.key, onward))
      const signOut = session && (await signOutSession(context, session, goal.client))
      if (session) askAgain(http.reply, config)
      if (signOut) rememberSignOut(http.reply, context, signOut)
      const name = cookieNames(config).session
      const options = {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: config.baseUrl.startsWith('https:'),
      } as const
      http.reply.clearCookie(name, options).clearCookie(`${name}.sig`, options)
      if (goal.begun) clearLogoutRedirect(http.reply, config)
      if (company) return `/signed-out?${new URLSearchParams({ company })}`
      return goal.address === '/' && signOut ? '/signed-out' : goal.address
    },
    signedOutPage: async (context) => {
      const { http, query } = context
      const company = query.company && (await continueAtCompany(context, query.company))
      // Not a redirect: the form that signed out may lead nowhere but here.
      if (company) http.reply.header('refresh', `0;url=${company}`)
      return pages.render(http.request, 'signed-out')
    },
    toldServices: async (context) => {
      const signOut = readSignOut(context.http.request, context)
      return { services: signOut ? await listToldServices(context.db, signOut) : [] }
    },
  }
}
