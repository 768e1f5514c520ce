import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import type { OwnInvitation } from '#contract/invitations/invitations.ts'
import { api } from './api.ts'
import { test as base, expect } from './fixtures.ts'
import { invitationTo } from './outbox.ts'
import { type DemoEmail, demoPassword, people } from './people.ts'

interface Invited {
  email: string
  /** The path of the link in the mail. */
  path: string
}

interface Invitations {
  /** API calls as a super user. */
  superUser: APIRequestContext
  /** Invites an address into this organisation of the demo, by default a new address, and reads the mail. */
  invite: (organization: string, email?: string, message?: string) => Promise<Invited>
  /** A user who has accepted an invitation to Nordvik AB, with the demo's password. @returns the address */
  newPerson: () => Promise<string>
}

export const test = base.extend<Invitations>({
  superUser: async ({ browser, sessionOf, baseURL }, use) => {
    const origin = baseURL ?? ''
    const context = await browser.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
    await context.addCookies(await sessionOf(people.superUser))
    await use(context.request)
    await context.close()
  },

  invite: async ({ superUser }, use) => {
    await use(async (organization, email = `nina.${randomUUID()}@example.com`, message) => {
      const organizationId = await organizationIdOf(superUser, organization)
      const response = await superUser.post('/api/invites', { data: { email, organizationId, message } })
      expect(response.status()).toBe(201)
      return { email, path: await linkIn(superUser, email, organization) }
    })
  },

  newPerson: async ({ superUser, invite }, use) => {
    await use(async () => {
      const { email, path } = await invite('Nordvik AB')
      const passwords = { password: demoPassword, confirmNewPassword: demoPassword }
      const person = { email, firstName: 'Nina', lastName: 'Nyström', loginMethod: 'local', ...passwords }
      const response = await superUser.post('/api/invites/accept', { data: { ...person, token: tokenIn(path) } })
      expect(response.status(), await response.text()).toBe(204)
      return email
    })
  },
})

export const tokenIn = (path: string) => path.split('/')[2] ?? ''

export async function organizationIdOf(request: APIRequestContext, name: string): Promise<string> {
  const all: { name: string; organizationId: string }[] = await (await request.get('/api/organizations/list')).json()
  return all.find((one) => one.name === name)?.organizationId ?? ''
}

/** The path of the link in the mail to an address for this organisation. */
async function linkIn(request: APIRequestContext, email: string, organization: string): Promise<string> {
  let mail = ''
  await expect(async () => {
    mail = await invitationTo(request, email)
    expect(mail).toContain(organization)
  }).toPass()
  return /\/accept-invitation\/\S+/.exec(mail)?.[0] ?? ''
}

/**
 * Makes a demo user the admin of one more organisation. The super user of this page invites with that role; the user
 * accepts, and is signed in on the page afterwards.
 */
export async function joinAsAdmin(
  page: Page,
  signIn: (email: DemoEmail) => Promise<void>,
  { email, organizationId }: { email: DemoEmail; organizationId: string },
): Promise<void> {
  await api(page, 'POST', '/api/invites', { email, organizationId })
  const people = `/api/organizations/${organizationId}/users?searchQuery=${encodeURIComponent(email)}`
  const { items } = await api<{ items: { accountId: string }[] }>(page, 'GET', people)
  const promised = { userRole: 'organizationAdmin', services: [] }
  await api(page, 'POST', `/api/users/${items[0]?.accountId}/organization/${organizationId}/service`, promised)
  const { name = '' } = await api(page, 'GET', `/api/organizations/${organizationId}`)
  await page.context().clearCookies()
  await signIn(email)
  const waiting = await api<OwnInvitation[]>(page, 'GET', '/api/invites/mine')
  const own = waiting.find(({ organizationName }) => organizationName === name)
  await api(page, 'POST', `/api/invites/${own?.invitationId}/join`)
}
