import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { invitationDays } from '#contract/invitations/invitations.ts'
import { acceptAndRead } from './acceptance.ts'
import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expectUsableAtEveryWidth } from './every-width.ts'
import { test as base, expect } from './fixtures.ts'
import { organizationIdOf } from './invited.ts'
import { invitationTo, mailsTo } from './outbox.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const password = 'Brun-utter-42-lampa'
const yearOfTheEnd = new Date(Date.now() + invitationDays * 24 * 60 * 60 * 1000).getFullYear()
const linkHolds = new RegExp(`Länken gäller till .*${yearOfTheEnd}`)

/** A user whom the admin of Nordvik has invited, opened in the dialog by the admin. */
const test = base.extend<{ invited: string }>({
  invited: async ({ page, signIn }, use) => {
    const email = `ny.${randomUUID()}@example.com`
    await signIn(people.admin)
    const { accountId: me } = await api(page, 'GET', '/api/me')
    const [own] = await api<{ organizationId: string }[]>(page, 'GET', `/api/users/${me}/organizations`)
    await api(page, 'POST', '/api/invites', { email, organizationId: own?.organizationId, message: null })
    const colleagues = `/api/organizations/${own?.organizationId}/users?searchQuery=${email}`
    const { items } = await api<{ items: { accountId: string }[] }>(page, 'GET', colleagues)
    await invitationTo(page.request, email)
    await page.goto(`/user-administration/${items[0]?.accountId}`)
    await use(email)
  },
})

const strip = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('status')
    .filter({ hasText: /nbjudan/ })
const tooSoon = /Inbjudan skickades nyss\. Du kan skicka den igen om [45] minuter\./
const resend = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Skicka inbjudan igen' })
const link = (page: Page) => page.getByRole('dialog').getByLabel('Länk till inbjudan')
/** Also after the server has answered. */
async function expectNoLink(page: Page) {
  await expect(page.getByRole('dialog').getByRole('status').filter({ hasText: 'Laddar' })).toHaveCount(0)
  await expect(link(page)).toHaveCount(0)
}

