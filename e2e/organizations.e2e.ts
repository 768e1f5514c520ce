import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t, titled } from './texts.ts'

const list = '/organization-settings'

/** Tests share a database and run in parallel, so each creates its own organisations. */
let made = 0
const ownName = (what: string) => `${what} ${process.pid}-${++made}`

const table = (page: Page) => page.getByRole('table', { name: t('organizations') })
const link = (page: Page, name: string) => table(page).getByRole('link', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: t('editOrganization') })
const confirmation = (page: Page) => page.getByRole('alertdialog')
const search = (page: Page) => page.getByRole('searchbox', { name: t('searchOrganizations') })

/** Opens an organisation's dialog; `page` is signed in. */
async function openNew(page: Page, name: string, rest: object = {}): Promise<string> {
  const { organizationId = '' } = await api(page, 'POST', '/api/organizations', { name, loginMethod: 'local', ...rest })
  await page.goto(`${list}/${organizationId}`)
  await expect(dialog(page)).toContainText(name)
  return organizationId
}

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('finds an organisation by its number, pages through the list, and the address keeps search and order', async ({
    page,
  }) => {
    await test.step('search and order stay in the address', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: t('administration') }).click()
      await page.getByRole('menuitem', { name: t('organizations'), exact: true }).click()
      await expect(page).toHaveTitle(titled(t('organizations')))
      await search(page).fill('212000-0003')
      await expect(page).toHaveURL(`${list}?searchQuery=212000-0003`)
      await expect(table(page).getByRole('rowheader')).toHaveText(['Solberga kommun'])
      await page.getByRole('button', { name: t('organizationNumber') }).click()
      await expect(page).toHaveURL(`${list}?sort=organizationNumber&searchQuery=212000-0003`)
      await link(page, 'Solberga kommun').click()
      await expect(dialog(page)).toContainText('Solberga kommun')
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(`${list}?sort=organizationNumber&searchQuery=212000-0003`)
      await expect(link(page, 'Solberga kommun')).toBeFocused()
      await search(page).fill('finns inte')
      await expect(page.getByText(t('noOrganizationsFound', { searchQuery: 'finns inte' }))).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: t('resultsFound_other', { count: 0 }) })).toBeAttached()
      await expectAccessible(page)
      await page
        .getByRole('main')
        .getByRole('button', { name: t('clearSearch') })
        .last()
        .click()
      await expect(link(page, 'Nordvik AB')).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greetingName', { name: 'Siv' }))
    })
    await test.step('invalid list parameters fall back, and a page past the end shows the last one', async () => {
      await page.goto(`${list}?page=abc&sort=evil&sortDirection=up`)
      await expect(table(page).getByRole('columnheader', { name: t('name') })).toHaveAttribute('aria-sort', 'ascending')
      await expect(page.getByText(/^1–\d+ av \d+$/)).toBeVisible()
      await page.goto(`${list}?page=999&searchQuery=nordvik+ab`)
      await expect(page).toHaveURL(`${list}?searchQuery=nordvik+ab`)
      await expect(link(page, 'Nordvik AB')).toBeVisible()
      await page.goto(`${list}?searchQuery=0701234567`)
      await expect(search(page)).toHaveValue('0701234567')
    })
    await test.step('a row opened while the user is still typing opens above the list of the search', async () => {
      await page.goto(list)
      await search(page).pressSequentially('nordvik ab')
      await link(page, 'Nordvik AB').click()
      await expect(dialog(page)).toContainText('Nordvik AB')
      await expect(page).toHaveURL(/\/organization-settings\/.+\?searchQuery=nordvik\+ab$/)
      await expect(table(page)).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(`${list}?searchQuery=nordvik+ab`)
      await expect(search(page)).toHaveValue('nordvik ab')
    })
    await test.step('a search starts on the first page', async () => {
      const name = ownName('Sidorna')
      await page.goto(list)
      // The search matches parts of words, so a bare number would match other names too.
      for (let number = 1; number <= 11; number++)
        await api(page, 'POST', '/api/organizations', { name: `${name} sida${number}!`, loginMethod: 'local' })
      await search(page).fill(name)
      // Wait for the search: without it, there may be eleven organisations of other tests.
      await expect(page).toHaveURL(/searchQuery=/)
      await expect(page.getByText('1–10 av 11')).toBeVisible()
      await page.getByRole('link', { name: t('nextPage') }).click()
      await expect(page).toHaveURL(/page=2/)
      await expect(page.getByText('11–11 av 11')).toBeVisible()
      await search(page).fill(`${name} sida3!`)
      await expect(page).not.toHaveURL(/page=/)
      await expect(table(page).getByRole('rowheader')).toHaveText([`${name} sida3!`])
    })
  })

  test('creates an organisation with company sign-in by keyboard alone', { tag: '@main' }, async ({ page }) => {
    const name = ownName('Tangent')
    await page.goto(list)
    await page.getByRole('link', { name: t('createOrganization') }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: t('name'), exact: true })).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Tab')
    await page.keyboard.type('556000-0099')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: t('maxPassiveDays') })).toHaveValue('180')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('radio', { name: 'Lösenord E-postadress' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: t('loginMethodSaml') })).toBeChecked()
    await page.keyboard.press('Control+Enter')
    const picker = page.getByRole('combobox', { name: t('samlConfig') })
    await expect(picker).toBeFocused()
    await expect(picker).toHaveAccessibleDescription(t('samlConfigRequired'))
    await page.keyboard.type('fjäll')
    // The options are loaded when the field appears.
    await expect(page.getByRole('option', { name: /Fjällrå/ })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(picker).toHaveValue(/Fjällrå/)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(t('created', { name }))).toBeVisible()
    // What is next is in its dialog, which opens.
    await expect(dialog(page)).toContainText(name)
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(list)
  })

  test('gives an organisation services with seats, not below those in use, and saves on top of what another admin changed', async ({
    page,
  }) => {
    await test.step('seats', async () => {
      const name = ownName('Platser')
      await openNew(page, name)
      await page.getByRole('checkbox', { name: 'Arkiv' }).check()
      await page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Arkiv' }) }).fill('5')
      await expect(dialog(page)).toContainText(t('seatsUsedOf', { used: '0', seats: '5' }))
      await page.getByRole('checkbox', { name: 'Journal' }).check()
      await page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Journal' }) }).fill('många')
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Journal' }) })).toBeFocused()
      await page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Journal' }) }).fill('')
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
      await search(page).fill(name)
      // The list that was asked for: a row of the one before may go away under the pointer.
      await expect(page).toHaveURL(/searchQuery=/)
      await link(page, name).click()
      await expect(page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Arkiv' }) })).toHaveValue('5')
      await expect(page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Journal' }) })).toHaveValue('')
      await page.keyboard.press('Escape')

      await search(page).fill('Solberga kommun')
      await link(page, 'Solberga kommun').click()
      const seats = page.getByRole('textbox', { name: t('maxNumberOfUsersFor', { name: 'Journal' }) })
      await seats.fill('1')
      await page.getByRole('button', { name: t('save') }).click()
      await expect(seats).toBeFocused()
      await expect(seats).toHaveAccessibleDescription(t('seatsInUse'))
    })
    await test.step('a change by another admin', async () => {
      const name = ownName('Krock')
      const organizationId = await openNew(page, name)
      await page.getByRole('textbox', { name: t('organizationNumber') }).fill('556000-0077')
      const theirs = {
        organizationId,
        name: `${name} deras`,
        loginMethod: 'local2FA',
        organizationNumber: '556000-0088',
      }
      await api(page, 'PUT', '/api/organizations', theirs)
      await page.getByRole('button', { name: t('save') }).click()
      const notice = page.getByRole('alert')
      await expect(notice).toContainText(t('theirValue', { value: `${name} deras` }))
      await expect(notice).toContainText(t('theirValue', { value: 'Lösenord och kod' }))
      await expect(notice).toContainText(t('yourValue', { value: '556000-0077' }))
      await expect(page.getByRole('combobox', { name: t('loginMethod') })).toHaveValue('local2FA')
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
      await search(page).fill(`${name} deras`)
      await expect(table(page).getByRole('row', { name: `${name} deras` })).toContainText('556000-0077')
    })
  })

  test('is asked before users lose a service, and before an organisation is deleted, with users or without', async ({
    page,
  }) => {
    await test.step('with users', async () => {
      await page.goto(`${list}?searchQuery=solberga`)
      await link(page, 'Solberga kommun').click()
      await page.getByRole('checkbox', { name: 'Journal' }).uncheck()
      await page.getByRole('button', { name: t('save') }).click()
      await expect(confirmation(page)).toContainText('Användare i Solberga kommun har Journal.')
      await expectAccessible(page)
      await confirmation(page)
        .getByRole('button', { name: t('cancel') })
        .click()
      await expect(page.getByRole('checkbox', { name: 'Journal' })).not.toBeChecked()
      await dialog(page)
        .getByRole('button', { name: t('delete') })
        .click()
      await expect(confirmation(page)).toContainText(t('deleteNamed', { name: 'Solberga kommun' }))
      await confirmation(page)
        .getByRole('button', { name: t('delete') })
        .click()
      await expect(confirmation(page)).toContainText(t('deleteOrganizationNotEmptyTitle', { name: 'Solberga kommun' }))
      await expect(confirmation(page).getByRole('button', { name: t('cancel') })).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await confirmation(page)
        .getByRole('button', { name: t('discardChanges') })
        .click()
      await expect(page).toHaveURL(`${list}?searchQuery=solberga`)
    })
    await test.step('without users', async () => {
      const name = ownName('Tom')
      await openNew(page, name)
      await dialog(page)
        .getByRole('button', { name: t('delete') })
        .click()
      await confirmation(page)
        .getByRole('button', { name: t('delete') })
        .click()
      await expect(page.getByText(t('deleted', { name }))).toBeVisible()
      await expect(page).toHaveURL(list)
    })
    await test.step('on a narrow screen', async () => {
      await page.setViewportSize(narrow)
      await page.goto(`${list}?searchQuery=nordvik+ab`)
      await expect(link(page, 'Nordvik AB')).toBeVisible()
      await expectNoSideways(page)
      await link(page, 'Nordvik AB').click()
      await expect(dialog(page)).toContainText('Nordvik AB')
      await page.goto(`${list}/create`)
      await page.getByRole('radio', { name: t('loginMethodSaml') }).check()
      await page.evaluate(() => document.querySelector<HTMLFormElement>('[role=dialog] form')?.requestSubmit())
      await expect(page.getByRole('group', { name: t('formErrors', { count: 2 }) })).toBeFocused()
      await expectAccessible(page)
      await page.getByRole('combobox', { name: t('samlConfig') }).click()
      await expect(page.getByRole('option', { name: /Fjällrå/ })).toBeVisible()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
  })
})
