import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { people } from './people.ts'

/** Journeys run side by side on one database: each makes services of its own. */
let made = 0
const ownName = (what: string) => `${what} ${process.pid}-${++made}`

const rows = (page: Page) => page.getByRole('table', { name: 'Tjänster' }).getByRole('rowheader')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const confirmation = (page: Page) => page.getByRole('alertdialog')

async function createService(page: Page, name: string): Promise<string> {
  const url = `https://${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}.example`
  const { serviceId = '' } = await api(page, 'POST', '/api/services', { name, url })
  return serviceId
}

const changeElsewhere = (page: Page, serviceId: string, input: { name: string; url: string }) =>
  api(page, 'PUT', '/api/services', { serviceId, ...input })

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('finds the services through the menu, and sorts them in the address', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.getByRole('menuitem', { name: 'Tjänster' }).click()
    await expect(page).toHaveTitle('Tjänster – Vestibule')
    await expect(page.getByRole('navigation', { name: 'Var du är' })).toContainText('Administration')
    await expect(rows(page).filter({ hasText: /^Arkiv$/ })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Namn' })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('button', { name: 'Namn' }).click()
    await expect(page).toHaveURL('/services?sortDirection=desc')
    await expect(page.getByRole('columnheader', { name: 'Namn' })).toHaveAttribute('aria-sort', 'descending')
    await page.getByRole('button', { name: 'Webbadress' }).click()
    await expect(page).toHaveURL('/services?sort=url')
    await expect(page.locator('th[aria-sort]')).toHaveCount(1)
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hej, Siv')
  })

  test('an order that nobody offers falls back', async ({ page }) => {
    await page.goto('/services?sort=evil&sortDirection=sideways')
    await expect(page.getByRole('columnheader', { name: 'Namn' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(rows(page).filter({ hasText: /^Arkiv$/ })).toBeVisible()
  })

  test('creates, changes and deletes a service by keyboard alone', async ({ page }) => {
    const name = ownName('Tangent')
    await page.goto('/services?sortDirection=desc')
    await page.getByRole('link', { name: 'Skapa tjänst' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/services/create?sortDirection=desc')
    await expect(page.getByRole('textbox', { name: 'Namn' })).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Tab')
    await page.keyboard.type('https://tangent.example')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`${name} är skapad`)).toBeVisible()
    await expect(page).toHaveURL('/services?sortDirection=desc')

    const row = page.getByRole('link', { name, exact: true })
    await row.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page, 'Redigera tjänst')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Redigera tjänst' })).toBeFocused()
    await page.getByRole('textbox', { name: 'Webbadress' }).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('https://annan.example')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Ändringarna är sparade')).toBeVisible()
    await expect(page.getByRole('row', { name })).toContainText('https://annan.example')
    await expect(row).toBeFocused()

    await page.keyboard.press('Enter')
    await dialog(page, 'Redigera tjänst').getByRole('button', { name: 'Ta bort' }).focus()
    await page.keyboard.press('Enter')
    await expect(confirmation(page)).toContainText(`Ta bort ${name}?`)
    await expect(confirmation(page).getByRole('button', { name: 'Avbryt' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${name} är borttagen`)).toBeVisible()
    await expect(row).toHaveCount(0)
  })

  test('is asked once more before a service goes that organisations have', async ({ page, database }) => {
    const name = ownName('Delad')
    await database.giveServices(people.colleague, [name])
    await page.goto('/services')
    await page.getByRole('link', { name, exact: true }).click()
    await dialog(page, 'Redigera tjänst').getByRole('button', { name: 'Ta bort' }).click()
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(confirmation(page)).toContainText(`${name} används. Ta bort ändå?`)
    await expect(confirmation(page).getByRole('button', { name: 'Avbryt' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog(page, 'Redigera tjänst')).toBeVisible()
    await dialog(page, 'Redigera tjänst').getByRole('button', { name: 'Ta bort' }).click()
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await confirmation(page).getByRole('button', { name: 'Ta bort ändå' }).click()
    await expect(page.getByText(`${name} är borttagen`)).toBeVisible()
    await expect(page).toHaveURL('/services')
  })

  test('is told what somebody else changed, keeps what was typed, and decides field by field', async ({ page }) => {
    const name = ownName('Krock')
    await page.goto('/services')
    const id = await createService(page, name)
    await page.goto(`/services/${id}`)
    const field = page.getByRole('textbox', { name: 'Namn' })
    await field.fill(`${name} min`)
    await changeElsewhere(page, id, { name: `${name} deras`, url: 'https://deras.example' })
    await page.getByRole('button', { name: 'Spara' }).click()
    const notice = page.getByRole('alert')
    await expect(notice).toContainText('Någon annan har ändrat det här medan du arbetade.')
    await expect(notice).toContainText(`Ändrat till: ${name} deras`)
    await expect(notice).toContainText(`Du har skrivit: ${name} min`)
    await expect(notice).toContainText('Ändrat till: https://deras.example')
    await expect(field).toHaveValue(`${name} min`)
    await expect(page.getByRole('textbox', { name: 'Webbadress' })).toHaveValue('https://deras.example')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Namn: använd den andras' }).click()
    await expect(field).toHaveValue(`${name} deras`)
    await page.getByRole('button', { name: 'Namn: behåll mitt' }).click()
    await expect(field).toHaveValue(`${name} min`)
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByText('Ändringarna är sparade')).toBeVisible()
    await expect(page.getByRole('row', { name: `${name} min` })).toContainText('https://deras.example')
  })

  test('sees on the fields what is wrong, here and on the server', async ({ page }) => {
    await page.goto('/services/create')
    await page.getByRole('button', { name: 'Skapa', exact: true }).click()
    await expect(page.getByRole('group', { name: '2 saker behöver rättas' })).toBeFocused()
    await expect(page).toHaveTitle(/^Fel: /)
    await page.getByRole('link', { name: 'Webbadress: Fyll i det här fältet.' }).click()
    const url = page.getByRole('textbox', { name: 'Webbadress' })
    await expect(url).toBeFocused()
    await page.keyboard.type('ftp://fel.example')
    await page.getByRole('textbox', { name: 'Namn' }).fill(ownName('Fel'))
    await page.keyboard.press('Enter')
    await expect(url).toBeFocused()
    await expect(url).toHaveAccessibleDescription(/Ange en giltig webbadress/)

    await url.fill('https://vagras.example')
    await expect(url).not.toHaveAttribute('aria-invalid', 'true')
    await page.route('**/api/services', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            json: {
              message: 'validationFailed',
              issues: [{ path: 'url', message: 'invalidUrl' }],
              requestId: 'journey',
            },
          })
        : route.continue(),
    )
    await page.keyboard.press('Enter')
    await expect(url).toBeFocused()
    await expect(url).toHaveAttribute('aria-invalid', 'true')
    await page.unroute('**/api/services')
    await page.route('**/api/services', (route) => route.fulfill({ status: 500, body: 'broken' }))
    await url.fill('https://brister.example')
    await page.keyboard.press('Enter')
    await expect(dialog(page, 'Skapa tjänst').getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
    await expect(url).toHaveValue('https://brister.example')
  })

  test('a double click sends one service', async ({ page }) => {
    const name = ownName('Dubbel')
    await page.goto('/services/create')
    await page.getByRole('textbox', { name: 'Namn' }).fill(name)
    await page.getByRole('textbox', { name: 'Webbadress' }).fill('https://dubbel.example')
    await page.getByRole('button', { name: 'Skapa', exact: true }).dblclick()
    await expect(page.getByText(`${name} är skapad`)).toBeVisible()
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(1)
  })

  test('is asked before typed words are lost: Escape, scrim, Back and a link', async ({ page }) => {
    await page.goto('/services?sort=url')
    await page.getByRole('link', { name: 'Skapa tjänst' }).click()
    const name = page.getByRole('textbox', { name: 'Namn' })
    await name.fill('Halvt')
    const ways: (() => Promise<unknown>)[] = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(20, 400),
      () => page.evaluate(() => history.back()),
      () => dialog(page, 'Skapa tjänst').getByRole('button', { name: 'Stäng' }).click(),
    ]
    for (const leave of ways) {
      await leave()
      await expect(confirmation(page)).toContainText('Kasta osparade ändringar?')
      await confirmation(page).getByRole('button', { name: 'Gå tillbaka' }).click()
      await expect(confirmation(page)).toHaveCount(0)
      await expect(name).toHaveValue('Halvt')
      await expect(page).toHaveURL('/services/create?sort=url')
    }
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await page.keyboard.press('Escape')
    await confirmation(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
    await expect(page).toHaveURL('/services?sort=url')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Skapa tjänst' })).toBeFocused()
  })

  test('an untouched dialog closes at once, and the row is selected by a click anywhere but its outward link', async ({
    page,
  }) => {
    await page.goto('/services')
    const row = page.getByRole('row', { name: /Arkiv/ })
    const outward = row.getByRole('link', { name: 'Öppna https://arkiv.vestibule.example i en ny flik' })
    await expect(outward).toHaveAttribute('target', '_blank')
    await row.getByText('https://arkiv.vestibule.example').click()
    await expect(dialog(page, 'Redigera tjänst')).toContainText('Arkiv')
    await page.mouse.click(20, 400)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL('/services')
  })

  test('a dialog that is closed twice in one breath closes once, and the list stays', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.getByRole('menuitem', { name: 'Tjänster' }).click()
    const name = page.getByRole('textbox', { name: 'Namn' })
    // Faster than the step back to the list, as on a slow machine.
    const closeTwice = () =>
      dialog(page, 'Skapa tjänst')
        .getByRole('button', { name: 'Stäng' })
        .evaluate((button: HTMLElement) => {
          button.click()
          button.click()
        })
    await page.getByRole('link', { name: 'Skapa tjänst' }).click()
    await name.fill('Halvt')
    await closeTwice()
    await confirmation(page).getByRole('button', { name: 'Gå tillbaka' }).click()
    await expect(confirmation(page)).toHaveCount(0)
    await expect(page).toHaveURL('/services/create')
    await name.fill('')
    await closeTwice()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Skapa tjänst' })).toBeFocused()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hej, Siv')
  })

  test('an address of a dialog opens list and dialog, and a service that is gone says so', async ({ page }) => {
    await page.goto('/services')
    const link = page.getByRole('link', { name: 'Arkiv', exact: true })
    const address = (await link.getAttribute('href')) ?? ''
    await page.goto(address)
    await expect(dialog(page, 'Redigera tjänst')).toContainText('Arkiv')
    await expect(page.getByRole('table', { name: 'Tjänster', includeHidden: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/services')
    await page.goto('/services/0190f3c8-7b1a-7000-8000-00000000dead')
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Det du söker finns inte.')
  })

  for (const look of looks)
    test(`is well served: ${look.name}`, async ({ page }) => {
      await page.setViewportSize(look.viewport)
      await page.goto('/services')
      await expect(rows(page).filter({ hasText: /^Arkiv$/ })).toBeVisible()
      await expectAccessible(page)
      await expectNoSideways(page)
      await page.getByRole('link', { name: 'Arkiv', exact: true }).click()
      await expect(dialog(page, 'Redigera tjänst')).toContainText('Arkiv')
      await expectAccessible(page)
      await dialog(page, 'Redigera tjänst').getByRole('button', { name: 'Ta bort' }).click()
      await expect(confirmation(page)).toBeVisible()
      await expectAccessible(page)
      await page.goto('/services/create')
      await page.getByRole('button', { name: 'Skapa', exact: true }).click()
      await expect(page.getByRole('group', { name: '2 saker behöver rättas' })).toBeFocused()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
})

test('an organisation admin neither finds the services nor gets in by their address', async ({ page, signIn }) => {
  await signIn(people.admin)
  for (const path of ['/services', '/services/create']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Du har inte tillgång till sidan' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Administration' })).toHaveCount(0)
  }
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Till startsidan' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Astrid' })).toBeVisible()
})
