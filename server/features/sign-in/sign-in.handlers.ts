import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { signIn } from '#contract/sign-in.ts'
import { portalClientId } from '#server/oidc/clients.adapter.ts'
import { findInteraction, grantConsent, restartAddress } from '#server/oidc/interactions.ts'
import { browserOf, nameBrowser, provenReturnTo, stateFor } from '#server/oidc/login-state.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { safeReturnTo } from '#server/oidc/return-to.ts'
import { Problem } from '#server/platform/problem.ts'
import type { PublicPages } from '#server/platform/public-pages.ts'
import type { Handlers, RequestContext } from '#server/platform/request-context.ts'
import { allowFormTarget } from '#server/platform/security-headers.ts'
import { arrival } from './arrival.ts'
import { findAuthType } from './auth-type.ts'
import { findChallenge } from './challenge.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { checkPassword } from './credentials.ts'
import { giveTicket } from './ticket.ts'

/** Sign-in with a password, from the address that begins it to the one where it ends. */
export function signInHandlers(pages: PublicPages, provider: MountedProvider): Handlers<typeof signIn> {
  return {
    login: async ({ query, config, keys, http }) => {
      const browser = nameBrowser(http.request, http.reply, config)
      const request = new URLSearchParams({
        client_id: portalClientId,
        response_type: 'none',
        scope: 'openid',
        redirect_uri: `${config.baseUrl}/signed-in`,
        state: stateFor(keys, browser, safeReturnTo(query.returnTo)),
      })
      if (query.email) request.set('login_hint', query.email)
      if (query.prompt) request.set('prompt', query.prompt)
      const end = arrival({ config, keys, http }, await provider.authorize(http, request), browser)
      // Whoever is signed in already has nothing to be told.
      if (!query.error || !end.startsWith('/interaction/')) return end
      return `${end}${end.includes('?') ? '&' : '?'}${new URLSearchParams({ error: query.error })}`
    },
    signedIn: async ({ query, config, keys, http }) =>
      provenReturnTo(keys, browserOf(http.request, config), query.state),
    emailPage: async (context) => showPage(context, pages, 'sign-in'),
    passwordPage: async (context) => showPage(context, pages, 'password'),
    complete: (context) => completeSignIn(context, provider),
    authType: ({ db, keys, query }) => findAuthType(db, keys, query.email),
    verifyCredentials: async (context) => {
      const { email, password } = context.input
      const person = await checkPassword(context, { email, password, methods: ['local'] })
      if (!person) throw new Problem(401, 'invalidCredentials')
      await giveTicket(context, context.http.reply, { ...person, amr: ['pwd'] })
      return undefined
    },
  }
}

/** A step of an open interaction; one that is over, unknown or another browser's begins again. */
async function showPage(
  context: RequestContext<typeof signIn.emailPage>,
  pages: PublicPages,
  page: 'sign-in' | 'password',
): Promise<string> {
  const { db, now, config, params, query, http } = context
  const goTo = (address: string) => {
    http.reply.code(303).header('location', address)
    return ''
  }
  const interaction = await findInteraction(context, http.request, params.uid)
  if (!interaction) return goTo(await restartAddress(db, params.uid, query.email, query.error))
  if (interaction.prompt === 'consent') return goTo(await grantConsent(db, now, interaction.uid))
  const email = query.email ?? interaction.loginHint ?? ''
  if (page === 'password' && !query.email) return goTo(`/interaction/${interaction.uid}`)
  if (interaction.origin && interaction.origin !== config.baseUrl) allowFormTarget(http.reply, interaction.origin)
  const challenge = page === 'password' ? await findChallenge(db, context) : undefined
  const codeSent = challenge && challenge.email === canonical(email) ? 'yes' : ''
  return pages.render(http.request, page, { uid: interaction.uid, email, error: query.error, codeSent })
}

const canonical = (email: string) => z.safeParse(emailField, email).data
