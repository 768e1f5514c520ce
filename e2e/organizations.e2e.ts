import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { people } from './people.ts'

const list = '/organization-settings'

/** Journeys run side by side on one database: each makes organisations of its own. */
let made = 0
const ownName = (what: string) => `${what} ${process.pid}-${++made}`

const table = (page: Page) => page.getByRole('table', { name: 'Organisationer' })
const link = (page: Page, name: string) => table(page).getByRole('link', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Redigera organisation' })
const confirmation = (page: Page) => page.getByRole('alertdialog')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Sök på namn eller nummer' })

/** An organisation, opened in its dialog; `page` is signed in and somewhere in the app. */
async function openNew(page: Page, name: string, rest: object = {}): Promise<string> {
  await page.goto(list)
  const { organizationId = '' } = await api(page, 'POST', '/api/organizations', { name, loginMethod: 'local', ...rest })
  await page.goto(`${list}/${organizationId}`)
  await expect(dialog(page)).toContainText(name)
  return organizationId
}

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('finds an organisation by its number, and the address keeps search and order', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.getByRole('menuitem', { name: 'Organisationer' }).click()
    await expect(page).toHaveTitle('Organisationer – Vestibule')
    await search(page).fill('212000-0003')
    await expect(page).toHaveURL(`${list}?searchQuery=212000-0003`)
    await expect(table(page).getByRole('rowheader')).toHaveText(['Solberga kommun'])
    await page.getByRole('button', { name: 'Organisationsnummer' }).click()
    await expect(page).toHaveURL(`${list}?sort=organizationNumber&searchQuery=212000-0003`)
    await link(page, 'Solberga kommun').click()
    await expect(dialog(page)).toContainText('Solberga kommun')
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`${list}?sort=organizationNumber&searchQuery=212000-0003`)
    await expect(link(page, 'Solberga kommun')).toBeFocused()
    await search(page).fill('finns inte')
    await expect(page.getByText('Inga organisationer matchar ”finns inte”.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('main').getByRole('button', { name: 'Rensa sökningen' }).last().click()
    await expect(link(page, 'Nordvik AB')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hej, Siv')
  })

  test('an address that nobody offers falls back, and a page past the end is the last one', async ({ page }) => {
    await page.goto(`${list}?page=abc&sort=evil&sortDirection=up`)
    await expect(table(page).getByRole('columnheader', { name: 'Namn' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(page.getByText(/^1–\d+ av \d+$/)).toBeVisible()
    await page.goto(`${list}?page=999&searchQuery=nordvik+ab`)
    await expect(page).toHaveURL(`${list}?searchQuery=nordvik+ab`)
    await expect(link(page, 'Nordvik AB')).toBeVisible()
    await page.goto(`${list}?searchQuery=0701234567`)
    await expect(search(page)).toHaveValue('0701234567')
  })

  test('a row that is opened while the search is still being typed opens over the list that was asked for', async ({
    page,
  }) => {
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

  test('turns the pages, and a search begins on the first', async ({ page }) => {
    const name = ownName('Sidorna')
    await page.goto(list)
    // A search finds parts of words: a bare number would be found in the others' names as well.
    for (let number = 1; number <= 11; number++)
      await api(page, 'POST', '/api/organizations', { name: `${name} sida${number}!`, loginMethod: 'local' })
    await search(page).fill(name)
    await expect(page.getByText('1–10 av 11')).toBeVisible()
    await page.getByRole('link', { name: 'Nästa' }).click()
    await expect(page).toHaveURL(/page=2/)
    await expect(page.getByText('11–11 av 11')).toBeVisible()
    await search(page).fill(`${name} sida3!`)
    await expect(page).not.toHaveURL(/page=/)
    await expect(table(page).getByRole('rowheader')).toHaveText([`${name} sida3!`])
  })

  test('creates an organisation with company sign-in by keyboard alone', async ({ page }) => {
    const name = ownName('Tangent')
    await page.goto(list)
    await page.getByRole('link', { name: 'Skapa organisation' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Namn' })).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Tab')
    await page.keyboard.type('556000-0099')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: 'Blir passiv efter' })).toHaveValue('180')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('radio', { name: 'Lösenord E-postadress' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: 'Företagets inloggning' })).toBeChecked()
    await page.keyboard.press('Control+Enter')
    const picker = page.getByRole('combobox', { name: 'SAML-konfiguration' })
    await expect(picker).toBeFocused()
    await expect(picker).toHaveAccessibleDescription('Välj en SAML-konfiguration.')
    await page.keyboard.type('fjäll')
    // What can be chosen is asked for when the field comes.
    await expect(page.getByRole('option', { name: /Fjällrå/ })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(picker).toHaveValue(/Fjällrå/)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`${name} är skapad`)).toBeVisible()
    await expect(page).toHaveURL(list)
  })

  test('gives an organisation services with seats, and cannot go below the seats in use', async ({ page }) => {
    const name = ownName('Platser')
    await openNew(page, name)
    await page.getByRole('checkbox', { name: 'Arkiv' }).check()
    await page.getByRole('textbox', { name: 'Antal platser i Arkiv' }).fill('5')
    await expect(dialog(page)).toContainText('0 av 5 platser används')
    await page.getByRole('checkbox', { name: 'Journal' }).check()
    await page.getByRole('textbox', { name: 'Antal platser i Journal' }).fill('många')
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByRole('textbox', { name: 'Antal platser i Journal' })).toBeFocused()
    await page.getByRole('textbox', { name: 'Antal platser i Journal' }).fill('')
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByText('Ändringarna är sparade')).toBeVisible()
    await search(page).fill(name)
    await link(page, name).click()
    await expect(page.getByRole('textbox', { name: 'Antal platser i Arkiv' })).toHaveValue('5')
    await expect(page.getByRole('textbox', { name: 'Antal platser i Journal' })).toHaveValue('')
    await page.keyboard.press('Escape')

    await search(page).fill('Solberga kommun')
    await link(page, 'Solberga kommun').click()
    const seats = page.getByRole('textbox', { name: 'Antal platser i Journal' })
    await seats.fill('1')
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(seats).toBeFocused()
    await expect(seats).toHaveAccessibleDescription('Fler platser används än så.')
  })

  test('is asked before people lose a service, and before an organisation with people goes', async ({ page }) => {
    await page.goto(`${list}?searchQuery=solberga`)
    await link(page, 'Solberga kommun').click()
    await page.getByRole('checkbox', { name: 'Journal' }).uncheck()
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(confirmation(page)).toContainText('Användare i Solberga kommun har Journal.')
    await expectAccessible(page)
    await confirmation(page).getByRole('button', { name: 'Avbryt' }).click()
    await expect(page.getByRole('checkbox', { name: 'Journal' })).not.toBeChecked()
    await dialog(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(confirmation(page)).toContainText('Ta bort Solberga kommun?')
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(confirmation(page)).toContainText('Solberga kommun har användare. Ta bort ändå?')
    await expect(confirmation(page).getByRole('button', { name: 'Avbryt' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await confirmation(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
    await expect(page).toHaveURL(`${list}?searchQuery=solberga`)
  })

  test('deletes an empty organisation', async ({ page }) => {
    const name = ownName('Tom')
    await openNew(page, name)
    await dialog(page).getByRole('button', { name: 'Ta bort' }).click()
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(page.getByText(`${name} är borttagen`)).toBeVisible()
    await expect(page).toHaveURL(list)
  })

  test('is told what somebody else changed, and saves on top of it', async ({ page }) => {
    const name = ownName('Krock')
    const organizationId = await openNew(page, name)
    await page.getByRole('textbox', { name: 'Organisationsnummer' }).fill('556000-0077')
    const theirs = { organizationId, name: `${name} deras`, loginMethod: 'local2FA', organizationNumber: '556000-0088' }
    await api(page, 'PUT', '/api/organizations', theirs)
    await page.getByRole('button', { name: 'Spara' }).click()
    const notice = page.getByRole('alert')
    await expect(notice).toContainText(`Ändrat till: ${name} deras`)
    await expect(notice).toContainText('Ändrat till: Lösenord och kod')
    await expect(notice).toContainText('Du har skrivit: 556000-0077')
    await expect(page.getByRole('radio', { name: 'Lösenord och kod' })).toBeChecked()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByText('Ändringarna är sparade')).toBeVisible()
    await search(page).fill(`${name} deras`)
    await expect(table(page).getByRole('row', { name: `${name} deras` })).toContainText('556000-0077')
  })

  for (const look of looks)
    test(`is well served: ${look.name}`, async ({ page }) => {
      await page.setViewportSize(look.viewport)
      await page.goto(`${list}?searchQuery=nordvik+ab`)
      await expect(link(page, 'Nordvik AB')).toBeVisible()
      await expectAccessible(page)
      await expectNoSideways(page)
      await link(page, 'Nordvik AB').click()
      await expect(dialog(page)).toContainText('Nordvik AB')
      await expectAccessible(page)
      await page.goto(`${list}/create`)
      await page.getByRole('radio', { name: 'Företagets inloggning' }).check()
      await page.evaluate(() => document.querySelector<HTMLFormElement>('[role=dialog] form')?.requestSubmit())
      await expect(page.getByRole('group', { name: '2 saker behöver rättas' })).toBeFocused()
      await expectAccessible(page)
      await page.getByRole('combobox', { name: 'SAML-konfiguration' }).click()
      await expect(page.getByRole('option', { name: /Fjällrå/ })).toBeVisible()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
})

test('an organisation admin neither finds the organisations nor gets in by their address', async ({ page, signIn }) => {
  await signIn(people.admin)
  for (const path of [list, `${list}/create`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Du har inte tillgång till sidan' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Administration' })).toHaveCount(0)
  }
})
