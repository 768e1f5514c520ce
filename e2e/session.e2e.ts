import type { Page } from '@playwright/test'
import { expect, expectAccessible, looks, signInByHand, test } from './fixtures.ts'
import { people } from './people.ts'

// Nobody else's journeys sign in as this person, so that no other one loses its session.
const person = people.idle

test.describe.configure({ mode: 'default' })

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Du loggas snart ut' })
const pathOf = (request: { url: () => string }) => new URL(request.url()).pathname

/** Signs in while the page's clock is ours: the polls come when we say so. */
async function signInWithClock(page: Page) {
  await page.clock.install()
  await signInByHand(page, person)
}

/** As from another tab; the page asks at once how long the session lasts. */
const comeBackTo = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

test('in the last minute a person is warned with a countdown, and stays', async ({ page, database }) => {
  await signInWithClock(page)
  await database.endSessionsIn(person, 55)
  await page.clock.runFor(10_000)
  await expect(warning(page)).toContainText(/0:[45]\d/)
  await expect(page.getByRole('button', { name: 'Fortsätt vara inloggad' })).toBeFocused()
  const refreshed = page.waitForResponse((response) => pathOf(response) === '/oidc/auth')
  await page.keyboard.press('Enter')
  expect((await refreshed).status()).toBe(204)
  await expect(warning(page)).toBeHidden()
  const asked = page.waitForResponse((response) => pathOf(response) === '/api/session-expire')
  await page.clock.runFor(10_000)
  await (await asked).finished()
  // The answer to a later question has come: the one before it has been drawn.
  await page.evaluate(() => fetch('/api/portal').then(() => undefined))
  await expect(warning(page)).toBeHidden()
})

test('an answer from before the session was lengthened brings no warning back, however late it comes', async ({
  page,
  database,
}) => {
  await signInByHand(page, person)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  await database.endSessionsIn(person, 45)
  await comeBackTo(page)
  await expect(warning(page)).toBeVisible()
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
  await page.getByRole('button', { name: 'Fortsätt vara inloggad' }).click()
  await expect(warning(page)).toHaveCount(0)
  await letGo()
  // Another answer has come since, and whatever the late one led to is drawn. At once: ten seconds later the page has
  // asked again.
  await page.evaluate(() => fetch('/api/portal').then(() => undefined))
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await warning(page).count()).toBe(0)
})

test('the countdown is said at 60 and at 20 seconds, and being offline signs nobody out', async ({
  page,
  context,
  database,
}) => {
  await signInWithClock(page)
  await database.endSessionsIn(person, 59)
  await page.clock.runFor(10_000)
  const said = warning(page).locator('[aria-live=polite]')
  await expect(said).toHaveText('Du loggas ut om en minut.')
  await context.setOffline(true)
  await page.clock.runFor(41_000)
  await expect(said).toHaveText('Du loggas ut om 20 sekunder.')
  await page.clock.runFor(30_000)
  await expect(warning(page)).toContainText('0:00')
  await expect(page).toHaveURL('/')
  await context.setOffline(false)
  await expect(warning(page)).toContainText(/0:[1-5]\d/)
})

test('at zero the person is told that the session has ended, and can sign in again', async ({ page, database }) => {
  await signInByHand(page, person)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  await database.endSessionsIn(person, 15)
  await comeBackTo(page)
  await expect(warning(page)).toBeVisible()
  await expect(page).toHaveURL('/session-expired', { timeout: 19_000 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('staying in one tab closes the warning in the other', async ({ page, context, database }) => {
  await signInWithClock(page)
  const other = await context.newPage()
  await database.endSessionsIn(person, 50)
  await other.goto('/')
  await expect(warning(other)).toBeVisible()
  await page.clock.runFor(10_000)
  await page.getByRole('button', { name: 'Fortsätt vara inloggad' }).click()
  await expect(warning(page)).toBeHidden()
  await expect(warning(other)).toBeHidden()
})

test('signing out of the warning ends the session', async ({ page, database, baseURL }) => {
  await signInWithClock(page)
  await database.endSessionsIn(person, 50)
  await page.clock.runFor(10_000)
  await warning(page).getByRole('button', { name: 'Logga ut' }).click()
  await expect(page.getByRole('textbox', { name: 'E-postadress' })).toBeVisible()
  const answer = await page.request.get(`${baseURL}/api/session-expire`)
  expect(await answer.json()).toEqual({ secondsToLive: 0 })
})

test('whoever signs out is told nothing of a session that has ended, even where the page hears of it first', async ({
  page,
  baseURL,
}) => {
  await signInByHand(page, person)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  let letGo = async () => {}
  const signedOut = new Promise<void>((known) =>
    page.route('**/logout', async (route) => {
      // What is intercepted has not been given its origin yet.
      const headers = { ...route.request().headers(), origin: baseURL ?? '' }
      const response = await route.fetch({ headers, maxRedirects: 0 })
      letGo = () => route.fulfill({ response })
      known()
    }),
  )
  // Looked at again and again from then on: a page that is being left cannot be told to from here.
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
    // The page may have gone meanwhile.
    await route.fulfill({ response }).catch(() => undefined)
  })
  await page.getByRole('button', { name: 'Konto: Karin' }).click()
  // A click waits until the page that it leads to has begun.
  const leaving = page.getByRole('menuitem', { name: 'Logga ut' }).click()
  await signedOut
  // Whatever the first answer led to has begun when the page asks for the third.
  await expect.poll(() => heard > 2 || opened.includes('/session-expired')).toBe(true)
  await letGo()
  await leaving
  await expect(page.getByRole('textbox', { name: 'E-postadress' })).toBeVisible()
  expect(opened).not.toContain('/session-expired')
})

test('signing out in one tab leads the other to the page that says so', async ({ page, context }) => {
  await signInWithClock(page)
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('button', { name: 'Konto: Karin' }).click()
  await other.getByRole('menuitem', { name: 'Logga ut' }).click()
  await expect(other.getByRole('textbox', { name: 'E-postadress' })).toBeVisible()
  await page.clock.runFor(10_000)
  await expect(page).toHaveURL('/session-expired')
})

test('a tab in the background asks again when somebody comes back to it', async ({ page, context }) => {
  await signInWithClock(page)
  await page.getByRole('link', { name: 'Arkiv' }).waitFor()
  await context.clearCookies()
  await comeBackTo(page)
  await expect(page).toHaveURL('/session-expired')
})

test('work lengthens the session once a minute, and a page left alone does not', async ({ page }) => {
  // What the page asks is noted in the page, where it is known the moment that it happens.
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
  await signInWithClock(page)
  await expect.poll(() => times('/api/session-expire')).toBeGreaterThan(0)
  // Typing the password was work on another page, and this is some on this one.
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
  const email = page.getByRole('textbox', { name: 'E-postadress' })
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

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    test.use(look)

    test('the warning has no barriers', async ({ page, database }) => {
      await signInByHand(page, person)
      await database.endSessionsIn(person, 58)
      await page.reload()
      await expect(warning(page)).toBeVisible()
      await expectAccessible(page)
    })
  })
}
