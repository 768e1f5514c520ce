import type { Page } from '@playwright/test'
import { screens } from '../contract/screens.ts'
import english from '../locales/en/translation.json' with { type: 'json' }
import finnish from '../locales/fi/translation.json' with { type: 'json' }
import french from '../locales/fr/translation.json' with { type: 'json' }
import swedish from '../locales/sv/translation.json' with { type: 'json' }
import { expect, expectNoSideways, test } from './fixtures.ts'
import { type DemoEmail, people } from './people.ts'

const languages: Record<string, Record<string, string>> = { sv: swedish, en: english, fi: finnish, fr: french }
const publicScreens = [
  '/login',
  '/reset-password',
  '/reset-password/gone',
  '/accept-invitation/gone',
  '/session-expired',
]

/** Who draws a screen: super users have no colleagues of their own. */
const personOf = (screen: string): DemoEmail =>
  screen.startsWith('/user-administration') ? people.admin : people.superUser

/** Every screen of the app as this person opens it, with somebody and something of Nordvik in its address. */
async function addressesOf(page: Page, person: DemoEmail): Promise<string[]> {
  const first = async (path: string) => {
    const answer = await (await page.request.get(path)).json()
    return (answer.items ?? answer)[0]
  }
  const { accountId: me } = await (await page.request.get('/api/me')).json()
  const { organizationId } =
    person === people.admin
      ? await first(`/api/users/${me}/organizations`)
      : await first('/api/organizations?searchQuery=nordvik')
  const { accountId } = await first(`/api/organizations/${organizationId}/users?searchQuery=anna.andersson`)
  const { serviceId } = await first(`/api/organizations/${organizationId}/services`)
  const values: Record<string, string> = { organizationId, accountId, serviceId }
  return screens
    .filter((screen) => personOf(screen) === person)
    .map((screen) =>
      screen.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        if (!values[name]) throw new Error(`${screen}: what stands for ${name}?`)
        return values[name]
      }),
    )
}

/** Drawn, with everything that it asked for. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Everything that is shown or read out. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const texts = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode.nodeValue?.trim() ?? '')
    for (const element of document.body.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription'])
        texts.push(element.getAttribute(name) ?? '')
    return texts
  })

/** How much has moved on its own since the page began (CLS), and what. */
async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: unknown[] = []
    Object.assign(window, { moves, moved: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[]) {
        Object.assign(window, { moved: (window as unknown as { moved: number }).moved + entry.value })
        moves.push(entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : null)))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
const movesOf = (page: Page) =>
  page.evaluate(() => {
    const { moved, moves } = window as unknown as { moved: number; moves: unknown[] }
    return moved < 0.02 ? [] : [moved, ...moves]
  })

async function look(page: Page, address: string, language: string, texts: Record<string, string>): Promise<void> {
  await test.step(`${address} in ${language}`, async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(address)
    await settle(page)
    expect(await movesOf(page)).toEqual([])
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.title()).toMatch(/\S – Vestibule$/)
    const shown = await textsOf(page)
    // The name of a text instead of the text, or a text with a hole in it.
    const wrong = shown.filter(
      (text) => (text in texts && texts[text] !== text && /^[a-z]/.test(text)) || /\{\{/.test(text),
    )
    expect(wrong).toEqual([])
    // The longest words are Finnish, the longest sentences French.
    if (!['fi', 'fr'].includes(language)) return
    for (const [width, size] of [
      [320, '100%'],
      [640, '200%'],
      [1280, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate((to) => document.documentElement.style.setProperty('font-size', to), size)
      await expectNoSideways(page)
    }
  })
}

for (const [language, texts] of Object.entries(languages)) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language })
    // A walk through all screens, several times on the way resized.
    test.setTimeout(300_000)

    for (const person of [people.superUser, people.admin])
      test(`every screen of ${person} keeps still, has a title, texts for all it says, and room at 320 px and with large text`, async ({
        page,
        context,
        signIn,
        baseURL,
      }) => {
        await watchMoves(page)
        await signIn(person)
        await context.addCookies([{ name: 'language', value: language, url: String(baseURL) }])
        for (const address of await addressesOf(page, person)) await look(page, address, language, texts)
      })

    test('so has every public page', async ({ page }) => {
      await watchMoves(page)
      for (const address of publicScreens) await look(page, address, language, texts)
    })
  })
}
