import type { signOut } from '#contract/sign-in/sign-in.ts'
import { cookieNames } from '#server/oidc/cookies.ts'
import { askAgain } from '#server/oidc/logout/ask-again.ts'
import { listFrames } from '#server/oidc/logout/frames.ts'
import { readSignOut, rememberSignOut } from '#server/oidc/logout/remembered-sign-out.ts'
import { listToldServices } from '#server/oidc/logout/told-services.ts'
import { clearLogoutRedirect, readLogoutRedirect } from '#server/oidc/logout-redirect.ts'
import { signOutSession } from '#server/oidc/sign-out.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { allowFormTarget, allowFrames, formTargetOf } from '#server/platform/http/security-headers.ts'
import { continueAtCompany, prepareCompanySignOut } from '../saml-sign-out/saml-sign-out.ts'

/** True for a link on our own pages or a typed address. A request from another site must be confirmed by the user. */
const isUserInitiated = (site: string | string[] | undefined) => site === 'same-origin' || site === 'none'

/** Seconds for the frames of services to load before the browser goes on. */
const frameSeconds = 3

/** Signs out: ends the session with its tokens, and queues what its services are told. */
export function signOutHandlers(pages: PublicPages): Handlers<typeof signOut> {
  return {
    page: async (context) => {
      const { http } = context
      const { address } = readLogoutRedirect(http.request, context)
      if (address !== '/') allowFormTarget(http.reply, formTargetOf(address) ?? '')
      return pages.render(http.request, 'logout', {
        ask: isUserInitiated(http.request.headers['sec-fetch-site']) ? '' : 'yes',
      })
    },
    expiredPage: async ({ http }) => pages.render(http.request, 'session-expired'),
    logout: async (context) => {
      const { db, now, session, config, http } = context
      const goal = readLogoutRedirect(http.request, context)
      const onward = goal.address === '/' ? undefined : goal.address
      const company = session && (await prepareCompanySignOut(db, now, session.key, onward ?? '/signed-out'))
      const signOut = session && (await signOutSession(context, session, goal.client))
      if (session) askAgain(http.reply, config)
      const hasFrames = (await listFrames(db, config, signOut)).length > 0
      const remembered = signOut && { id: signOut, onward: hasFrames && !company ? onward : undefined }
      if (remembered) rememberSignOut(http.reply, context, remembered)
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
      return hasFrames || (signOut && !onward) ? '/signed-out' : goal.address
    },
    signedOutPage: async (context) => {
      const { http, query } = context
      const signOut = readSignOut(http.request, context)
      const frames = await listFrames(context.db, context.config, signOut?.id)
      allowFrames(
        http.reply,
        frames.map(({ address }) => new URL(address).origin),
      )
      const onward = query.company ? await continueAtCompany(context, query.company) : signOut?.onward
      // Not a redirect: the form that signed out may lead nowhere but here, and the frames need the page.
      if (onward) http.reply.header('refresh', `${frames.length > 0 ? frameSeconds : 0};url=${onward}`)
      return pages.render(http.request, 'signed-out')
    },
    toldServices: async ({ db, config, keys, http }) => {
      const signOut = readSignOut(http.request, { config, keys })
      if (!signOut) return { services: [], onward: null }
      const frames = new Map((await listFrames(db, config, signOut.id)).map((one) => [one.clientId, one.address]))
      const services = await listToldServices(db, signOut.id)
      return {
        services: services.map(({ clientId, ...rest }) => ({ ...rest, frame: frames.get(clientId) ?? null })),
        onward: signOut.onward ?? null,
      }
    },
  }
}
