import type { Page } from '@playwright/test'
import finnish from '../locales/fi/translation.json' with { type: 'json' }
import french from '../locales/fr/translation.json' with { type: 'json' }
import { expectAccessible, expectAccessibleInThisWidth, expectNoSideways } from './accessibility.ts'
import { expect, narrow, test } from './fixtures.ts'
import { followInside } from './follow-inside.ts'
import { holdBack } from './hold-back.ts'
import { people } from './people.ts'
import { noteShifts, shiftsOn } from './shifts.ts'
import { t, titled } from './texts.ts'

async function openLauncher(page: Page) {
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
}

test('by keyboard alone, the language changes without a reload', async ({ page, context, signIn }) => {
  await signIn(people.english)
  await openLauncher(page)
  await page.evaluate(() => Object.assign(window, { samePage: true }))
  const account = page.getByRole('button', { name: t('accountMenuName', { name: 'Maria' }) })
  await account.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(account).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeFocused()
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/profile'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Maria' })).toBeVisible()
  await expect(page).toHaveTitle('Overview – Vestibule')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect((await context.cookies()).find(({ name }) => name === 'language')?.value).toBe('en')
  expect(await page.evaluate(() => 'samePage' in window)).toBe(true)
  expect((await saved).status()).toBe(200)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Maria' })).toBeVisible()
})

test('the appearance follows the system until the user chooses, and nothing of it is stored', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.user)
  await openLauncher(page)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  const stored = async () => ({
    cookies: (await context.cookies()).map(({ name }) => name),
    places: await page.evaluate(() => ({ ...localStorage, ...sessionStorage })),
  })
  const before = await stored()
  await page.getByRole('button', { name: t('accountMenuName', { name: 'Emil' }) }).click()
  await page.getByRole('menuitemradio', { name: t('themeDark') }).click()
  await expect.poll(background).not.toBe(light)
  expect(await stored()).toEqual(before)
})

test('Back restores the scroll position, a new page starts at the top', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.setViewportSize({ width: 390, height: 400 })
  await page.goto('/organization-settings')
  await page.getByRole('table').waitFor()
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  await page.evaluate(() => scrollTo(0, 300))
  await expect.poll(scrolled).toBe(300)
  await followInside(page, '/account')
  await expect(page.getByRole('heading', { level: 1, name: t('accountSettings') })).toBeFocused()
  expect(await scrolled()).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: t('organizations') })).toBeFocused()
  await expect.poll(scrolled).toBe(300)
})

test('without the user, or its texts, a page says so and can be retried; it redirects to the sign-in once, not in a loop', async ({
  page,
  context,
  signIn,
}) => {
  await test.step('without the user the header stays', async () => {
    await signIn(people.user)
    await page.route(/\/api\/(start|me)$/, (route) => route.abort('connectionfailed'))
    await page.goto('/')
    await expect(page.getByRole('alert')).toContainText(t('genericErrorMessage'))
    await page.getByRole('combobox', { name: t('language') }).selectOption('en')
    await expect(page.getByRole('alert')).toContainText('Something went wrong. Try again.')
    await expectAccessible(page)
    await page.unroute(/\/api\/(start|me)$/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Hello, Emil' })).toBeVisible()
  })
  await test.step('without texts it says so in Swedish', async () => {
    await context.clearCookies({ name: 'language' })
    await page.route('**/translation.json', (route) => route.abort('connectionfailed'))
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: t('serverError') })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText('Kontakta oss')
    await page.unroute('**/translation.json')
    await page.getByRole('button', { name: t('reload') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  })
  await test.step('when the server cannot identify the user', async () => {
    await page.route(/\/api\/(start|me)$/, (route) =>
      route.fulfill({ status: 500, json: { message: 'genericErrorMessage', requestId: 'r' } }),
    )
    const visits: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && visits.push(new URL(request.url()).pathname))
    // The page redirects, maybe before it has loaded completely.
    await page.goto('/?searchQuery=a%26b', { waitUntil: 'commit' })
    await expect(page.getByRole('alert')).toContainText(t('genericErrorMessage'))
    await expect(page).toHaveURL('/?searchQuery=a%26b')
    expect(visits.filter((path) => path === '/login')).toHaveLength(1)
  })
})

