import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { expectUsableAtEveryWidth } from './every-width.ts'
import { expect, test } from './fixtures.ts'
import { invitationTo, mailsTo } from './outbox.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const list = '/user-administration'
const newAddress = () => `ny.${randomUUID()}@example.com`

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Bjud in användare' })
const email = (page: Page) => dialog(page).getByRole('textbox', { name: 'E-postadress' })
const message = (page: Page) => dialog(page).getByRole('textbox', { name: /^Meddelande/ })
const save = (page: Page) => dialog(page).getByRole('button', { name: t('sendInvitation') })
const confirmation = (page: Page) => page.getByRole('alertdialog')
async function expectSent(page: Page, address: string) {
  const toasts = page.getByRole('region', { name: 'Meddelanden (F6)' })
  await expect(toasts).toContainText('Inbjudan är skickad')
  await expect(toasts).toContainText(address)
}

/** The first organisation of the signed-in user. */
async function ownOrganization(page: Page): Promise<string> {
  const me = await api<{ accountId: string }>(page, 'GET', '/api/me')
  const [own] = await api<{ organizationId: string }[]>(page, 'GET', `/api/users/${me.accountId}/organizations`)
  return own?.organizationId ?? ''
}

test.describe('an organisation admin', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.admin))

  test('invites a person by keyboard alone, and returns to the list', { tag: '@main' }, async ({ page }) => {
    const address = newAddress()
    await page.goto(`${list}?sortDirection=desc`)
    await page.getByRole('link', { name: t('inviteUser') }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText('Nordvik AB')
    await expect(email(page)).toBeFocused()
    await page.keyboard.type(address)
    await page.keyboard.press('Tab')
    await expect(message(page)).toBeFocused()
    await page.keyboard.type('Välkommen hit!')
    await expect(message(page)).toHaveAccessibleDescription(/14 av 1\s000 tecken/)
    await page.keyboard.press('Control+Enter')
    await expectSent(page, address)
    await expect(page).toHaveURL(`${list}?sortDirection=desc`)
    await expect(dialog(page)).toHaveCount(0)
    expect(await invitationTo(page.request, address)).toContain('Välkommen hit!')
  })

  test('sends one invitation when the response was lost and the user retries', async ({ page }) => {
    const address = newAddress()
    await page.goto(list)
    await page.getByRole('link', { name: t('inviteUser') }).click()
    await email(page).fill(address)
    const keys: string[] = []
    await page.route('**/api/invites', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await save(page).dblclick()
    await expect(dialog(page).getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
    await expect(email(page)).toHaveValue(address)
    await save(page).click()
    await expectSent(page, address)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    await invitationTo(page.request, address)
    expect(await mailsTo(page.request, address)).toHaveLength(1)
  })

  test('opens the address of a dialog, sees errors at their fields at every width, and is asked before unsaved input is lost', async ({
    page,
  }) => {
    await test.step('closing a dialog that was opened by its address shows the list', async () => {
      await page.goto(list)
      await page.goto(`${list}/invite/${await ownOrganization(page)}`)
      await expect(email(page)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(list)
      await page.goto(`${list}/invite/0190f3c8-7b1a-7000-8000-00000000dead`)
      await expect(dialog(page).getByRole('alert')).toHaveText('Du har inte behörighet till det här.')
      await expect(save(page)).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(list)
    })
    await test.step('errors are shown at their fields, those of the server too', async () => {
      await page.getByRole('link', { name: t('inviteUser') }).click()
      await email(page).fill('anna')
      await message(page).fill('x'.repeat(1001))
      await save(page).click()
      await expect(dialog(page).getByRole('group', { name: '2 saker behöver rättas' })).toBeFocused()
      await expect(message(page)).toHaveAccessibleDescription(/1\s001 av 1\s000 tecken/)
      await expect(email(page)).toHaveAccessibleDescription(/Ange en giltig e-postadress/)
      await message(page).fill('')
      await email(page).fill(people.colleague)
      await save(page).click()
      await expect(email(page)).toBeFocused()
      await expect(email(page)).toHaveAccessibleDescription(t('alreadyMember'))
      await page.route('**/api/invites', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '1500' },
          json: { message: 'tooManyRequests', requestId: 'journey' },
        }),
      )
      await email(page).fill(newAddress())
      await save(page).click()
      await expect(dialog(page).getByRole('alert')).toHaveText(
        'Det blev för många försök. Du kan försöka igen om 25 minuter.',
      )
    })
    await test.step('at every width', async () => {
      await email(page).fill('')
      await save(page).click()
      await expect(email(page)).toBeFocused()
      await expect(email(page)).toHaveAccessibleDescription(/Fyll i det här fältet/)
      await expectUsableAtEveryWidth(page)
    })
    await test.step('unsaved input is not lost without a question, also by the link to the import', async () => {
      await email(page).fill('halvt@')
      const address = page.url()
      const many = dialog(page).getByRole('link', { name: 'Bjud in flera' })
      for (const leave of [() => page.keyboard.press('Escape'), () => many.click()]) {
        await leave()
        await expect(confirmation(page)).toContainText('Kasta osparade ändringar?')
        await confirmation(page)
          .getByRole('button', { name: t('goBackToForm') })
          .click()
        await expect(confirmation(page)).toHaveCount(0)
        await expect(email(page)).toHaveValue('halvt@')
        await expect(page).toHaveURL(address)
      }
      await many.click()
      await confirmation(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Bjud in flera' })).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('heading', { level: 1, name: 'Användaradministration' })).toBeVisible()
      await expect(dialog(page)).toHaveCount(0)
    })
  })
})

test('on a phone in French, with its long words, the two buttons fit side by side', async ({
  page,
  signIn,
  context,
  baseURL,
}) => {
  await signIn(people.admin)
  await context.addCookies([{ name: 'language', value: 'fr', url: baseURL ?? '' }])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(list)
  await page.goto(`${list}/invite/${await ownOrganization(page)}`)
  const both = page.getByRole('dialog').getByRole('button', { name: /^(Annuler|Envoyer l’invitation)$/ })
  await expect(both).toHaveCount(2)
  // Measure both at the same moment: the dialog may still be moving.
  const [cancel, save] = await both.evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().y))
  expect(cancel).toBe(save)
})

test('a super user invites from the list of organisations, and returns to it', async ({ page, signIn }) => {
  await signIn(people.superUser)
  const address = newAddress()
  const listed = '/organization-settings?sortDirection=desc&searchQuery=nordvik'
  await page.goto(listed)
  await page.getByRole('link', { name: t('addUserTo', { name: 'Nordvik AB' }) }).click()
  await expect(dialog(page)).toContainText('Nordvik AB')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(listed)
  await page.getByRole('link', { name: t('addUserTo', { name: 'Nordvik AB' }) }).click()
  await email(page).fill(address)
  await save(page).click()
  await expectSent(page, address)
  await expect(page).toHaveURL(listed)
})
