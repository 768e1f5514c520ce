import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, test as base, type Cookie, expect, type Page } from '@playwright/test'
import { type DemoEmail, demoPassword } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { type Rules, violationsOn } from './violations.ts'

interface Journey {
  /** Signs somebody in; the browser goes nowhere. The sign-in itself is done once per person and worker. */
  signIn: (email: DemoEmail) => Promise<void>
}

interface Shared {
  database: PortalDatabase
  sessionOf: (email: DemoEmail) => Promise<Cookie[]>
}

/** What a browser complains about; a journey that leaves something in it has failed. */
const complaint = /Content[- ]Security[- ]Policy|Trusted ?Type|TrustedHTML/i
const unusedPreload = /preloaded using link preload but not used/i

function complaintsIn(context: BrowserContext, hasScript = true): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    // Without script nothing uses what is preloaded, and the browser says so of a page that stays for three seconds.
    if (complaint.test(message.text()) || (hasScript && unusedPreload.test(message.text())))
      complaints.push(message.text())
  })
  context.on('weberror', (failure) => complaints.push(String(failure.error())))
  return complaints
}

export const test = base.extend<Journey, Shared>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
  baseURL: async ({}, use) => use(portalUrl()),

  // Every page of the browser, those that a journey opens beside the first one too.
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
    async ({ browser }, use) => {
      const sessions = new Map<string, Cookie[]>()
      await use(async (email) => {
        const known = sessions.get(email)
        if (known && (await lives(known))) return known
        const context = await browser.newContext({ baseURL: portalUrl(), locale: 'sv-SE' })
        const complaints = complaintsIn(context)
        await signInByHand(await context.newPage(), email)
        expect(complaints).toEqual([])
        // The language is each journey's own.
        const cookies = (await context.cookies()).filter(({ name }) => name !== 'language')
        await context.close()
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

/** A dialog takes the focus in the frame after it has appeared; nobody presses Escape between the two. */
function escapeWhatIsSettled(page: Page): void {
  const press = page.keyboard.press.bind(page.keyboard)
  page.keyboard.press = async (key, options) => {
    if (key === 'Escape') {
      const drawn = page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      // A clock that a journey has stopped draws no frames.
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
 * A person has ten sessions at most: somebody who signed in elsewhere often may have pushed this one out. One that nobody
 * used for long is about to end, and the portal would warn of it in the middle of a journey.
 */
async function lives(cookies: readonly Cookie[]): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(`${portalUrl()}/api/session-expire`, { headers: { cookie } })
  const { secondsToLive }: { secondsToLive: number } = await response.json()
  return secondsToLive > 180
}

/** The sign-in as a person does it, from any page that demands one; ends on the page that was asked for. */
export async function signInByHand(page: Page, email: DemoEmail, path = '/'): Promise<void> {
  await page.goto(path)
  // The script has taken the form over.
  await page.locator('form[novalidate]').waitFor()
  const address = page.getByRole('textbox', { name: /e-?post|e-mail/i })
  await address.fill(email)
  await address.press('Enter')
  const password = page.locator('input[name=password]')
  await password.fill(demoPassword)
  await password.press('Enter')
  await page.locator('#main h1').waitFor()
  await page.waitForURL((url) => url.pathname === new URL(path, url).pathname)
}

/** Another person sits down at the browser; the page of the one before is gone, and asks nothing any more. */
export async function getUp(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** Every width that a screen must be good in; `expectAccessible` sees to the colour schemes. */
export const looks = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  { name: 'narrow', viewport: { width: 390, height: 844 } },
] as const

/** WCAG 2.2 AA and good practice, as far as a machine can tell, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  // Another colour scheme changes nothing but colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingFound(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNothingFound(page: Page, rules: Rules): Promise<void> {
  // What begins to fade does so in the next frame. What still fades has no contrast yet; a caret that blinks does so for
  // ever.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  expect(await violationsOn(page, rules)).toEqual([])
}

/** Nothing is wider than the window, and nothing inside an open dialog is pushed aside or cut. */
export async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  expect(await cutInDialogs(page)).toEqual([])
}

const cutInDialogs = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog], [role=dialog] *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        // Tabs, tables of many columns, and what is typed scroll by themselves.
        const scrolls = element.matches('[role=tablist], :has(> table), input')
        return overflowX !== 'visible' && textOverflow !== 'ellipsis' && !scrolls
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )
