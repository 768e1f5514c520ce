import { expect } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import type { TestApp } from '#test/test-app.ts'
import { type Asked, askCompany, type Company, companyAnswer, deliver } from './company.ts'

/** The result of a sign-in. */
export interface Outcome {
  /** The address of the person who got a session. */
  signedInAs: string | undefined
  /** The status of the response to the company's form. */
  answered: number
  /** The final page: the sign-in page, or its path. */
  page: string
  /** The addresses of all people with a new event of a successful sign-in. */
  successes: (string | null)[]
  /** The reason of a refusal in the log. */
  reason: string | undefined
}

/** No one was signed in, and the browser shows an ordinary page. */
export const refused = (because: RegExp = /./) => ({
  signedInAs: undefined,
  answered: 303,
  page: 'sign-in',
  successes: [],
  reason: expect.stringMatching(because),
})
/** No one was signed in, and the browser was sent to the company with a new request. */
export const beganAgain = ({ mailDomain }: Company, because: RegExp = /./) => ({
  ...refused(because),
  page: expect.stringMatching(`^https://idp\\.${mailDomain}/sso\\?SAMLRequest=`),
})
export const signedIn = ({ email }: Person): Outcome => ({
  signedInAs: email,
  answered: 303,
  page: '/',
  successes: [email],
  reason: undefined,
})

interface Attempt {
  company: Company
  /** Creates the response that the company's page posts. */
  craft(asked: Asked): string
  browser?: Client
  relayState?: string
}

/** One browser starts a sign-in, the company sends the crafted response, and the browser follows all redirects. */
export async function attempt(portal: TestApp, { company, craft, browser, relayState }: Attempt): Promise<Outcome> {
  const client = browser ?? portal.browser()
  const asked = await askCompany(portal, client, company)
  return outcomeOf(portal, client, () => deliver(portal, company, craft(asked), relayState ?? asked.relayState))
}

/** The result of a post for this browser. */
export async function outcomeOf(
  portal: TestApp,
  browser: Client,
  post: () => ReturnType<typeof deliver>,
): Promise<Outcome> {
  const before = await lastEvent(portal)
  const logged = portal.logged.length
  const answered = await post()
  const { response, url } = await browser.follow(answered)
  const isSignInPage = response.statusCode === 200 && /^\/interaction\/[\w-]+\?/.test(url)
  const me = await browser.get('/api/me')
  return {
    signedInAs: me.statusCode === 200 ? me.json().email : undefined,
    answered: answered.statusCode,
    page: isSignInPage ? 'sign-in' : url,
    successes: await successesAfter(portal, before),
    reason: reasonIn(portal.logged.slice(logged)),
  }
}

/** An attempt with a valid response. */
export const rightAttempt = (portal: TestApp, company: Company, { email }: Person) =>
  attempt(portal, { company, craft: (asked) => companyAnswer(company, asked, { nameId: email }) })

function reasonIn(logged: TestApp['logged']): string | undefined {
  const line = logged.find(({ samlConfigId }) => samlConfigId !== undefined)
  return line && String(line.reason ?? line.msg)
}

const noId = '00000000-0000-0000-0000-000000000000'

const lastEvent = async (portal: TestApp) =>
  (await portal.system.db.selectFrom('auditEvents').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())
    ?.id ?? noId

const successesAfter = async (portal: TestApp, id: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('target')
      .where('name', '=', 'loginSuccess')
      .where('id', '>', id)
      .orderBy('id')
      .execute()
  ).map(({ target }) => target)
