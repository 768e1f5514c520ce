import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t, titled } from './texts.ts'

/** Tests share a database and run in parallel, so each creates its own services. */
let made = 0
const ownName = (what: string) => `${what} ${process.pid}-${++made}`

const rows = (page: Page) => page.getByRole('table', { name: t('services') }).getByRole('rowheader')
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

  test('finds the services through the menu, sorts them in the address, and opens one by its row or its address', async ({
    page,
  }) => {
    await test.step('found through the menu, and sorted', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: t('administration') }).click()
      await page.getByRole('menuitem', { name: t('services') }).click()
      await expect(page).toHaveTitle(titled(t('services')))
      await expect(page.getByRole('navigation', { name: t('breadcrumb') })).toContainText(t('administration'))
      await expect(rows(page).filter({ hasText: /^Arkiv$/ })).toBeVisible()
      await expect(page.getByRole('columnheader', { name: t('name') })).toHaveAttribute('aria-sort', 'ascending')
      await page.getByRole('button', { name: t('name') }).click()
      await expect(page).toHaveURL('/services?sortDirection=desc')
      await expect(page.getByRole('columnheader', { name: t('name') })).toHaveAttribute('aria-sort', 'descending')
      await page.getByRole('button', { name: t('webAddress') }).click()
      await expect(page).toHaveURL('/services?sort=url')
      await expect(page.locator('th[aria-sort]')).toHaveCount(1)
      await page.goBack()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greetingName', { name: 'Siv' }))
    })
    await test.step('an invalid sort order falls back', async () => {
      await page.goto('/services?sort=evil&sortDirection=sideways')
      await expect(page.getByRole('columnheader', { name: t('name') })).toHaveAttribute('aria-sort', 'ascending')
      await expect(rows(page).filter({ hasText: /^Arkiv$/ })).toBeVisible()
    })
    await test.step('a click anywhere but on the external link opens the row; an unchanged dialog closes immediately', async () => {
      await page.goto('/services')
      const row = page.getByRole('row', { name: /Arkiv/ })
      const url = (await row.locator('a[target=_blank]').getAttribute('href')) ?? ''
      expect(url).toMatch(/\/arkiv\/$/)
      await expect(row.getByRole('link', { name: t('openInNewTab', { url }) })).toBeVisible()
      await row.getByText(url).click()
      await expect(dialog(page, t('editService'))).toContainText('Arkiv')
      await page.mouse.click(20, 400)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL('/services')
    })
    await test.step('the address of a dialog opens list and dialog, and a deleted service says so', async () => {
      await page.goto('/services')
      const link = page.getByRole('link', { name: 'Arkiv', exact: true })
      const address = (await link.getAttribute('href')) ?? ''
      await page.goto(address)
      await expect(dialog(page, t('editService'))).toContainText('Arkiv')
      await expect(page.getByRole('table', { name: t('services'), includeHidden: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/services')
      await page.goto('/services/0190f3c8-7b1a-7000-8000-00000000dead')
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText(t('notFound'))
    })
  })

  test('gives a service an SVG as its icon, which the browser draws, and puts its category first', async ({ page }) => {
    const name = ownName('Bildsatt')
    await page.goto('/services/create')
    const form = dialog(page, t('createService'))
    await form.getByRole('textbox', { name: t('name'), exact: true }).fill(name)
    await form.getByRole('textbox', { name: t('webAddress') }).fill('https://bild.example')
    await form.getByRole('radio', { name: t('serviceKindLink') }).check()
    await form.getByText(t('serviceMoreFields')).click()
    await form.getByRole('combobox', { name: t('category') }).fill('Ömsint')
    await form.getByRole('radio', { name: t('glyphClock') }).check({ force: true })
    const choose = (text: string) =>
      form.locator('input[type=file]').setInputFiles({
        name: 'icon.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from(text),
      })
    await choose('no image')
    await expect(form.getByRole('alert')).toHaveText(t('iconUnreadable'))
    await choose(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script><rect width="8" height="8"/></svg>',
    )
    await expect(form.getByRole('radio', { name: t('iconOwn') })).toBeChecked()
    await expectAccessible(page)
    await form.getByRole('button', { name: t('create') }).click()
    await expect(dialog(page, t('editService'))).toContainText(name)
    await page.keyboard.press('Escape')
    const icon = page.getByRole('row', { name }).locator('img')
    await expect(icon).toHaveAttribute('src', /^\/service-icons\/[0-9a-f]{64}\.png$/)
    const drawn = () => icon.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.complete])
    await expect.poll(drawn).toEqual([128, true])

    await page.goto('/services/order')
    const up = page.getByRole('button', { name: t('moveUp', { name: 'Ömsint' }) })
    const order = dialog(page, t('orderCategories')).getByRole('listitem')
    await up.waitFor()
    for (let left = await order.count(); left > 0; left--) await up.click({ force: true })
    await expect(order.first()).toContainText('Ömsint')
    await page.getByRole('button', { name: t('save') }).click()
    await expect(page.getByText(t('orderSaved'))).toBeVisible()
    await page.getByRole('link', { name, exact: true }).click()
    await dialog(page, t('editService'))
      .getByRole('button', { name: t('delete') })
      .click()
    await confirmation(page)
      .getByRole('button', { name: t('delete') })
      .click()
    await expect(page.getByText(t('deleted', { name }))).toBeVisible()
  })

  test('sees what another admin changed and decides field by field, and is asked again before deleting a service in use', async ({
    page,
    database,
  }) => {
    await test.step('deleting a service that organisations use', async () => {
      const name = ownName('Delad')
      await database.giveServices(people.colleague, [name])
      await page.goto('/services')
      await page.getByRole('link', { name, exact: true }).click()
      await dialog(page, t('editService'))
        .getByRole('button', { name: t('delete') })
        .click()
      await confirmation(page)
        .getByRole('button', { name: t('delete') })
        .click()
      await expect(confirmation(page)).toContainText(t('deleteServiceInUseTitle', { name }))
      await expect(confirmation(page).getByRole('button', { name: t('cancel') })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog(page, t('editService'))).toBeVisible()
      await dialog(page, t('editService'))
        .getByRole('button', { name: t('delete') })
        .click()
      await confirmation(page)
        .getByRole('button', { name: t('delete') })
        .click()
      await confirmation(page)
        .getByRole('button', { name: t('deleteAnyway') })
        .click()
      await expect(page.getByText(t('deleted', { name }))).toBeVisible()
      await expect(page).toHaveURL('/services')
    })
    await test.step('a change by another admin', async () => {
      const name = ownName('Krock')
      const id = await createService(page, name)
      await page.goto(`/services/${id}`)
      const field = page.getByRole('textbox', { name: t('name') })
      await field.fill(`${name} min`)
      await changeElsewhere(page, id, { name: `${name} deras`, url: 'https://deras.example' })
      await page.getByRole('button', { name: t('save') }).click()
      const notice = page.getByRole('alert')
      await expect(notice).toContainText(t('changedByOthers'))
      await expect(notice).toContainText(t('theirValue', { value: `${name} deras` }))
      await expect(notice).toContainText(t('yourValue', { value: `${name} min` }))
      await expect(notice).toContainText(t('theirValue', { value: 'https://deras.example' }))
      await expect(field).toHaveValue(`${name} min`)
      await expect(page.getByRole('textbox', { name: t('webAddress') })).toHaveValue('https://deras.example')
      await expectAccessible(page)
      await page.getByRole('button', { name: t('useTheirsFor', { field: 'Namn' }) }).click()
      await expect(field).toHaveValue(`${name} deras`)
      await page.getByRole('button', { name: t('keepMineFor', { field: 'Namn' }) }).click()
      await expect(field).toHaveValue(`${name} min`)
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
      await expect(page.getByRole('row', { name: `${name} min` })).toContainText('https://deras.example')
    })
  })

  test('sees errors at their fields, those of the server too, on a narrow screen too; a double click sends one service', async ({
    page,
  }) => {
    let answer: { status: number; json?: object; body?: string } | undefined
    await test.step('errors at their fields, those of the server too', async () => {
      // Before the page is opened: what is intercepted later may miss a request that follows at once.
      await page.route('**/api/services', (route) =>
        answer && route.request().method() === 'POST' ? route.fulfill(answer) : route.continue(),
      )
      await page.goto('/services/create')
      await page.getByRole('button', { name: t('create'), exact: true }).click()
      await expect(page.getByRole('group', { name: t('formErrors', { count: 3 }) })).toBeFocused()
      await expect(page).toHaveTitle(/^Fel: /)
      await page.getByRole('link', { name: 'Webbadress: Fyll i det här fältet.' }).click()
      const url = page.getByRole('textbox', { name: t('webAddress') })
      await expect(url).toBeFocused()
      await page.keyboard.type('ftp://fel.example')
      await page.getByRole('textbox', { name: t('name') }).fill(ownName('Fel'))
      await page.getByRole('radio', { name: t('serviceKindLink') }).check()
      await url.focus()
      await page.keyboard.press('Enter')
      await expect(url).toBeFocused()
      await expect(url).toHaveAccessibleDescription(/Ange en giltig webbadress/)

      await url.fill('https://vagras.example')
      await expect(url).not.toHaveAttribute('aria-invalid', 'true')
      const issues = [{ path: 'url', message: 'invalidUrl' }]
      answer = { status: 422, json: { message: 'validationFailed', issues, requestId: 'journey' } }
      await page.keyboard.press('Enter')
      await expect(url).toBeFocused()
      await expect(url).toHaveAttribute('aria-invalid', 'true')
      answer = { status: 500, body: 'broken' }
      await url.fill('https://brister.example')
      await page.keyboard.press('Enter')
      await expect(dialog(page, t('createService')).getByRole('alert')).toHaveText(t('genericErrorMessage'))
      await expect(url).toHaveValue('https://brister.example')
    })
    await test.step('a double click', async () => {
      const name = ownName('Dubbel')
      answer = undefined
      await page.getByRole('textbox', { name: t('name') }).fill(name)
      await page.getByRole('textbox', { name: t('webAddress') }).fill('https://dubbel.example')
      await page.getByRole('button', { name: t('create'), exact: true }).dblclick()
      await expect(page.getByText(t('created', { name }))).toBeVisible()
      await expect(dialog(page, t('editService'))).toContainText(name)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(1)
    })
    await test.step('on a narrow screen', async () => {
      await page.setViewportSize(narrow)
      await page.goto('/services')
      await expect(rows(page).filter({ hasText: /^Arkiv$/ })).toBeVisible()
      await expectNoSideways(page)
      await page.getByRole('link', { name: 'Arkiv', exact: true }).click()
      await expect(dialog(page, t('editService'))).toContainText('Arkiv')
      await dialog(page, t('editService'))
        .getByRole('button', { name: t('delete') })
        .click()
      await expect(confirmation(page)).toBeVisible()
      await expectAccessible(page)
      await page.goto('/services/create')
      await page.getByRole('button', { name: t('create'), exact: true }).click()
      await expect(page.getByRole('group', { name: t('formErrors', { count: 3 }) })).toBeFocused()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
  })

  // All other journeys use reduced motion.
  test.describe('while menus, dialogs and notifications move', () => {
    test.use({ contextOptions: { reducedMotion: 'no-preference' } })

    test('creates, changes and deletes a service by keyboard alone', { tag: '@main' }, async ({ page }) => {
      const name = ownName('Tangent')
      await page.goto('/services?sortDirection=desc')
      await page.getByRole('link', { name: t('createService') }).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/services/create?sortDirection=desc')
      await expect(page.getByRole('textbox', { name: t('name') })).toBeFocused()
      await page.keyboard.type(name)
      await page.keyboard.press('Tab')
      await page.keyboard.type('https://tangent.example')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await expect(page.getByRole('radio', { name: t('serviceKindLink') })).toBeChecked()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText(t('created', { name }))).toBeVisible()
      // What is next: the service itself, above the list as it was.
      await expect(dialog(page, t('editService'))).toContainText(t('signInNone'))
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/services?sortDirection=desc')

      const row = page.getByRole('link', { name, exact: true })
      await row.focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page, t('editService'))).toBeVisible()
      await expect(page.getByRole('heading', { name: t('editService') })).toBeFocused()
      await page.getByRole('textbox', { name: t('webAddress') }).focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('https://annan.example')
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('updated'))).toBeVisible()
      await expect(page.getByRole('row', { name })).toContainText('https://annan.example')
      await expect(row).toBeFocused()

      await page.keyboard.press('Enter')
      await dialog(page, t('editService'))
        .getByRole('button', { name: t('delete') })
        .focus()
      await page.keyboard.press('Enter')
      await expect(confirmation(page)).toContainText(t('deleteNamed', { name }))
      await expect(confirmation(page).getByRole('button', { name: t('cancel') })).toBeFocused()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('deleted', { name }))).toBeVisible()
      await expect(row).toHaveCount(0)
    })

    test('is asked before unsaved changes are lost by any way out, and a dialog that is closed twice in quick succession closes once', async ({
      page,
    }) => {
      await test.step('closed twice', async () => {
        await page.goto('/')
        await page.getByRole('button', { name: t('administration') }).click()
        await page.getByRole('menuitem', { name: t('services') }).click()
        const name = page.getByRole('textbox', { name: t('name') })
        // Before the navigation to the list, as on a slow machine.
        const closeTwice = () =>
          dialog(page, t('createService'))
            .getByRole('button', { name: t('close') })
            .evaluate((button: HTMLElement) => {
              button.click()
              button.click()
            })
        await page.getByRole('link', { name: t('createService') }).click()
        await name.fill('Halvt')
        await closeTwice()
        await confirmation(page)
          .getByRole('button', { name: t('goBackToForm') })
          .click()
        await expect(confirmation(page)).toHaveCount(0)
        await expect(page).toHaveURL('/services/create')
        await name.fill('')
        await closeTwice()
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await expect(page.getByRole('link', { name: t('createService') })).toBeFocused()
        await page.goBack()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greetingName', { name: 'Siv' }))
      })
      await test.step('asked before unsaved changes are lost: Escape, backdrop, Back and a link', async () => {
        await page.goto('/services?sort=url')
        await page.getByRole('link', { name: t('createService') }).click()
        const name = page.getByRole('textbox', { name: t('name') })
        await name.fill('Halvt')
        const ways: (() => Promise<unknown>)[] = [
          () => page.keyboard.press('Escape'),
          () => page.mouse.click(20, 400),
          () => page.evaluate(() => history.back()),
          () =>
            dialog(page, t('createService'))
              .getByRole('button', { name: t('close') })
              .click(),
        ]
        for (const leave of ways) {
          await leave()
          await expect(confirmation(page)).toContainText(t('discardChangesTitle'))
          await confirmation(page)
            .getByRole('button', { name: t('goBackToForm') })
            .click()
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
        await confirmation(page)
          .getByRole('button', { name: t('discardChanges') })
          .click()
        await expect(page).toHaveURL('/services?sort=url')
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await expect(page.getByRole('link', { name: t('createService') })).toBeFocused()
      })
    })
  })
})
