import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { test as base, expect, expectAccessible, expectNoSideways, looks } from './fixtures.ts'
import { invitationTo } from './outbox.ts'
import { people } from './people.ts'

const password = 'Brun-utter-42-lampa'

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

test('an admin copies the link of an invitation, and whoever gets it can accept', async ({
  page,
  invited,
  context,
  browser,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await expect(strip(page)).toContainText('Inbjudan är skickad')
  await expect(strip(page)).toContainText(/Länken gäller till .*2026/)
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
  await guest.getByRole('button', { name: 'Acceptera inbjudan' }).click()
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Inbjudan är accepterad')
  await other.close()

  await page.reload()
  await expect(page.getByRole('dialog')).toContainText(invited)
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
  await database.setInvitationMail(invited, { state: 'queued', reason: '451 4.3.0 Try later' })
  await says(/Inbjudan är försenad.*Orsak: 451 4\.3\.0 Try later/)
  await database.setInvitationMail(invited, { state: 'queued' })
  await says('Inbjudan är på väg')
  await database.setInvitationMail(invited, { state: 'sent' })
  await expect(strip(page)).toContainText('Inbjudan är skickad')
  await database.setInvitation(invited, 'expired')
  await says('Inbjudan har gått ut')
  await expect(link(page)).toHaveCount(0)
  await database.setInvitation(invited, 'accepted')
  await says(/Inbjudan är accepterad.*inte loggat in än/)
  await expect(link(page)).toHaveCount(0)
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
