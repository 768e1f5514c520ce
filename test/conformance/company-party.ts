import { newId } from '#server/platform/ids.ts'
import { craftedProvider, rightClaims } from '../company-oidc/crafted-provider.ts'
import { openSignIn } from '../sign-in.ts'
import type { TestApp } from '../test-app.ts'

const secret = 'a-secret-of-the-company-with-32-bytes'

export type CompanyParty = Awaited<ReturnType<typeof companyParty>>
type Crafted = Awaited<ReturnType<typeof craftedProvider>>

interface Answer {
  /** What the provider has, beside its own key and the token; of userinfo only what is not right. */
  provider?: Partial<Pick<Crafted, 'otherKeys' | 'userInfo'>>
  /** What its ID token says in place of what is right. */
  claims?: object
  /** How it signs. */
  token?: (claims: object, crafted: Crafted) => Promise<string> | string
}

/** A customer whose own OpenID Provider answers as it likes, and one of its people. */
export async function companyParty({ portal }: { portal: TestApp }) {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  let companies = 0

  /** Somebody signs in there, in a new browser. @returns who the portal then takes them for, and what it sent */
  async function signIn({ provider = {}, claims = {}, token = (each, { sign }) => sign(each) }: Answer) {
    const crafted = Object.assign(await craftedProvider(), provider)
    try {
      const company = await customer(`acme${++companies}.example`, crafted.issuer)
      const browser = portal.browser()
      const { page } = await openSignIn(browser)
      const begun = await browser.get(`${page}/saml?${new URLSearchParams({ email: company.email })}`)
      const asked = new URL(String(begun.headers.location))
      if (provider.userInfo) crafted.userInfo = { sub: 'eva', email: company.email, ...provider.userInfo }
      const nonce = asked.searchParams.get('nonce') ?? ''
      const right = { ...rightClaims(crafted.issuer, nonce), email: company.email }
      crafted.idToken = await token({ ...right, ...claims }, crafted)
      const state = asked.searchParams.get('state') ?? ''
      const answer = new URLSearchParams({ code: 'c', state, iss: crafted.issuer })
      const back = await browser.get(`${company.path}?${answer}`, { 'sec-fetch-site': 'cross-site' })
      await browser.follow(back)
      const me = await browser.get('/api/me')
      const trace = (await root.get(`/api/saml-configs/${company.id}/sign-ins`)).json()
      return {
        signedIn: me.statusCode === 200 && me.json().email === company.email,
        failure: trace[0]?.failure as string | null,
        asked: asked.searchParams,
        authorization: crafted.authorization,
      }
    } finally {
      crafted.close()
    }
  }

  async function customer(domain: string, issuer: string) {
    const own = { url: issuer, domain: `https://${domain}`, clientId: 'portal', clientSecret: secret }
    const { id } = (await root.post('/api/oidc-configs', { name: `Acme ${companies}`, ...own })).json()
    const organizationId = newId()
    const organization = { organizationId, name: `Acme ${companies}`, loginMethod: 'saml' as const, samlConfigId: id }
    await portal.system.db.insertInto('organizations').values(organization).execute()
    const person = await portal.person({ email: `eva@${domain}`, loginMethod: 'saml', samlConfigId: id })
    await portal.join(person.accountId, organizationId)
    const { redirectUri } = (await root.get(`/api/saml-configs/${id}`)).json().serviceProvider
    return { id, email: person.email, path: new URL(redirectUri).pathname }
  }

  return { signIn, secret }
}
