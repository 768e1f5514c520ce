import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, test as base, type Cookie, expect, type Page } from '@playwright/test'
import { demoPassword } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { signInByRequest } from './sign-in-by-request.ts'

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
      const sessions = new Map<string, { cookies: Cookie[]; since: number }>()
      await use(async (email) => {
        const known = sessions.get(email)
        if (known && Date.now() - known.since < freshFor && (await lives(known.cookies))) return known.cookies
        const request = await signInByRequest(portalUrl(), email)
        // Each test chooses its own language.
        const cookies = (await request.storageState()).cookies.filter(({ name }) => name !== 'language')
        await request.dispose()
        sessions.set(email, { cookies, since: Date.now() })
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

/** Milliseconds: less than the ten minutes for which a sign-in is a proof for dangerous acts. */
const freshFor = 6 * 60_000

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
