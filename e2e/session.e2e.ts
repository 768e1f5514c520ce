import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { comeBackTo, expect, narrow, signInByHand, test } from './fixtures.ts'
import { type DemoEmail, people } from './people.ts'
import { t } from './texts.ts'

// No other test signs in as this user, so no other test ends the session.
const person = people.idle

test.describe.configure({ mode: 'default' })

const warning = (page: Page) => page.getByRole('alertdialog', { name: t('sessionEndsTitle') })
const pathOf = (request: { url: () => string }) => new URL(request.url()).pathname

type SignIn = (email: DemoEmail) => Promise<void>

/** Signs in and opens the launcher. */
async function arrive(page: Page, signIn: SignIn) {
  await signIn(person)
  await page.goto('/')
  await page.locator('#main h1').waitFor()
}

/** The same with a fake clock, which controls the polling. */
async function arriveWithClock(page: Page, signIn: SignIn) {
  await page.clock.install()
  await arrive(page, signIn)
}

test('in the last minute a user sees a countdown, and stays signed in', { tag: '@main' }, async ({
  page,
  database,
  signIn,
}) => {
  await arriveWithClock(page, signIn)
  await database.endSessionsIn(person, 55)
  await page.clock.runFor(10_000)
  await expect(warning(page)).toContainText(/0:[45]\d/)
  await expect(page.getByRole('button', { name: t('staySignedIn') })).toBeFocused()
  const refreshed = page.waitForResponse((response) => pathOf(response) === '/oidc/auth')
  await page.keyboard.press('Enter')
  expect((await refreshed).status()).toBe(204)
  await expect(warning(page)).toBeHidden()
  const asked = page.waitForResponse((response) => pathOf(response) === '/api/session-expire')
  await page.clock.runFor(10_000)
  await (await asked).finished()
  // A later request has been answered, so the earlier response has been rendered.
  await page.evaluate(() => fetch('/api/portal').then(() => undefined))
  await expect(warning(page)).toBeHidden()
})

test('on a narrow screen the warning is accessible, and a late response from before staying does not show it again', async ({
  page,
  database,
  signIn,
}) => {
  await arrive(page, signIn)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  await database.endSessionsIn(person, 45)
  await comeBackTo(page)
  await expect(warning(page)).toBeVisible()
  await page.setViewportSize(narrow)
  await expectAccessible(page)
  let letGo = async () => {}
  const answered = new Promise<void>((known) =>
    page.route(
      '**/api/session-expire',
      async (route) => {
        const response = await route.fetch()
        letGo = () => route.fulfill({ response })
        known()
      },
      { times: 1 },
    ),
  )
  await comeBackTo(page)
  await answered
  await page.getByRole('button', { name: t('staySignedIn') }).click()
  await expect(warning(page)).toHaveCount(0)
  await letGo()
  // A later request has been answered, so the late response has been rendered. Check immediately: ten seconds later the
  // page polls again.
  await page.evaluate(() => fetch('/api/portal').then(() => undefined))
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await warning(page).count()).toBe(0)
})

test('the countdown is announced at 60 and at 20 seconds, and being offline does not sign out', async ({
  page,
  context,
  database,
  signIn,
}) => {
  await arriveWithClock(page, signIn)
  await database.endSessionsIn(person, 59)
  await page.clock.runFor(10_000)
  const said = warning(page).locator('[aria-live=polite]')
  await expect(said).toHaveText(t('sessionEndsInOneMinute'))
  await context.setOffline(true)
  await page.clock.runFor(41_000)
  await expect(said).toHaveText(t('sessionEndsInSeconds', { seconds: '20' }))
  await page.clock.runFor(30_000)
  await expect(warning(page)).toContainText('0:00')
  await expect(page).toHaveURL('/')
  await context.setOffline(false)
  await expect(warning(page)).toContainText(/0:[1-5]\d/)
})

