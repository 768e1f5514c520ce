import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { oneStepMethods } from '#contract/login-methods.ts'
import { companyOidc, oidcTests } from '#contract/saml-configs/oidc-configs.ts'
import { samlTests } from '#contract/saml-configs/saml-tests.ts'
import { openSetupTests } from '#contract/saml-setups/open-setups.ts'
import { bankid } from '#contract/sign-in/bankid.ts'
import { companyLogin } from '#contract/sign-in/company-login.ts'
import { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts'
import { saml } from '#contract/sign-in/saml.ts'
import { secondFactor } from '#contract/sign-in/second-factor.ts'
import { signIn } from '#contract/sign-in/sign-in.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { createProviders } from '#server/company-oidc/known-providers.ts'
import { findChallenge } from '#server/credentials/challenge.ts'
import { withPassword } from '#server/credentials/credentials.ts'
import { signInChallenge } from '#server/credentials/passkeys/challenges.ts'
import { issueTicket } from '#server/credentials/ticket.ts'
import { readShownBrand } from '#server/features/brands/brands.ts'
import { findServiceName } from '#server/oidc/clients.adapter.ts'
import { findInteraction, grantConsent } from '#server/oidc/interactions.ts'
import { readBrowserId, verifyReturnTo } from '#server/oidc/login-state.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { allowFormTarget } from '#server/platform/http/security-headers.ts'
import { askerKey } from '#server/platform/limits/known-browsers.ts'
import { Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findAuthType } from './auth-type.repository.ts'
import { bankidHandlers } from './bankid/bankid.handlers.ts'
import { beginSignIn } from './begin-sign-in.ts'
import { companyLoginHandlers } from './company/company-login.handlers.ts'
import { companyOidcHandlers } from './company-oidc/company-oidc.handlers.ts'
import { oidcTestHandlers } from './company-test/oidc-test.handlers.ts'
import { samlTestHandlers } from './company-test/saml-test.handlers.ts'
import { setupTestHandlers } from './company-test/setup-test.handlers.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { enterByInvitation } from './enter-by-invitation.ts'
import { passkeySignInHandlers } from './passkey/passkey-sign-in.handlers.ts'
import { samlHandlers } from './saml/saml.handlers.ts'
import { secondFactorHandlers } from './second-factor.handlers.ts'

/** Sign-in with a password. */
export function signInHandlers(pages: PublicPages, provider: MountedProvider): Handlers<typeof signIn> {
  return {
    login: async (context) => {
      const { query, config, http } = context
      // Otherwise it would be led in circles, and leave a sign-in at every turn.
      if (query.cookies && readBrowserId(http.request, config) === undefined) throw new Problem(400, 'cookiesNeeded')
      const { returnTo, email: loginHint, method, org } = query
      // Somebody else may be signed in here.
      const prompt = method === 'invitation' ? 'login' : query.prompt
      const end = await beginSignIn(context, provider, { returnTo, loginHint, prompt, org })
      if (method && query.email && end.startsWith('/interaction/')) {
        const [page = end] = end.split('?')
        if (method === 'invitation') return enterByInvitation(context, page, query.email)
        return `${page}/login?${new URLSearchParams({ email: query.email, method })}`
      }
      // A person who is already signed in does not see the error.
      if (!query.error || !end.startsWith('/interaction/')) return end
      return `${end}${end.includes('?') ? '&' : '?'}${new URLSearchParams({ error: query.error })}`
    },
    signedIn: async ({ query, config, keys, http }) =>
      verifyReturnTo(keys, readBrowserId(http.request, config), query.state),
    emailPage: async (context) => showPage(context, pages, 'sign-in'),
    passwordPage: async (context) => showPage(context, pages, 'password'),
    complete: (context) => completeSignIn(context),
    authType: async (context) => {
      const { db, keys, query, limits, now } = context
      await limits.take(db, [{ name: 'authType', key: askerKey(context, query.email) }], now)
      return findAuthType(db, keys, query.email)
    },
    verifyCredentials: async (context) => {
      const { email, password, uid } = context.input
      const done = await withPassword(context, { email, password, methods: oneStepMethods, uid }, async (right) => {
        if (right.person.choseTwoSteps) throw new Problem(403, 'secondStepNeeded')
        await issueTicket(
          context,
          context.http.reply,
          { ...right.person, amr: signInMethods.password.amr },
          right.counted,
        )
        return true
      })
      if (!done) throw new Problem(401, 'invalidCredentials')
      return undefined
    },
  }
}

/** Renders a step of an open interaction. One that is over, unknown or belongs to another browser starts again. */
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
  if (!interaction) return goTo(await restartSignIn(context, params.uid, query.email, query.error))
  if (interaction.prompt === 'consent') return goTo(await grantConsent(db, now, interaction.uid))
  const email = query.email ?? interaction.loginHint ?? ''
  if (page === 'password' && !query.email) return goTo(`/interaction/${interaction.uid}`)
  if (interaction.origin && interaction.origin !== config.baseUrl) allowFormTarget(http.reply, interaction.origin)
  const challenge = page === 'password' ? await findChallenge(db, context) : undefined
  const codeSent = challenge && challenge.email === canonical(email) ? 'yes' : ''
  const service = await findServiceName(db, interaction.clientId)
  return pages.render(http.request, page, {
    uid: interaction.uid,
    email,
    error: query.error,
    ...(query.error && query.reference && { reference: query.reference }),
    codeSent,
    ...(page === 'sign-in' && {
      passkeyChallenge: signInChallenge(context.keys, interaction.uid),
      passkeyRpId: config.passkeyRpId,
    }),
    uiLocales: interaction.uiLocales,
    ...(service && { signInTo: service }),
    ...(await readShownBrand(db, interaction)),
  })
}

const canonical = (email: string) => z.safeParse(emailField, email).data

export const createCallGroups: CreateCallGroups = ({ system, pages, provider, bankIdClient, phoneApp }) => {
  const { outgoing, config } = system
  const companyProviders = createProviders({ outgoing, production: config.production })
  return [
    callGroup(signIn, signInHandlers(pages, provider)),
    callGroup(secondFactor, secondFactorHandlers({ hasBankId: bankIdClient !== undefined })),
    callGroup(bankid, bankidHandlers({ client: bankIdClient, phoneApp: phoneApp?.path ?? null })),
    callGroup(passkeySignIn, passkeySignInHandlers),
    callGroup(saml, samlHandlers(companyProviders, pages)),
    callGroup(companyLogin, companyLoginHandlers(provider)),
    callGroup(companyOidc, companyOidcHandlers(companyProviders)),
    callGroup(samlTests, samlTestHandlers),
    callGroup(oidcTests, oidcTestHandlers(companyProviders)),
    callGroup(openSetupTests, setupTestHandlers(companyProviders)),
  ]
}
