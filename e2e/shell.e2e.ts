import type { Page } from '@playwright/test'
import finnish from '../locales/fi/translation.json' with { type: 'json' }
import french from '../locales/fr/translation.json' with { type: 'json' }
import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { people } from './people.ts'

const narrow = { width: 390, height: 844 }

async function openLauncher(page: Page) {
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
}

/** Another address inside the app without asking the server, as a link in it would. */
async function followInside(page: Page, path: string) {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
}

test('the first stop of the Tab key skips the header', async ({ page, signIn }) => {
  await signIn(people.user)
  await openLauncher(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Hoppa till innehållet' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Bokning' })).toBeFocused()
})

test('by keyboard alone, the language changes without a reload', async ({ page, context, signIn }) => {
  await signIn(people.english)
  await openLauncher(page)
  await page.evaluate(() => Object.assign(window, { samePage: true }))
  const account = page.getByRole('button', { name: 'Konto: Maria' })
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

test('the appearance follows the system until somebody chooses, and nothing of it is stored', async ({
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
  await page.getByRole('button', { name: 'Konto: Emil' }).click()
  await page.getByRole('menuitemradio', { name: 'Mörkt' }).click()
  await expect.poll(background).not.toBe(light)
  expect(await stored()).toEqual(before)
})

test('one organisation is a plain label', async ({ page, signIn }) => {
  await signIn(people.user)
  await openLauncher(page)
  await expect(page.getByRole('banner')).toContainText('Organisation: Nordvik AB')
  await expect(page.getByRole('button', { name: /Nordvik AB/ })).toHaveCount(0)
})

test('the footer says who runs the portal and how to reach them', async ({ page, signIn }) => {
  await signIn(people.user)
  await openLauncher(page)
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('Portalbolaget')
  await expect(footer.getByRole('link', { name: 'support@vestibule.example' })).toHaveAttribute(
    'href',
    'mailto:support@vestibule.example',
  )
  await expect(footer.getByRole('link', { name: '+46 8 465 004 00' })).toHaveAttribute('href', 'tel:+46846500400')
})

test('another page has its own title, and the focus goes to its heading', async ({ page, signIn }) => {
  await signIn(people.user)
  await openLauncher(page)
  await followInside(page, '/nowhere/at-all')
  await expect(page).toHaveTitle('Sidan finns inte – Vestibule')
  await expect(page.getByRole('heading', { level: 1, name: '404 Sidan finns inte' })).toBeFocused()
  await page.getByRole('link', { name: 'Till startsidan' }).click()
  await expect(page).toHaveTitle('Översikt – Vestibule')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeFocused()
})

test('Back leads to where one was on the page, another page begins at its top', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.setViewportSize({ width: 390, height: 400 })
  await page.goto('/organization-settings')
  await page.getByRole('table').waitFor()
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  await page.evaluate(() => scrollTo(0, 300))
  await expect.poll(scrolled).toBe(300)
  await followInside(page, '/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Kontoinställningar' })).toBeFocused()
  expect(await scrolled()).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Organisationer' })).toBeFocused()
  await expect.poll(scrolled).toBe(300)
})

test('a question about the person that gets no answer keeps a frame, and can be asked again', async ({
  page,
  signIn,
}) => {
  await signIn(people.user)
  await page.route('**/api/me', (route) => route.abort('connectionfailed'))
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await page.getByRole('combobox', { name: 'Språk' }).selectOption('en')
  await expect(page.getByRole('alert')).toContainText('Something went wrong. Try again.')
  await expectAccessible(page)
  await page.unroute('**/api/me')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Emil' })).toBeVisible()
})

test('a server that fails to say who is there leads to the sign-in once, not round in circles', async ({
  page,
  signIn,
}) => {
  await signIn(people.user)
  await page.route('**/api/me', (route) =>
    route.fulfill({ status: 500, json: { message: 'genericErrorMessage', requestId: 'r' } }),
  )
  const visits: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && visits.push(new URL(request.url()).pathname))
  // The page leaves by itself, maybe before everything of it has come.
  await page.goto('/?searchQuery=a%26b', { waitUntil: 'commit' })
  await expect(page.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await expect(page).toHaveURL('/?searchQuery=a%26b')
  expect(visits.filter((path) => path === '/login')).toHaveLength(1)
})