test('at zero the user sees that the session has ended, and a background tab does when the user returns to it', async ({
  page,
  database,
  signIn,
  context,
}) => {
  await arrive(page, signIn)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  await database.endSessionsIn(person, 8)
  await comeBackTo(page)
  await expect(warning(page)).toBeVisible()
  await expect(page).toHaveURL('/session-expired', { timeout: 12_000 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await arrive(page, signIn)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  // What is still being asked would lead to the sign-in.
  await page.waitForLoadState('networkidle')
  await context.clearCookies()
  await comeBackTo(page)
  await expect(page).toHaveURL('/session-expired')
})

test('staying in one tab closes the warning in the other', async ({ page, context, database, signIn }) => {
  await arriveWithClock(page, signIn)
  const other = await context.newPage()
  await database.endSessionsIn(person, 50)
  await other.goto('/')
  await expect(warning(other)).toBeVisible()
  await page.clock.runFor(10_000)
  await page.getByRole('button', { name: t('staySignedIn') }).click()
  await expect(warning(page)).toBeHidden()
  await expect(warning(other)).toBeHidden()
})

test('signing out from the warning ends the session, and redirects another tab to the page for ended sessions', async ({
  page,
  context,
  database,
  baseURL,
  signIn,
}) => {
  await arriveWithClock(page, signIn)
  const other = await context.newPage()
  await other.goto('/')
  await other.locator('#main h1').waitFor()
  await database.endSessionsIn(person, 50)
  await page.clock.runFor(10_000)
  await warning(page)
    .getByRole('button', { name: t('signOut') })
    .click()
  await expect(page.getByRole('textbox', { name: t('email') })).toBeVisible()
  const answer = await page.request.get(`${baseURL}/api/session-expire`)
  expect(await answer.json()).toEqual({ secondsToLive: 0 })
  await comeBackTo(other)
  await expect(other).toHaveURL('/session-expired')
})

test('a user who signs out never sees the page for ended sessions, even if polling notices the end first', async ({
  page,
  baseURL,
  signIn,
}) => {
  await arrive(page, signIn)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  let letGo = async () => {}
  const signedOut = new Promise<void>((known) =>
    page.route('**/logout', async (route) => {
      // An intercepted request has no Origin header yet.
      const headers = { ...route.request().headers(), origin: baseURL ?? '' }
      const response = await route.fetch({ headers, maxRedirects: 0 })
      letGo = () => route.fulfill({ response })
      known()
    }),
  )
  // Triggers a check of the session every 100 ms: the test cannot reach a page that is being left.
  await page.evaluate(() =>
    document.addEventListener('submit', () =>
      setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 100),
    ),
  )
  const opened: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(pathOf(request))
  })
  let heard = 0
  await page.route('**/api/session-expire', async (route) => {
    const response = await route.fetch()
    if ((await response.json()).secondsToLive === 0) heard += 1
    // The page may have been closed by then.
    await route.fulfill({ response }).catch(() => undefined)
  })
  await page.getByRole('button', { name: t('accountMenuName', { name: 'Karin' }) }).click()
  // A click waits until the next page starts to load.
  const leaving = page.getByRole('menuitem', { name: t('signOut') }).click()
  await signedOut
  // When the page sends the third request, it has handled the first response.
  await expect.poll(() => heard > 2 || opened.includes('/session-expired')).toBe(true)
  await letGo()
  await leaving
  await expect(page.getByRole('textbox', { name: t('email') })).toBeVisible()
  expect(opened).not.toContain('/session-expired')
})

test('activity extends the session once a minute, an idle page does not', async ({ page }) => {
  // Recorded inside the page, so that each request is known immediately.
  await page.addInitScript(() => {
    const asked: string[] = []
    const ask = window.fetch
    window.fetch = (...question) => {
      asked.push(String(question[0]))
      return ask(...question)
    }
    Object.assign(window, { asked })
  })
  const times = (path: string) =>
    page.evaluate(
      (wanted) => (window as unknown as { asked: string[] }).asked.filter((one) => one === wanted).length,
      path,
    )
  await page.clock.install()
  await signInByHand(page, person)
  await expect.poll(() => times('/api/session-expire')).toBeGreaterThan(0)
  // Typing the password happened on another page: this is the first activity on this one.
  await page.keyboard.press('Shift')
  const [refreshes, questions] = [await times('/oidc/auth'), await times('/api/session-expire')]
  await page.clock.runFor(60_000)
  expect(await times('/oidc/auth')).toBe(refreshes + 1)
  expect(await times('/api/session-expire')).toBeGreaterThanOrEqual(questions + 6)
  await page.clock.runFor(180_000)
  expect(await times('/oidc/auth')).toBe(refreshes + 1)
  expect(await times('/api/session-expire')).toBeGreaterThanOrEqual(questions + 24)
})

test('the chosen organisation is forgotten on the first visit without a session, and only then', async ({ page }) => {
  const id = '0190f3c8-7b1a-7000-8000-000000000001'
  const kept = () => page.evaluate(() => localStorage.getItem('currentOrganizationId'))
  const email = page.getByRole('textbox', { name: t('email') })
  await page.goto('/session-expired')
  await page.evaluate((stored) => localStorage.setItem('currentOrganizationId', stored), id)
  await page.goto('/')
  await email.waitFor()
  expect(await kept()).toBeNull()
  await page.evaluate((stored) => localStorage.setItem('currentOrganizationId', stored), id)
  await page.goto('/')
  await email.waitFor()
  expect(await kept()).toBe(id)
})