test('the last chosen language wins, whichever loads last; one that cannot be loaded shows a notification, reachable by keyboard', async ({
  page,
  signIn,
  context,
}) => {
  await test.step('the last chosen language wins', async () => {
    await signIn(people.user)
    // Do not save the choice: other tests use the same user.
    await page.route('**/api/profile', (route) => route.fulfill({ json: {} }))
    const release = await holdBack(page, '**/locales/en/translation.json')
    await openLauncher(page)
    const asked = page.waitForRequest('**/locales/en/translation.json')
    for (const language of ['English', 'Suomi']) {
      await page.getByRole('button', { name: /Emil/ }).click()
      await page.getByRole('menuitemradio', { name: language }).click()
    }
    await expect(page.getByRole('heading', { level: 1, name: 'Hei Emil!' })).toBeVisible()
    const late = (await asked).response()
    release()
    await (await late)?.finished()
    await page.getByRole('button', { name: /Emil/ }).click()
    await expect(page.getByRole('menuitemradio', { name: 'Suomi' })).toHaveAttribute('aria-checked', 'true')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  })
  await test.step('a language that cannot be loaded', async () => {
    await context.clearCookies({ name: 'language' })
    await openLauncher(page)
    await context.setOffline(true)
    await page.getByRole('button', { name: t('accountMenuName', { name: 'Emil' }) }).click()
    await page.getByRole('menuitemradio', { name: 'Suomi' }).click()
    await expect(page.getByRole('alert')).toContainText(t('genericErrorMessage'))
    await expect(page.locator('html')).toHaveAttribute('lang', 'sv')
    await page.keyboard.press('F6')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: t('closeNotification') })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toBeHidden()
  })
})

test('a crash shows an error with a reference, and reports it to the server once', async ({
  page,
  signIn,
  database,
}) => {
  await signIn(people.both)
  await database.raiseSessions(people.both)
  await openLauncher(page)
  const reports: (string | undefined)[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/client-errors')) reports.push(response.headers()['x-request-id'])
  })
  // The error is limited to "Bokning" of the other organisation: the current screen may render again at any time.
  await page.evaluate(() => {
    const { codePointAt } = String.prototype
    String.prototype.codePointAt = function (at) {
      if (String(this) === 'B') throw new TypeError('broken on purpose')
      return codePointAt.call(this, at)
    }
  })
  await page.getByRole('button', { name: t('organizationMenuName', { name: 'Nordvik AB' }) }).click()
  await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('serverError') })).toBeVisible()
  await expect(page).toHaveTitle(titled(t('serverError')))
  await expect(page.getByText('Något gick fel.')).toBeVisible()
  await expect.poll(() => reports.length).toBe(1)
  await expect(page.getByText(t('referenceId', { id: String(reports[0]) }))).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'support@vestibule.example' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('reload') }).click()
  await expect(page.getByRole('link', { name: 'Bokning' })).toBeVisible()
  expect(reports).toHaveLength(1)
})

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 1100, height: 420 }, hasTouch: true })

  test('the way out is in sight as soon as the account menu is open', async ({ page, signIn }) => {
    await signIn(people.user)
    await openLauncher(page)
    await page.getByRole('button', { name: t('accountMenuName', { name: 'Emil' }) }).click()
    await expect(page.getByRole('menuitem', { name: t('signOut') })).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
  })
})

test('a first visit ends in the own font, and nothing moves when that comes late', async ({ page }) => {
  await noteShifts(page)
  const letGo = await holdBack(page, /\.woff2$/)
  await page.goto('/login', { waitUntil: 'commit' })
  const label = page.getByText(t('email'), { exact: true })
  await expect(label).toBeVisible()
  const widthOf = () =>
    label.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().width
    })
  // Longer than a browser hides text for.
  await page.waitForTimeout(300)
  const before = await widthOf()
  letGo()
  await expect.poll(widthOf).not.toBe(before)
  expect((await shiftsOn(page)).reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001)
})

