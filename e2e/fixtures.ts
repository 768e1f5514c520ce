import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, test as base, type Cookie, expect, type Page } from '@playwright/test'
import { demoPassword } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { signInByRequest } from './sign-in-by-request.ts'
import { type Rules, violationsOn } from './violations.ts'

interface Journey {
  /** Signs in any user with the demo's password, without a page. Each worker does so once per user. */
  signIn: (email: string) => Promise<void>
}

interface Shared {
  database: PortalDatabase
  sessionOf: (email: string) => Promise<Cookie[]>
}

/** Browser messages that make a test fail. */
const complaint = /Content[- ]Security[- ]Policy|Trusted ?Type|TrustedHTML/i
const unusedPreload = /preloaded using link preload but not used/i

function complaintsIn(context: BrowserContext, hasScript = true): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    // Without JavaScript nothing uses the preloaded files, and the browser warns about that after three seconds.
    if (complaint.test(message.text()) || (hasScript && unusedPreload.test(message.text())))
      complaints.push(message.text())
  })
  context.on('weberror', (failure) => complaints.push(String(failure.error())))
  return complaints
}

export const test = base.extend<Journey, Shared>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
  baseURL: async ({}, use) => use(portalUrl()),

  // All pages of the browser, also those that a test opens itself.
  context: async ({ context, javaScriptEnabled }, use) => {
    const complaints = complaintsIn(context, javaScriptEnabled)
    await use(context)
    expect(complaints).toEqual([])
  },

  page: async ({ page }, use) => {
    escapeWhatIsSettled(page)
    await use(page)
  },

  database: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      const database = await openPortalDatabase()
      await use(database)
      await database.close()
    },
    { scope: 'worker' },
  ],

  sessionOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      const sessions = new Map<string, Cookie[]>()
      await use(async (email) => {
        const known = sessions.get(email)
        if (known && (await lives(known))) return known
        const request = await signInByRequest(portalUrl(), email)
        // Each test chooses its own language.
        const cookies = (await request.storageState()).cookies.filter(({ name }) => name !== 'language')
        await request.dispose()
        sessions.set(email, cookies)
        return cookies
      })
    },
    { scope: 'worker' },
  ],

  signIn: async ({ context, sessionOf }, use) => {
    await use(async (email) => context.addCookies(await sessionOf(email)))
  },
})

export { expect }

/** A dialog takes the focus one frame after it has appeared. Users do not press Escape that fast, so wait for it. */
function escapeWhatIsSettled(page: Page): void {
  const press = page.keyboard.press.bind(page.keyboard)
  page.keyboard.press = async (key, options) => {
    if (key === 'Escape') {
      const drawn = page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      // A paused clock draws no frames.
      await Promise.race([drawn.catch(() => undefined), wait(500)])
    }
    await press(key, options)
  }
}

function portalUrl(): string {
  const url = process.env.E2E_URL
  if (!url) throw new Error('no portal: run the journeys with playwright test')
  return url
}

/**
 * Whether a stored session can still be used. A user has ten sessions at most, so newer ones may have ended it; and
 * close to its end, the portal would show the warning during a test.
 */
async function lives(cookies: readonly Cookie[]): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(`${portalUrl()}/api/session-expire`, { headers: { cookie } })
  const { secondsToLive }: { secondsToLive: number } = await response.json()
  return secondsToLive > 180
}

/** Signs in with the form, from any page that requires it; ends on the requested page. */
export async function signInByHand(page: Page, email: string, path = '/', own = demoPassword): Promise<void> {
  await page.goto(path)
  // Wait until JavaScript handles the form.
  await page.locator('form[novalidate]').waitFor()
  const address = page.getByRole('textbox', { name: /e-?post|e-?mail/i })
  await address.fill(email)
  await address.press('Enter')
  const password = page.locator('input[name=password]')
  await password.fill(own)
  await password.press('Enter')
  await page.locator('#main h1').waitFor()
  await page.waitForURL((url) => url.pathname === new URL(path, url).pathname)
}

/** Returns to the tab; the page then checks the session, unless it is navigating already. */
export const comeBackTo = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))).catch(() => undefined)

/** Leaves the browser to another user: the page is closed, and the cookies are cleared. */
export async function getUp(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** A phone. */
export const narrow = { width: 390, height: 844 } as const

/** All widths that a screen must support. */
export const looks = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  { name: 'narrow', viewport: narrow },
] as const

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colors = ['color-contrast', 'link-in-text-block']
const onlyColors: Rules = { runOnly: { type: 'rule', values: colors } }
const withoutColors: Rules = {
  runOnly: standards,
  rules: Object.fromEntries(colors.map((rule) => [rule, { enabled: false }])),
}
const modals = '[role=dialog], [role=alertdialog]'
/** Everything that can stand above a page. */
const overlays = `${modals}, [role=listbox], [role=menu], section[aria-live]`

/**
 * WCAG 2.2 AA and best practices, as far as axe can check them, for the current state of the page. What stands behind an
 * open dialog is not looked at again: `expectAccessibleScreen` does so.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, { runOnly: standards }, await inFront(page))
}

/** The same at another width, after `expectAccessible` at the usual one; skips colours, which do not depend on it. */
export async function expectAccessibleInThisWidth(page: Page): Promise<void> {
  await expectNothingFound(page, withoutColors, await inFront(page))
}

/** CSS selector of an open dialog and what stands above it; undefined without one. */
async function inFront(page: Page): Promise<string | undefined> {
  return (await page.locator(modals).count()) ? overlays : undefined
}

/**
 * The same in both themes: kit-parts.e2e.ts and kit-overlays.e2e.ts cover the components in every state.
 *
 * @param within CSS selector, if the rest of the page is checked elsewhere
 */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectNothingFound(page, { runOnly: standards }, within)
  await expectDarkColors(page, within)
}

/**
 * The same in both themes and on a phone, where it leaves the page: once for each screen (every-screen.e2e.ts). Colours
 * take axe three quarters of its time; behind an open dialog, it looks at everything else once.
 */
export async function expectAccessibleScreen(page: Page): Promise<void> {
  const within = await inFront(page)
  if (within) await expectNothingFound(page, withoutColors)
  await expectNothingFound(page, within ? onlyColors : { runOnly: standards }, within)
  await expectDarkColors(page, within)
  await page.setViewportSize(narrow)
  await expectAccessibleInThisWidth(page)
  await expectNoSideways(page)
}

/** The colour scheme changes only colours. */
async function expectDarkColors(page: Page, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingFound(page, onlyColors, within)
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNothingFound(page: Page, rules: Rules, within?: string): Promise<void> {
  // A fade starts in the next frame, and contrast cannot be measured during a fade. Endless animations, such as a
  // blinking caret, do not count.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  expect(await violationsOn(page, rules, within)).toEqual([])
}

/** Nothing is wider than the window, and dialogs fit. */
export async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectDialogsFit(page)
}

/** Nothing in an open dialog overflows or is cut off. */
export async function expectDialogsFit(page: Page): Promise<void> {
  expect(await cutInDialogs(page)).toEqual([])
}

const cutInDialogs = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog], [role=dialog] *, [role=alertdialog], [role=alertdialog] *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        // Tabs, wide tables and inputs may scroll.
        const scrolls = element.matches('[role=tablist], :has(> table), input')
        return overflowX !== 'visible' && textOverflow !== 'ellipsis' && !scrolls
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )
