import type { Locator, Page } from '@playwright/test'
import { expectAccessibleInBothThemes, expectAccessibleInThisWidth, expectNoSideways } from './accessibility.ts'
import { expect, narrow, test } from './fixtures.ts'

const views = ['', 'sign-in', 'code', 'expired', 'launcher', 'not-found']

for (const view of views)
  test(`every part of the kit is accessible and fits, down to 320 px, which is 400 % zoom: ${view || 'all'}`, async ({
    page,
  }) => {
    await page.goto(`/dev/kit?view=${view}`)
    await page.locator('h1').waitFor()
    await expectAccessibleInBothThemes(page)
    await expectNoSideways(page)
    if (view === '') await expectStill(page)
    await page.setViewportSize(narrow)
    await expectAccessibleInThisWidth(page)
    await expectNoSideways(page)
    if (view === 'code') await expectFingerHigh(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSideways(page)
  })

/** With reduced motion nothing moves. */
async function expectStill(page: Page): Promise<void> {
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
      const lasts = (durations: string) => durations.split(',').some((duration) => Number.parseFloat(duration) > 0)
      return lasts(transitionDuration) || (animationName !== 'none' && lasts(animationDuration))
    }),
  )
  expect(moving).toEqual([])
}

async function expectFingerHigh(page: Page): Promise<void> {
  const heights = await page
    .locator('form input:visible, form button:visible, form a:visible')
    .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
}

test.describe('the code input', () => {
  const slots = (input: Locator) =>
    input.evaluate((element) => [...(element.nextElementSibling?.children ?? [])].map((slot) => slot.textContent))
  const states = (input: Locator) =>
    input.evaluate((element) =>
      [...(element.nextElementSibling?.children ?? [])].map((slot) => slot.getAttribute('data-state')),
    )

  test('follows every editing key, ignores letters, and sends a pasted code with a space once', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/dev/kit')
    const input = page.getByLabel('Login code').first()
    await input.focus()
    await page.evaluate(() => navigator.clipboard.writeText('123 456'))
    await page.keyboard.press('Control+V')
    await expect.poll(() => slots(input)).toEqual(['1', '2', '3', '4', '5', '6'])
    await expect(page.getByText('Sent 1 times').first()).toBeVisible()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Control+V')
    await expect(page.getByText('Sent 1 times').first()).toBeVisible()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('12x34')
    await expect.poll(() => slots(input)).toEqual(['1', '2', '3', '4', '', ''])
    await page.keyboard.press('Backspace')
    await expect.poll(() => slots(input)).toEqual(['1', '2', '3', '', '', ''])
    await page.keyboard.press('Home')
    await expect.poll(() => states(input)).toEqual(['caret', null, null, null, null, null])
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => states(input)).toEqual([null, 'caret', null, null, null, null])
    await page.keyboard.type('y')
    expect(await input.evaluate((element: HTMLInputElement) => element.selectionStart)).toBe(1)
    await page.keyboard.press('Control+A')
    await expect.poll(() => states(input)).toEqual(['selected', 'selected', 'selected', null, null, null])
    await page.keyboard.type('987654')
    await expect.poll(() => slots(input)).toEqual(['9', '8', '7', '6', '5', '4'])
  })
})

test('a password is shown in place, a table sorts and its rows lead on, and tabs follow the arrow keys', async ({
  page,
}) => {
  await test.step('showing a password keeps the value and the position of the caret', async () => {
    await page.goto('/dev/kit')
    const input = page.getByLabel('New password').first()
    await input.fill('Demo-password-1')
    await input.evaluate((element: HTMLInputElement) => element.setSelectionRange(3, 3))
    const toggle = page.getByRole('button', { name: 'Show password' }).first()
    await expect(toggle).toHaveAttribute('aria-pressed', 'false')
    await toggle.click()
    await expect(input).toHaveAttribute('type', 'text')
    await expect(toggle).toHaveAttribute('aria-pressed', 'true')
    await expect(input).toHaveValue('Demo-password-1')
    await expect(input).toBeFocused()
    await expect.poll(() => input.evaluate((element: HTMLInputElement) => element.selectionStart)).toBe(3)
  })
  await test.step('the arrow keys move between tabs', async () => {
    const tabs = page.getByRole('tablist', { name: 'Edit user (light)' }).getByRole('tab')
    await tabs.first().focus()
    await page.keyboard.press('ArrowRight')
    await expect(tabs.nth(1)).toBeFocused()
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('End')
    await expect(tabs.last()).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(tabs.first()).toBeFocused()
  })
  await test.step('a table sorts by its headers, and a row is followed only by a plain click', async () => {
    const table = page.getByRole('table', { name: 'Users, light' })
    await table.getByRole('button', { name: 'First name' }).click()
    await expect(table.locator('th[aria-sort]')).toHaveCount(1)
    await expect(table.getByRole('columnheader', { name: 'First name' })).toHaveAttribute('aria-sort', 'ascending')
    const cell = table.getByRole('cell', { name: 'both', exact: true })
    await cell.click({ modifiers: ['Control'] })
    expect(new URL(page.url()).hash).toBe('')
    await cell.evaluate((element) => getSelection()?.selectAllChildren(element))
    await cell.dispatchEvent('click')
    expect(new URL(page.url()).hash).toBe('')
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await cell.click()
    await expect(page).toHaveURL('/dev/kit#u3')
  })
})