test.describe('on a small screen', () => {
  test.use({ viewport: narrow, hasTouch: true })

  test('the menu collapses behind a toggle, and closes after navigation and by Escape', async ({ page, signIn }) => {
    await signIn(people.finnish)
    await openLauncher(page)
    await followInside(page, '/nowhere')
    await expect(page.getByRole('heading', { level: 1, name: '404 Sidan finns inte' })).toBeFocused()
    await page.getByRole('button', { name: t('openMenu') }).click()
    await page.getByRole('link', { name: t('overview') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Olivia' }) })).toBeFocused()
    await expect(page.getByRole('button', { name: t('accountMenuName', { name: 'Olivia' }) })).toBeHidden()
    await page.getByRole('button', { name: t('openMenu') }).click()
    const toggle = page.getByRole('button', { name: t('closeMenu') })
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('link', { name: t('overview') })).toBeVisible()
    await expect(page.getByRole('button', { name: t('signOut') })).toBeVisible()
    await page.getByRole('combobox', { name: t('language') }).selectOption('fi')
    await expect(page.getByRole('heading', { level: 1, name: 'Hei Olivia!' })).toBeVisible()
    await page.keyboard.press('Escape')
    const closed = page.getByRole('button', { name: finnish.openMenu })
    await expect(closed).toBeFocused()
    await expect(closed).toHaveAttribute('aria-expanded', 'false')
  })
})

test('nothing is cut off or overflows at 320 px and with large text', async ({ page, signIn }) => {
  await signIn(people.both)
  // Do not save the language: other tests use the same user.
  await page.route('**/api/profile', (route) => route.fulfill({ json: {} }))
  await page.setViewportSize({ width: 320, height: 640 })
  await openLauncher(page)
  for (const [language, texts] of [
    ['fr', french],
    ['fi', finnish],
  ] as const) {
    await page.getByRole('banner').getByRole('button').last().click()
    await page.getByRole('combobox').last().selectOption(language)
    await expect(page.getByRole('button', { name: texts.signOut })).toBeVisible()
    await expectNoSideways(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: texts.signOut })).toBeHidden()
    await expectNoSideways(page)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await expectNoSideways(page)
})

test('the frame: nothing moves, the Tab key skips the header, each page has its title and heading, and the footer names the operator', async ({
  page,
  signIn,
}) => {
  await test.step('nothing moves while the launcher loads', async () => {
    await signIn(people.user)
    await page.addInitScript(() => {
      const moves: unknown[] = []
      Object.assign(window, { moves })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[])
          moves.push([
            entry.value,
            entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : null)),
          ])
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await openLauncher(page)
    await page.getByRole('contentinfo').waitFor()
    // After two frames the observer has received all entries.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.evaluate(() => (window as unknown as { moves: unknown[] }).moves)).toEqual([])
  })
  await test.step('the first stop of the Tab key skips the header', async () => {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: t('skipToContent') })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    // The search, or with few services the first of them.
    await expect(page.getByRole('main').locator(':focus')).toBeVisible()
  })
  await test.step('one organisation is a plain label', async () => {
    await expect(page.getByRole('banner')).toContainText(t('organizationMenuName', { name: 'Nordvik AB' }))
    await expect(page.getByRole('button', { name: /Nordvik AB/ })).toHaveCount(0)
  })
  await test.step('each page has its own title, and the focus moves to its heading', async () => {
    await followInside(page, '/nowhere/at-all')
    await expect(page).toHaveTitle(titled(t('pageNotFound')))
    await expect(page.getByRole('heading', { level: 1, name: '404 Sidan finns inte' })).toBeFocused()
    await page.getByRole('link', { name: t('goHome') }).click()
    await expect(page).toHaveTitle(titled(t('overview')))
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeFocused()
  })
  await test.step('the footer names the operator and the contact', async () => {
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText('Portalbolaget')
    await expect(footer.getByRole('link', { name: 'support@vestibule.example' })).toHaveAttribute(
      'href',
      'mailto:support@vestibule.example',
    )
    await expect(footer.getByRole('link', { name: '+46 8 465 004 00' })).toHaveAttribute('href', 'tel:+46846500400')
    await footer.getByRole('link', { name: t('privacyTitle') }).click()
    await page.getByRole('link', { name: t('keptTitle') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('keptTitle') })).toBeVisible()
    await expect(page.getByRole('row', { name: t('keptInvitations') })).toContainText('90')
  })
})

test('open menus and the "not found" page are accessible at every width', async ({ page, signIn }) => {
  await signIn(people.both)
  await openLauncher(page)
  await page.getByRole('button', { name: /^Organisation:/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.getByRole('button', { name: 'Konto: Bodil' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.setViewportSize(narrow)
  await page.getByRole('button', { name: /^Organisation:/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessibleInThisWidth(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.getByRole('button', { name: t('openMenu') }).click()
  const close = page.getByRole('button', { name: t('closeMenu') })
  await expect(close).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(close).toBeHidden()
  await followInside(page, '/nowhere')
  await page.getByText('Adressen kan vara felskriven').waitFor()
  await expectAccessible(page)
})