test('an admin copies the link of an invitation, and its recipient can accept', async ({
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
  await acceptAsNina(guest)
  await other.close()

  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill(invited)
  const row = page.getByRole('row', { name: invited })
  await expect(row).toContainText('Nina')
  await expect(row).not.toContainText(t('pending'))
  await row.getByRole('link').click()
  await expect(page.getByRole('dialog').getByLabel(t('firstName'))).toHaveValue('Nina')
  await expect(strip(page)).toHaveCount(0)
})

async function acceptAsNina(guest: Page) {
  await guest.getByLabel(t('firstName'), { exact: true }).fill('Nina')
  await guest.getByLabel(t('lastName'), { exact: true }).fill('Nyström')
  await guest.getByLabel(t('choosePassword'), { exact: true }).fill(password)
  await guest.getByLabel(t('repeatPassword'), { exact: true }).fill(password)
  await acceptAndRead(guest)
}

test('an admin sees the delivery status of the mail at every width, and resends it, which replaces its link', async ({
  page,
  invited,
  database,
}) => {
  await test.step('resent, but not too soon', async () => {
    const before = await link(page).inputValue()
    const toasts = page.getByRole('region', { name: 'Meddelanden (F6)' })
    await resend(page).click()
    await expect(strip(page)).toContainText(tooSoon)
    await database.forgetInvitationsTo(invited)
    await resend(page).click()
    await expect(toasts).toContainText('Inbjudan är skickad')
    await expect(toasts).toContainText(invited)
    await expect(link(page)).not.toHaveValue(before)
    await expect.poll(() => mailsTo(page.request, invited)).toHaveLength(2)
    await resend(page).click()
    await expect(strip(page)).toContainText(tooSoon)
    await page.route('**/api/invites/resend-invite', (route) => route.fulfill({ status: 500, body: 'broken' }))
    await resend(page).click()
    await expect(toasts).toContainText('Något gick fel. Försök igen.')
    await page.unroute('**/api/invites/resend-invite')
  })
  await test.step('the delivery status, which updates automatically', async () => {
    const says = async (text: string | RegExp) => {
      await page.reload()
      await expect(strip(page)).toContainText(text)
    }
    await database.setInvitationMail(invited, { state: 'failed', reason: '550 5.1.1 User unknown' })
    await says(/Inbjudan kunde inte skickas.*Orsak: 550 5\.1\.1 User unknown/)
    await expect(resend(page)).toBeVisible()
    await database.setInvitationMail(invited, { state: 'queued', reason: 'SMTP RCPT TO 451' })
    await says(/Inbjudan är försenad.*Orsak: E-postservern bad oss försöka senare \(451\)\./)
    await database.setInvitationMail(invited, { state: 'queued' })
    await says('Inbjudan är på väg')
    await database.setInvitationMail(invited, { state: 'sent' })
    await expect(strip(page)).toContainText('Inbjudan är skickad')
    await database.expireInvitation(invited)
    await says('Inbjudan har gått ut')
    await expectNoLink(page)
  })
  await test.step('not delivered before its link expired', async () => {
    await database.expireInvitation(invited)
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
    await database.forgetInvitationsTo(invited)
    await resend(page).click()
    await expect(strip(page)).toContainText(linkHolds)
    await expect(link(page)).toHaveValue(/accept-invitation/)
    await expect.poll(() => mailsTo(page.request, invited)).toHaveLength(3)
  })
  await test.step('at every width', async () => {
    await expectUsableAtEveryWidth(page)
    await database.setInvitationMail(invited, { state: 'failed', reason: `550 ${'x'.repeat(200)}` })
    await page.reload()
    await expect(strip(page)).toContainText('Inbjudan kunde inte skickas')
    await expectUsableAtEveryWidth(page)
  })
})

test('an admin sees that a user has accepted but not signed in yet, and replaces that with a new invitation', async ({
  page,
  signIn,
  browser,
  baseURL,
  sessionOf,
  database,
}) => {
  const email = `ny.${randomUUID()}@example.com`
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', extraHTTPHeaders: { origin: baseURL ?? '' } })
  await elsewhere.addCookies(await sessionOf(people.superUser))
  const { request } = elsewhere
  const organizationId = await organizationIdOf(request, 'Havsvik Bank AB')
  const answer = await request.post('/api/invites', { data: { email, organizationId } })
  expect(answer.status()).toBe(201)
  const token = /accept-invitation\/(\S+)/.exec(await invitationTo(request, email))?.[1]
  const person = { email, firstName: 'Nina', lastName: 'Nyström', loginMethod: 'bankid', ssn: '198001019010' }
  expect((await request.post('/api/invites/accept', { data: { ...person, token } })).status()).toBe(204)
  const found: { items: { accountId: string }[] } = await (await request.get(`/api/users?searchQuery=${email}`)).json()
  await elsewhere.close()

  await signIn(people.superUser)
  await page.goto(`/users/${found.items[0]?.accountId}`)
  await expect(page.getByRole('dialog', { name: 'Nina Nyström' })).toContainText(t('awaitsSignIn'))
  await expect(strip(page)).toContainText(t('invitationAccepted'))
  await expect(strip(page)).toContainText(t('invitationAwaitsSignIn'))
  await expectNoLink(page)
  await expectAccessible(page)
  await database.forgetInvitationsTo(email)
  await resend(page).click()
  await expect(page.getByRole('region', { name: t('notifications') })).toContainText(t('invitationSent'))
  // The account is deleted, and a new invitation replaces it.
  await expect(page).toHaveURL('/users')
  await page.getByRole('searchbox').fill(email)
  await page.getByRole('row', { name: email }).getByRole('link').click()
  await expect(strip(page)).toContainText(/Inbjudan är (på väg|skickad)/)
  await expect(link(page)).toHaveValue(/accept-invitation/)
})

test('an admin sets role and services of the invitation, but no personal details, and withdraws it with its link', async ({
  page,
  invited,
  browser,
  baseURL,
}) => {
  await test.step('role and services', async () => {
    const dialog = page.getByRole('dialog', { name: invited })
    for (const name of [t('firstName'), t('lastName'), t('ssn'), t('phoneNumber')])
      await expect(dialog.getByLabel(name)).toHaveCount(0)
    for (const name of [t('updateLastActive'), t('triggerPasswordReset')])
      await expect(dialog.getByRole('button', { name })).toHaveCount(0)
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await expect(dialog.getByText(t('invitationWaitsText'))).toBeVisible()
    const role = dialog.getByRole('combobox', { name: t('roleInOrganization', { name: 'Nordvik AB' }) })
    await role.selectOption(t('roleOrganizationAdmin'))
    await dialog.getByRole('combobox', { name: t('addServiceIn', { name: 'Nordvik AB' }) }).fill('Arkiv')
    await page.getByRole('option', { name: 'Arkiv' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('save') }).click()
    await expect(page.getByText(t('updated'))).toBeVisible()
    await page.getByRole('searchbox').fill(invited)
    await page.getByRole('row', { name: invited }).getByRole('link').click()
    await page
      .getByRole('dialog')
      .getByRole('tab', { name: t('permissions') })
      .click()
    await expect(role).toHaveValue('organizationAdmin')
    await expect(dialog.getByRole('combobox', { name: /Arkiv, Nordvik AB/ })).toBeVisible()
    await dialog.getByRole('tab').first().click()
  })
  await test.step('withdrawn', async () => {
    const shown = await link(page).inputValue()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('withdrawInvitation') })
      .click()
    const question = page.getByRole('alertdialog', { name: t('withdrawInvitationTitle', { name: invited }) })
    await expect(question.getByRole('button', { name: t('cancel') })).toBeFocused()
    await expectAccessible(page)
    await question.getByRole('button', { name: t('withdrawInvitation') }).click()
    await expect(page.getByRole('region', { name: t('notifications') })).toContainText(
      t('invitationWithdrawn', { name: invited }),
    )
    // The list that the search of the step before has left.
    await expect(page).toHaveURL(/\/user-administration\?searchQuery=/)
    await expect(page.getByText(t('noUsersFound', { searchQuery: invited }))).toBeVisible()
    const other = await browser.newContext({ baseURL: baseURL ?? '', locale: 'sv-SE' })
    const guest = await other.newPage()
    await guest.goto(shown)
    await expect(guest.getByRole('alert')).toContainText(t('invitationInvalid'))
    await other.close()
  })
})
