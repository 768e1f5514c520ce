import type { Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { expect, test } from './fixtures.ts'

const openToasts = (page: Page) => page.locator('section[aria-live] > [data-open]')

/** Only the overlays are checked here; kit-parts.e2e.ts checks the page below. */
const menus = '[role=menu]'
const dialogs = '[role=dialog], [role=alertdialog]'

test.beforeEach(async ({ page }) => {
  await page.goto('/dev/kit')
})

test('a menu works by keyboard and by mouse', async ({ page }) => {
  await test.step('opens at the selected entry', async () => {
    const button = page.getByRole('button', { name: 'Organisation: Nordvik AB' })
    await button.press('Enter')
    await expect(page.getByRole('menuitemradio', { name: 'Nordvik AB' })).toBeFocused()
    await expectAccessibleInBothThemes(page, menus)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { name: 'Solberga kommun' })).toBeFocused()
    await page.keyboard.press('h')
    await expect(page.getByRole('menuitemradio', { name: 'Havsvik Bank AB' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(button).toBeFocused()
  })
  await test.step('closes on a second click on its button and on a click outside', async () => {
    const button = page.getByRole('button', { name: 'Organisation: Nordvik AB' })
    await button.click()
    await expect(page.getByRole('menu')).toBeVisible()
    await button.click()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await button.click()
    await page.getByRole('heading', { level: 2, name: 'Above the page' }).click()
    await expect(page.getByRole('menu')).toHaveCount(0)
  })
})

test('dialogs close one at a time, give the focus back, and focus what is harmless first', async ({ page }) => {
  await test.step('one above another', async () => {
    const opener = page.getByRole('button', { name: 'Dialog', exact: true })
    await opener.click()
    await expect(page.getByRole('heading', { name: 'Edit user' })).toBeFocused()
    await expectAccessibleInBothThemes(page, dialogs)
    await page.getByRole('button', { name: 'Open one above' }).click()
    await expect(page.getByRole('dialog', { name: 'Above' })).toBeVisible()
    await expectAccessibleInBothThemes(page, dialogs)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Above' })).toHaveCount(0)
    await expect(page.getByRole('dialog', { name: 'Edit user' })).toBeVisible()
    await page.mouse.click(10, 300)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(opener).toBeFocused()
  })
  await test.step('a destructive confirmation focuses Cancel', async () => {
    await page.getByRole('button', { name: 'Confirmation' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete Nordvik AB?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessibleInBothThemes(page, dialogs)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
  })
  await test.step('the session warning focuses Stay', async () => {
    await page.getByRole('button', { name: 'Session ending' }).click()
    await expect(page.getByRole('button', { name: 'Stay signed in' })).toBeFocused()
    await expectAccessibleInBothThemes(page, dialogs)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })
  await test.step('a combobox filters and chooses', async () => {
    await page.getByRole('button', { name: 'Dialog', exact: true }).click()
    const combobox = page.getByRole('dialog').getByRole('combobox', { name: 'Organisation' })
    await combobox.fill('sol')
    await expect(page.getByRole('option')).toHaveText(['Solberga kommun'])
    await expectAccessibleInBothThemes(page, `${dialogs}, [role=listbox]`)
    await combobox.press('ArrowDown')
    await combobox.press('Enter')
    await expect(combobox).toHaveValue('Solberga kommun')
  })
})

test('at most three toasts are shown and swiped away; one above a dialog is announced, reached by F6 and closed by keyboard', async ({
  page,
}) => {
  await test.step('at most three; 45 px to the right is too little, 55 px dismisses', async () => {
    for (let count = 0; count < 5; count++) await page.getByRole('button', { name: 'Error toast' }).click()
    await expect(openToasts(page)).toHaveCount(3)
    const swipe = async (distance: number) => {
      const box = await openToasts(page).first().boundingBox()
      if (!box) throw new Error('no toast')
      await page.mouse.move(box.x + 120, box.y + 20)
      await page.mouse.down()
      await page.mouse.move(box.x + 120 + distance / 2, box.y + 20)
      await page.mouse.move(box.x + 120 + distance, box.y + 20)
      await page.mouse.up()
    }
    await swipe(45)
    await expect(openToasts(page)).toHaveCount(3)
    await swipe(55)
    await expect(openToasts(page)).toHaveCount(2)
  })
  await test.step('above a dialog', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Dialog', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Edit user' })).toBeFocused()
    // Shown while the dialog is open, like the error of a failed request.
    await page.locator('button', { hasText: 'Error toast' }).dispatchEvent('click')
    const region = page.getByRole('region', { name: /Notifications/ })
    await expect(region).toHaveAttribute('aria-live', 'polite')
    await expect(region.getByRole('alert')).toContainText('Not saved')
    await expectAccessibleInBothThemes(page, `${dialogs}, section[aria-live]`)
    await page.keyboard.press('F6')
    await expect(region).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(region.getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(openToasts(page)).toHaveCount(0)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Edit user' })).toBeFocused()
  })
})

test('toasts cover no button of a dialog at any size', async ({ page }) => {
  for (const [width, height] of [
    [1280, 800],
    [1024, 600],
    [390, 844],
    [320, 640],
  ] as const)
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await page.getByRole('button', { name: 'Dialog', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Edit user' })).toBeFocused()
      for (let count = 0; count < 3; count++)
        await page.locator('button', { hasText: 'Error toast' }).dispatchEvent('click')
      await expect(openToasts(page)).toHaveCount(3)
      const covered = () =>
        page.getByRole('dialog').evaluate((dialog) =>
          [...dialog.querySelectorAll('button')]
            .filter((button) => {
              const { x, y, width, height } = button.getBoundingClientRect()
              const top = document.elementFromPoint(x + width / 2, y + height / 2)
              return top?.closest('section[aria-live]')
            })
            .map((button) => button.textContent),
        )
      await expect.poll(covered).toEqual([])
      // And the usual way out is on the screen.
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      for (let left = 2; left >= 0; left--) {
        await openToasts(page).first().getByRole('button', { name: 'Close' }).press('Enter')
        await expect(openToasts(page)).toHaveCount(left)
      }
    })
})

test('the skip link is the first stop, and on a narrow screen the menu is a panel that Escape closes', async ({
  page,
}) => {
  await page.goto('/dev/kit?view=launcher')
  await page.locator('h1').waitFor()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await expect(page.getByRole('link', { name: 'Organisations' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Organisations' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Open the menu' })).toBeFocused()
})