test('the language chosen last is the one that stays, whichever comes last', async ({ page, signIn }) => {
  await signIn(people.user)
  // The choice stays in this browser: other journeys have the same person.
  await page.route('**/api/profile', (route) => route.fulfill({ json: {} }))
  const release = await holdBack(page, '**/locales/en/translation.json')
  await openLauncher(page)
  const asked = page.waitForRequest('**/locales/en/translation.json')
  for (const language of ['English', 'Suomi']) {
    await page.getByRole('button', { name: /Emil/ }).click()
    await page.getByRole('menuitemradio', { name: language }).click()
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Hei, Emil' })).toBeVisible()
  const late = (await asked).response()
  release()
  await (await late)?.finished()
  await page.getByRole('button', { name: /Emil/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Suomi' })).toHaveAttribute('aria-checked', 'true')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
})

test('a language that cannot be had is told in a notification, which the keyboard reaches', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.user)
  await openLauncher(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Konto: Emil' }).click()
  await page.getByRole('menuitemradio', { name: 'Suomi' }).click()
  await expect(page.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await expect(page.locator('html')).toHaveAttribute('lang', 'sv')
  await page.keyboard.press('F6')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Stäng meddelandet' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeHidden()
})

test('a page that cannot even load its texts says so in Swedish', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.route('**/translation.json', (route) => route.abort('connectionfailed'))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Serverfel' })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('Kontakta oss')
  await page.unroute('**/translation.json')
  await page.getByRole('button', { name: 'Ladda om sidan' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('a crash says so, tells the server once, and names the reference', async ({ page, signIn }) => {
  await signIn(people.both)
  await openLauncher(page)
  const reports: (string | undefined)[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/client-errors')) reports.push(response.headers()['x-request-id'])
  })
  // "Bokning" of the other organisation alone: what is on the screen may be drawn once more at any time.
  await page.evaluate(() => {
    const { codePointAt } = String.prototype
    String.prototype.codePointAt = function (at) {
      if (String(this) === 'B') throw new TypeError('broken on purpose')
      return codePointAt.call(this, at)
    }
  })
  await page.getByRole('button', { name: 'Organisation: Nordvik AB' }).click()
  await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Serverfel' })).toBeVisible()
  await expect(page).toHaveTitle('Serverfel – Vestibule')
  await expect(page.getByText('Något gick fel.')).toBeVisible()
  await expect.poll(() => reports.length).toBe(1)
  await expect(page.getByText(`Referensnummer: ${reports[0]}`)).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'support@vestibule.example' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Ladda om sidan' }).click()
  await expect(page.getByRole('link', { name: 'Bokning' })).toBeVisible()
  expect(reports).toHaveLength(1)
})

test.describe('on a small screen', () => {
  test.use({ viewport: narrow, hasTouch: true })

  test('the menu collapses behind a toggle, and Escape closes it', async ({ page, signIn }) => {
    await signIn(people.finnish)
    await openLauncher(page)
    await expect(page.getByRole('button', { name: 'Konto: Olivia' })).toBeHidden()
    await page.getByRole('button', { name: 'Öppna menyn' }).click()
    const toggle = page.getByRole('button', { name: 'Stäng menyn' })
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('link', { name: 'Översikt' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Logga ut' })).toBeVisible()
    await page.getByRole('combobox', { name: 'Språk' }).selectOption('fi')
    await expect(page.getByRole('heading', { level: 1, name: 'Hei, Olivia' })).toBeVisible()
    await page.keyboard.press('Escape')
    const closed = page.getByRole('button', { name: finnish.openMenu })
    await expect(closed).toBeFocused()
    await expect(closed).toHaveAttribute('aria-expanded', 'false')
  })

  test('the menu closes when it has led somewhere', async ({ page, signIn }) => {
    await signIn(people.user)
    await openLauncher(page)
    await followInside(page, '/nowhere')
    await expect(page.getByRole('heading', { level: 1, name: '404 Sidan finns inte' })).toBeFocused()
    await page.getByRole('button', { name: 'Öppna menyn' }).click()
    await page.getByRole('link', { name: 'Översikt' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Öppna menyn' })).toBeVisible()
  })
})

test('nothing is cut or pushed sideways at 320 px and with large text', async ({ page, signIn }) => {
  await signIn(people.both)
  // The language stays in this browser: other journeys have the same person.
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

test('no language shows the name of a text instead of the text', async ({ page, context, signIn, baseURL }) => {
  await signIn(people.user)
  const keys = new Set(Object.keys(finnish))
  for (const language of ['sv', 'en', 'fi', 'fr']) {
    await context.addCookies([{ name: 'language', value: language, url: String(baseURL) }])
    await openLauncher(page)
    await page.getByRole('button', { name: /Emil/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const shown = await page.evaluate(() => {
      const texts = [document.title]
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.push(walker.currentNode.nodeValue?.trim() ?? '')
      for (const element of document.querySelectorAll('[aria-label]'))
        texts.push(element.getAttribute('aria-label') ?? '')
      return texts
    })
    // A text may look like its own key, such as "organization"; camelCase never is one.
    expect(shown.filter((text) => keys.has(text) && /[a-z][A-Z]/.test(text))).toEqual([])
  }
})

test('nothing moves while the launcher arrives', async ({ page, signIn }) => {
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
  // Two frames later the observer has heard of everything that was drawn.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await page.evaluate(() => (window as unknown as { moves: unknown[] }).moves)).toEqual([])
})

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    test.use(look)

    test('open menus and the page that is not there have no barriers', async ({ page, signIn }) => {
      await signIn(people.both)
      await openLauncher(page)
      await page.getByRole('button', { name: /^Organisation:/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
      await page.getByRole('button', { name: /^(Konto: Bodil|Öppna menyn)$/ }).click()
      const opened = page.getByRole('menu').or(page.getByRole('button', { name: 'Stäng menyn' }))
      await expect(opened).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(opened).toBeHidden()
      await followInside(page, '/nowhere')
      await page.getByText('Adressen kan vara felskriven').waitFor()
      await expectAccessible(page)
    })
  })
}
