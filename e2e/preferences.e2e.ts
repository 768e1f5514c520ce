import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const screens = ['/', '/account', '/services', '/services/create', '/organization-settings/create', '/users']

async function open(page: Page, address: string) {
  await page.goto(address)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  if (address.endsWith('create')) await expect(page.locator('[role=dialog] :focus')).toBeVisible()
}

test.describe('a user who prefers reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('sees no animation', async ({ page, signIn }) => {
    await signIn(people.superUser)
    for (const address of [...screens, '/reset-password']) {
      await open(page, address)
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) =>
          [null, '::before', '::after'].flatMap((part) => {
            const { transitionDuration, animationDuration } = getComputedStyle(element, part)
            const lasts = `${transitionDuration},${animationDuration}`
              .split(',')
              .some((time) => Number.parseFloat(time) > 0)
            return lasts ? [`${element.outerHTML.slice(0, 80)} ${part ?? ''}`] : []
          }),
        ),
      )
      expect(moving).toEqual([])
    }
  })
})

test.describe('a user with forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } })

  test('sees the edges of fields, buttons and dialogs, and where the focus is', async ({ page, signIn }) => {
    await signIn(people.superUser)
    await open(page, '/organization-settings/create')
    const edgeless = await page.evaluate(() => {
      const controls =
        '[role=dialog], [role=dialog] :is(button, input:not([type=radio], [type=checkbox]), textarea, select)'
      return [...document.querySelectorAll(controls)]
        .filter((element) => {
          const { borderTopStyle, borderTopWidth } = getComputedStyle(element)
          return borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) === 0
        })
        .map((element) => element.outerHTML.slice(0, 100))
    })
    expect(edgeless).toEqual([])
    await page.keyboard.press('Tab')
    await expectFocusShown(page)
  })
})

/**
 * The focused element has a focus ring of at least 2 px, on itself or on the element that represents it, and nothing
 * covers it.
 *
 * @returns whether any element has the focus
 */
async function expectFocusShown(page: Page): Promise<boolean> {
  const [anything, flaw] = await page.evaluate(async () => {
    // A dialog moves the focus back to its start one frame later.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body) return [false]
    const ring = (element: Element | null | undefined) =>
      [null, '::before', '::after'].some((part) => {
        if (!element) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, part)
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || /\b[2-9]px\b/.test(boxShadow)
      })
    const standIns = [focused, focused.parentElement, focused.nextElementSibling, focused.parentElement?.parentElement]
    const name = focused.outerHTML.slice(0, 120)
    if (!standIns.some(ring)) return [true, `no ring: ${name}`]
    const { left, top, width, height } = focused.getBoundingClientRect()
    if (top < 0 || top + height > innerHeight + 1) return [true, `out of sight: ${name}`]
    const over = document.elementFromPoint(left + width / 2, top + height / 2)
    const shown = over && standIns.some((one) => one && (one.contains(over) || over.contains(one)))
    return shown ? [true] : [true, `covered by ${over?.outerHTML.slice(0, 80)}: ${name}`]
  })
  expect(flaw).toBeUndefined()
  return anything === true
}

for (const viewport of [
  { width: 1280, height: 500 },
  { width: 390, height: 500 },
])
  test(`the focus is visible at every stop, ${viewport.width} px wide`, async ({ page, signIn }) => {
    test.setTimeout(180_000)
    await page.setViewportSize(viewport)
    await signIn(people.superUser)
    for (const address of screens) {
      await open(page, address)
      // A dialog keeps the focus inside and starts in its first field.
      for (let stop = 0; stop < 30; stop++) {
        await page.keyboard.press('Tab')
        if (!(await expectFocusShown(page))) break
      }
    }
  })

test('a list that cannot be loaded keeps its frame, is accessible and can be reloaded', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.superUser)
  for (const [address, call] of [
    ['/services', /\/api\/services\?/],
    ['/organization-settings', /\/api\/organizations\?/],
    ['/users', /\/api\/users\?/],
  ] as const)
    await test.step(address, async () => {
      await page.route(call, (route) =>
        route.fulfill({ status: 500, json: { message: 'genericErrorMessage', requestId: 'r' } }),
      )
      await page.goto(address)
      const alert = page.getByRole('main').getByRole('alert')
      await expect(alert).toContainText(t('genericErrorMessage'))
      await expect(page.getByRole('banner')).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.unroute(call)
      // What all lists share is looked at in one.
      if (address !== '/users') {
        await alert.getByRole('button', { name: t('tryAgain') }).click()
        await expect(page.getByRole('table')).toBeVisible()
        return
      }
      await expectAccessible(page)
      await context.setOffline(true)
      let unanswered = 0
      page.on('requestfailed', (request) => {
        if (call.test(request.url())) unanswered++
      })
      await alert.getByRole('button', { name: t('tryAgain') }).click()
      // The query retries once: keep the network down until then.
      await expect.poll(() => unanswered).toBe(2)
      await expect(alert).toBeVisible()
      await expect(alert.getByRole('button', { name: t('tryAgain') })).toBeFocused()
      await context.setOffline(false)
      await alert.getByRole('button', { name: t('tryAgain') }).click()
      await expect(page.getByRole('table')).toBeVisible()
      await expect(alert).toHaveCount(0)
    })
})
