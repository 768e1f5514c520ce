import { expect } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import type { TestApp } from '#test/test-app.ts'
import { type Asked, askCompany, type Company, companyAnswer, deliver } from './company.ts'

/** How a sign-in went. */
export interface Outcome {
  /** The address of the one whose session came. */
  signedInAs: string | undefined
  /** What the post from the company's page was answered. */
  answered: number
  /** Where the browser stands in the end: on the sign-in page, or its path. */
  page: string
  /** Addresses of everybody who has a new event of a successful sign-in. */
  successes: (string | null)[]
  /** Why nobody was signed in, as the log has it. */
  reason: string | undefined
}

/** Nobody came in, and the browser stands on an ordinary page. */
export const refused = (because: RegExp = /./) => ({
  signedInAs: undefined,
  answered: 303,
  page: 'sign-in',
  successes: [],
  reason: expect.stringMatching(because),
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
  /** What the company's page posts. */
  craft(asked: Asked): string
  browser?: Client
  relayState?: string
}

/** One browser asks, the company answers with what was crafted, and the browser goes wherever it is sent. */
export async function attempt(portal: TestApp, { company, craft, browser, relayState }: Attempt): Promise<Outcome> {
  const client = browser ?? portal.browser()
  const asked = await askCompany(portal, client, company)
  return outcomeOf(portal, client, () => deliver(portal, company, craft(asked), relayState ?? asked.relayState))
}

/** What comes of a post for this browser. */
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

/** An attempt of somebody with the right answer. */
export const rightAttempt = (portal: TestApp, company: Company, { email }: Person) =>
  attempt(portal, { company, craft: (asked) => companyAnswer(company, asked, { nameId: email }) })

function reasonIn(logged: TestApp['logged']): string | undefined {
  const line = logged.find(({ samlConfigId }) => samlConfigId !== undefined)
  return line && String(line.reason ?? line.msg)
}

const lastEvent = async (portal: TestApp) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirst()
  )?.seq ?? 0

const successesAfter = async (portal: TestApp, seq: Awaited<ReturnType<typeof lastEvent>>) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('target')
      .where('name', '=', 'loginSuccess')
      .where('seq', '>', seq)
      .orderBy('seq')
      .execute()
  ).map(({ target }) => target)
