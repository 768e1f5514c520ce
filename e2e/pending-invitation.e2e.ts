import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { invitationDays } from '#contract/invitations.ts'
import { acceptAndRead } from './acceptance.ts'
import { test as base, expect, expectAccessible, expectNoSideways, looks } from './fixtures.ts'
import { invitationTo, mailsTo } from './outbox.ts'
import { people } from './people.ts'

const password = 'Brun-utter-42-lampa'
const yearOfTheEnd = new Date(Date.now() + invitationDays * 24 * 60 * 60 * 1000).getFullYear()
const linkHolds = new RegExp(`Länken gäller till .*${yearOfTheEnd}`)

/** Somebody whom the admin of Nordvik has invited; their dialog is open before the admin. */
const test = base.extend<{ invited: string }>({
  invited: async ({ page, signIn }, use) => {
    const email = `ny.${randomUUID()}@example.com`
    await signIn(people.admin)
    await page.goto('/')
    const accountId = await page.evaluate(async (address) => {
      const ask = async (path: string, body?: object) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {})
        return response.json()
      }
      const me = await ask('/api/me')
      const [{ organizationId }] = await ask(`/api/users/${me.accountId}/organizations`)
      await ask('/api/invites', { email: address, organizationId, message: null })
      const { items } = await ask(`/api/organizations/${organizationId}/users?searchQuery=${address}`)
      return items[0].accountId as string
    }, email)
    await invitationTo(page.request, email)
    await page.goto(`/user-administration/${accountId}`)
    await use(email)
  },
})

const strip = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('status')
    .filter({ hasText: /nbjudan/ })
const resend = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Skicka inbjudan igen' })
const link = (page: Page) => page.getByRole('dialog').getByLabel('Länk till inbjudan')
/** Also once the server has been asked for it. */
async function expectNoLink(page: Page) {
  await expect(page.getByRole('dialog').getByRole('status').filter({ hasText: 'Laddar' })).toHaveCount(0)
  await expect(link(page)).toHaveCount(0)
}

test('an admin copies the link of an invitation, and whoever gets it can accept', async ({
  page,
  invited,
  context,
  browser,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await expect(strip(page)).toContainText('Inbjudan är skickad')
  await expect(strip(page)).toContainText(linkHolds)
  await page.getByRole('button', { name: 'Kopiera länken' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Kopierad' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(await link(page).inputValue())
  expect(copied).toMatch(/\/accept-invitation\//)

  const other = await browser.newContext({ baseURL: baseURL ?? '' })
  const guest = await other.newPage()
  await guest.goto(copied)
  await expect(guest.getByLabel('E-postadress')).toHaveValue(invited)
  await guest.getByLabel('Förnamn', { exact: true }).fill('Nina')
  await guest.getByLabel('Efternamn', { exact: true }).fill('Nyström')
  await guest.getByLabel('Välj lösenord', { exact: true }).fill(password)
  await guest.getByLabel('Upprepa lösenordet', { exact: true }).fill(password)
  await acceptAndRead(guest)
  await other.close()

  await page.reload()
  await expect(page.getByRole('dialog').getByLabel('Förnamn')).toHaveValue('Nina')
  await expect(page.getByRole('dialog').getByText('Inbjuden')).toHaveCount(0)
  await expect(strip(page)).toHaveCount(0)
})

test('an admin sends an invitation again, which replaces its link, and is told when a third may follow', async ({
  page,
  invited,
}) => {
  const before = await link(page).inputValue()
  await resend(page).click()
  const toasts = page.getByRole('region', { name: 'Meddelanden (F6)' })
  await expect(toasts).toContainText('Inbjudan är skickad')
  await expect(toasts).toContainText(invited)
  await expect(link(page)).not.toHaveValue(before)
  await resend(page).click()
  await expect(strip(page)).toContainText(/Inbjudan skickades nyss\. Du kan skicka den igen om [45] minuter\./)
  await page.route('**/api/invites/resend-invite', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await resend(page).click()
  await expect(toasts).toContainText('Något gick fel. Försök igen.')
})

test('an admin sees how far the mail has come, and it follows by itself', async ({ page, invited, database }) => {
  const says = async (text: string | RegExp) => {
    await page.reload()
    await expect(strip(page)).toContainText(text)
  }
  await database.setInvitationMail(invited, { state: 'failed', reason: '550 5.1.1 User unknown' })
  await says(/Inbjudan kunde inte skickas.*Orsak: 550 5\.1\.1 User unknown/)
  await expect(resend(page)).toBeVisible()
  for (const [reason, words] of [
    ['451 4.3.0 Try later', /Orsak: 451 4\.3\.0 Try later/],
    ['SMTP RCPT TO 451', /Orsak: E-postservern bad oss försöka senare \(451\)\./],
    ['SMTP CONN ECONNREFUSED', /Orsak: E-postservern går inte att nå \(ECONNREFUSED\)\./],
    ['SMTP ETIMEDOUT', /Orsak: E-postservern går inte att nå \(ETIMEDOUT\)\./],
  ] as const) {
    await database.setInvitationMail(invited, { state: 'queued', reason })
    await says(/Inbjudan är försenad/)
    await expect(strip(page)).toContainText(words)
  }
  await database.setInvitationMail(invited, { state: 'failed', reason: 'SMTP RCPT TO 550' })
  await says(/Orsak: Mottagarens e-postserver tar inte emot mejl till adressen \(550\)\./)
  await database.setInvitationMail(invited, { state: 'queued' })
  await says('Inbjudan är på väg')
  await database.setInvitationMail(invited, { state: 'sent' })
  await expect(strip(page)).toContainText('Inbjudan är skickad')
  await database.setInvitation(invited, 'expired')
  await says('Inbjudan har gått ut')
  await expectNoLink(page)
  await database.setInvitation(invited, 'accepted')
  await says(/Inbjudan är accepterad.*inte loggat in än/)
  await expectNoLink(page)
})

test('an admin is told that a mail could not leave before its link ended, and sends another', async ({
  page,
  invited,
  database,
}) => {
  await database.setInvitation(invited, 'expired')
  await database.setInvitationMail(invited, { state: 'dropped' })
  await page.reload()
  await expect(strip(page)).toContainText('Inbjudan hann gå ut')
  await expect(strip(page)).toContainText('Mejlet gick inte att skicka i tid. Skicka inbjudan igen.')
  await expect(strip(page)).not.toContainText('Orsak')
  await expectNoLink(page)
  await expectAccessible(page)
  await database.setInvitationMail(invited, { state: 'dropped', reason: '421 4.3.2 Try later' })
  await page.reload()
  await expect(strip(page)).toContainText('Orsak: 421 4.3.2 Try later')
  await resend(page).click()
  await expect(strip(page)).toContainText(linkHolds)
  await expect(link(page)).toHaveValue(/accept-invitation/)
  await expect.poll(() => mailsTo(page.request, invited)).toHaveLength(2)
})

test('an admin sees that a pending person was never invited here, and does it now', async ({
  page,
  signIn,
  browser,
  baseURL,
  sessionOf,
}) => {
  const email = `ny.${randomUUID()}@example.com`
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', extraHTTPHeaders: { origin: baseURL ?? '' } })
  await elsewhere.addCookies(await sessionOf(people.superUser))
  const { request } = elsewhere
  const organizations: { name: string; organizationId: string }[] = await (
    await request.get('/api/organizations/list')
  ).json()
  const idOf = (name: string) => organizations.find((one) => one.name === name)?.organizationId ?? ''
  const [home, other] = [idOf('Nordvik AB'), idOf('Solberga kommun')]
  const invitation = { email, organizationId: other, message: null }
  expect((await request.post('/api/invites', { data: invitation })).status()).toBe(201)
  await invitationTo(request, email)
  const found: { items: { accountId: string }[] } = await (await request.get(`/api/users?searchQuery=${email}`)).json()
  const accountId = found.items[0]?.accountId ?? ''
  const memberships = [home, other].map((organizationId) => ({ organizationId, userRole: 'regular' }))
  const change = { accountId, organizations: memberships }
  expect((await request.put('/api/users', { data: change })).status()).toBe(200)
  await elsewhere.close()

  await signIn(people.admin)
  await page.goto(`/user-administration/${accountId}`)
  // The first page of this browser: the person comes first, and what is asked about the invitation after that.
  await expect(page.getByRole('dialog', { name: email })).toBeVisible()
  await expect(strip(page)).toContainText('Ingen inbjudan är skickad hit')
  await expect(strip(page)).toContainText('Personen kan logga in först efter att ha tackat ja till en inbjudan.')
  await expectNoLink(page)
  await expect(resend(page)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Skicka inbjudan', exact: true }).click()
  await expect(strip(page)).toContainText(/Inbjudan är (på väg|skickad)/)
  await expect(resend(page)).toBeVisible()
  await expect
    .poll(() => mailsTo(page.request, email))
    .toEqual([expect.stringContaining('Nordvik AB'), expect.stringContaining('Solberga kommun')])
  // A link of somebody who belongs elsewhere too would be a way into the other organisation.
  await expectNoLink(page)
})

for (const look of looks)
  test(`an admin is well served by it: ${look.name}`, async ({ page, invited, database }) => {
    await page.setViewportSize(look.viewport)
    await expect(link(page)).toBeVisible()
    await expectAccessible(page)
    await expectNoSideways(page)
    await database.setInvitationMail(invited, { state: 'failed', reason: `550 ${'x'.repeat(200)}` })
    await page.reload()
    await expect(strip(page)).toContainText('Inbjudan kunde inte skickas')
    await expectAccessible(page)
    await expectNoSideways(page)
  })
