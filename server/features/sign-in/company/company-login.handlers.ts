import type { companyLogin } from '#contract/sign-in/company-login.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { beginSignIn } from '../begin-sign-in.ts'
import { type Company, findCompany } from './company.repository.ts'
import { newSignInAddress } from './email-page.ts'
import { rememberRestart, wasRestarted } from './restart-at-company.ts'

type Start = RequestContext<typeof companyLogin.start>

/** Where a sign-in at one company begins, also where the company begins it itself (OpenID Connect Core, 4). */
export const companyLoginHandlers = (provider: MountedProvider): Handlers<typeof companyLogin> => ({
  start: (context) => start(context, provider),
  startPosted: async ({ params, input }) => {
    const given = Object.entries(input).filter((field): field is [string, string] => field[1] !== undefined)
    const query = new URLSearchParams(given)
    return `/login/company/${params.id}${query.size > 0 ? `?${query}` : ''}`
  },
})

/** A browser that is signed in stays so: nobody's page can change who it is. */
async function start(context: Start, provider: MountedProvider): Promise<string> {
  const { db, config, params, query, http } = context
  const company = await findCompany(db, Number(params.id))
  if (!company?.active || !isOf(company, query.iss)) return newSignInAddress('samlFailed')
  // A company that answers without being asked, whatever it is asked, would lead the browser in circles.
  if (query.restarted && wasRestarted(http.request, config)) return newSignInAddress('samlFailed')
  const returnTo = query.returnTo ?? ownPath(config.baseUrl, query.target_link_uri)
  const end = await beginSignIn(context, provider, { returnTo })
  if (!end.startsWith('/interaction/')) return end
  if (query.restarted) rememberRestart(http.reply, config)
  const [page] = end.split('?')
  const hint = query.login_hint ? { email: query.login_hint } : {}
  return `${page}/saml?${new URLSearchParams({ company: params.id, ...hint })}`
}

const isOf = ({ kind, url }: Company, iss: string | undefined) =>
  iss === undefined || (kind === 'oidc' && URL.parse(iss)?.href === URL.parse(url)?.href)

/** Only a path of our own: the rest of the check is that of every `returnTo`. */
function ownPath(baseUrl: string, address: string | undefined): string | undefined {
  const target = address === undefined ? undefined : URL.parse(address)
  return target?.origin === new URL(baseUrl).origin ? target.pathname + target.search : undefined
}
