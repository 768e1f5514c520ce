import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes, expectNoSideways } from './accessibility.ts'
import { expect, looks, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { demoPassword, people } from './people.ts'
import { noteShifts, shiftsOn } from './shifts.ts'
import { t, titled } from './texts.ts'

const texts = {
  sv: {
    email: t('email'),
    next: t('continue'),
    password: t('password'),
    signIn: t('signIn'),
    hello: t('greetingName', { name: 'Emil' }),
  },
  en: { email: 'Email address', next: 'Continue', password: 'Password', signIn: 'Sign in', hello: 'Hello, Emil' },
}
const password = (page: Page) => page.locator('input[name=password]')
const signInButton = (page: Page) => page.getByRole('button', { name: t('signIn'), exact: true })

/** Waits until JavaScript handles the form; until then the browser submits it. */
const isTakenOver = (page: Page) => expect(page.locator('form')).toHaveAttribute('novalidate')

/** Goes from any page that requires a sign-in to the password step, by keyboard. */
async function goToPassword(page: Page, email: string, path = '/') {
  await goToPasswordWithoutScript(page, email, path)
  await isTakenOver(page)
}
async function goToPasswordWithoutScript(page: Page, email: string, path: string) {
  await page.goto(path)
  await page.getByLabel(t('email')).fill(email)
  await page.keyboard.press('Enter')
  await expect(password(page)).toBeVisible()
}

for (const [look, language] of [
  [looks[0], 'sv'],
  [looks[1], 'en'],
] as const)
  test.describe(`${look.name}, ${language}`, () => {
    test.use({ viewport: look.viewport, locale: language })

    test('a person signs in with a password and sees the services', { tag: '@main' }, async ({ page }) => {
      const { email, next, signIn, hello, password: label } = texts[language]
      await page.goto('/')
      await expect(page).toHaveTitle(`${signIn} – Vestibule`)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.getByRole('heading', { level: 1, name: /Vestibule/ })).toContainText(signIn)
      await page.getByLabel(email).fill(people.user)
      await page.getByRole('button', { name: next }).click()
      await expect(page).toHaveURL(/\/login\?email=user%40nordvik\.example$/)
      await expect(page.getByLabel(email)).toHaveValue(people.user)
      if (language === 'sv') await expectAccessibleInBothThemes(page)
      await expectNoSideways(page)
      await page.getByLabel(label, { exact: true }).fill(demoPassword)
      await page.getByRole('button', { name: signIn, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: hello })).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/')
    })
  })

test('a second click sends no second request, and Enter pressed while the sign-in method loads is not lost', async ({
  page,
}) => {
  await goToPassword(page, people.user)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST')
      sent.push(new URL(request.url()).pathname.replace(/interaction\/[^/]+/, 'interaction'))
  })
  await password(page).fill(demoPassword)
  await page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('button[type=submit]')
    for (let click = 0; click < 3; click++) button?.click()
  })
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  expect(sent).toEqual(['/api/verify-credentials', '/interaction/login'])

  await page.context().clearCookies()
  await page.addInitScript(() => {
    const read = Response.prototype.json
    const sent = new Promise<void>((known) => {
      const tell = () => {
        // React renders updates synchronously while `window.event` is a user event. Remove it, so that both updates are
        // rendered together, as with a real response.
        Object.defineProperty(window, 'event', { value: undefined, configurable: true })
        known()
      }
      addEventListener('submit', tell, { capture: true, once: true })
    })
    Response.prototype.json = async function () {
      const answer = await read.call(this)
      if (this.url.includes('/api/authType')) await sent
      return answer
    }
  })
  await goToPassword(page, people.user)
  await password(page).fill(demoPassword)
  await password(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
})

test('a wrong password is shown immediately, and the input stays; after too many the page says how long to wait', async ({
  page,
}) => {
  await test.step('too many', async () => {
    await goToPassword(page, 'too-many@nowhere.example')
    const alert = page.getByRole('alert')
    const statuses: number[] = []
    // The first pause lasts a second and each one doubles, so even slow attempts reach the limit.
    while (statuses.at(-1) !== 429) {
      const answer = page.waitForResponse('**/api/verify-credentials')
      await password(page).fill(`wrong ${statuses.length}`)
      // The previous error is cleared, so the next one belongs to this attempt.
      await expect(alert).toBeEmpty()
      await password(page).press('Enter')
      statuses.push((await answer).status())
      await expect(alert).not.toBeEmpty()
    }
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    await expect(alert).toHaveText(/Du kan försöka igen om \d+ (sekund|sekunder|minuter)\./)
  })
  await test.step('the input stays', async () => {
    await goToPassword(page, people.user)
    await expect(password(page)).toBeFocused()
    let loads = 0
    page.on('framenavigated', () => loads++)
    await password(page).fill('not the password')
    await signInButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(t('invalidCredentials'))
    await expect(password(page)).toBeFocused()
    await expect(password(page)).toHaveValue('not the password')
    await expect(password(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(password(page)).toHaveAccessibleDescription(t('invalidCredentials'))
    await expect(page).toHaveTitle(/^Fel: /)
    const selection = await page.evaluate(() => {
      const { selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
      return [selectionStart, selectionEnd]
    })
    expect(selection).toEqual([0, 'not the password'.length])
    expect(loads).toBe(0)
    await expectAccessible(page)
    // Typing replaces the selected text.
    await page.keyboard.type(demoPassword)
    await expect(page.getByRole('alert')).toBeEmpty()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  })
})

test('going back keeps the address, without a network the password stays, and after the sign-in Back does not show the form', async ({
  page,
  context,
}) => {
  await goToPassword(page, people.user)
  await page.getByRole('link', { name: t('back') }).click()
  await expect(page.getByLabel(t('email'))).toHaveValue(people.user)
  await page.goBack()
  await expect(password(page)).toBeVisible()
  // The sign-in method is known, so going offline does not abort that request.
  await isTakenOver(page)
  await expect(page.locator('[data-finding]')).toHaveCount(0)
  await password(page).fill(demoPassword)
  await context.setOffline(true)
  await signInButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(/gick inte att nå portalen/)
  await expect(password(page)).toHaveValue(demoPassword)
  await expect(signInButton(page)).not.toHaveAttribute('aria-busy', 'true')
  await context.setOffline(false)
  await signInButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
})

test('the sign-in works by keyboard alone', async ({ page }) => {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('name') ?? element?.getAttribute('aria-label') ?? element?.textContent
    })
  await page.goto('/')
  await expect(page.getByLabel(t('email'))).toBeFocused()
  await page.keyboard.type(people.user)
  await page.keyboard.press('Enter')
  await expect(password(page)).toBeFocused()
  await page.keyboard.type(demoPassword)
  const order: unknown[] = []
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  expect(order).toEqual([t('showPassword'), t('forgotPassword'), t('signIn'), t('back')])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
})

test('a language chosen before the script has loaded is kept', async ({ page }) => {
  const go = await holdBack(page, '**/assets/sign-in-*.js')
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByRole('combobox', { name: t('language') }).selectOption('fi')
  go()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kirjaudu sisään – Vestibule')
})

test('two tabs sign in at the same time', async ({ page, context }) => {
  const other = await context.newPage()
  await goToPassword(page, people.user)
  await goToPassword(other, people.both)
  await password(page).fill(demoPassword)
  await password(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  await password(other).fill(demoPassword)
  await password(other).press('Enter')
  await expect(other.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Bodil' }) })).toBeVisible()
})

test('when cookies are lost, or in another browser, a sign-in starts again with the address and the requested page', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  await test.step('cookies are lost', async () => {
    await goToPassword(page, people.user)
    await context.clearCookies()
    await password(page).fill(demoPassword)
    await password(page).press('Enter')
    await expect(page.getByRole('button', { name: 'Fortsätt' })).toBeVisible()
    await expect(page.getByLabel('E-postadress')).toHaveValue(people.user)
  })
  await test.step('another browser', async () => {
    await goToPassword(page, people.user, '/?from=mail')
    const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'sv-SE' })
    const stranger = await context.newPage()
    await stranger.goto(page.url())
    await expect(stranger).not.toHaveURL(page.url())
    await expect(stranger.getByLabel('E-postadress')).toHaveValue(people.user)
    await stranger.getByRole('button', { name: 'Fortsätt' }).click()
    await password(stranger).fill(demoPassword)
    await password(stranger).press('Enter')
    await expect(stranger.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
    expect(new URL(stranger.url()).search).toBe('?from=mail')
    await context.close()
  })
})

for (const language of ['fi', 'fr'])
  test.describe(`a small screen with large text, ${language}`, () => {
    test.use({ viewport: { width: 320, height: 700 }, locale: language })

    test('a very long address fits', async ({ page }) => {
      await page.goto('/')
      await page
        .locator('input[type=email]')
        .fill(`${'a-long-name.'.repeat(4)}x@${'department.'.repeat(6)}solberga.example`)
      await page.keyboard.press('Enter')
      await expect(password(page)).toBeVisible()
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      await expectNoSideways(page)
    })
  })

test('nothing moves while the page loads, the fields have the right types, and an invalid address is an error of its field', async ({
  page,
}) => {
  await test.step('nothing moves', async () => {
    await noteShifts(page)
    await goToPassword(page, people.user)
    await expect(page.locator('[data-finding]')).toHaveCount(0)
    expect(await shiftsOn(page)).toEqual([])
  })
  await test.step('the first stop of the Tab key skips the header', async () => {
    await page.goto('/session-expired')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: t('skipToContent') })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
  await test.step('autocomplete and keyboard types', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/')
    const email = page.getByLabel(t('email'))
    await expect(email).toHaveAttribute('type', 'email')
    await expect(email).toHaveAttribute('autocomplete', 'username webauthn')
    await expect(email).toHaveCSS('font-size', '16px')
    for (const control of [email, page.getByRole('button', { name: t('continue') })])
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await email.fill('a+b@x.se')
    await email.press('Enter')
    await expect(page).toHaveURL(/\?email=a%2Bb%40x\.se$/)
    await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
    const username = page.locator('form:has(input[name=password]) input[autocomplete=username]')
    await expect(username).toHaveValue('a+b@x.se')
    await expect(username).toHaveAttribute('readonly', '')
  })
  await test.step('an invalid address, until the user corrects it', async () => {
    await page.setViewportSize(looks[0].viewport)
    await page.goto('/')
    await isTakenOver(page)
    const email = page.getByLabel(t('email'))
    await page.getByRole('button', { name: t('continue') }).click()
    await expect(email).toBeFocused()
    await expect(email).toHaveAccessibleDescription(t('required'))
    await email.fill('anna@nordvik')
    await email.press('Enter')
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(email).toHaveAccessibleDescription(/giltig e-postadress/)
    await expect(page).toHaveTitle(/^Fel: /)
    await expectAccessible(page)
    await email.fill('anna@nordvik.example')
    await expect(email).not.toHaveAttribute('aria-invalid', 'true')
    await expect(page).toHaveTitle(titled(t('signIn')))
  })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a person signs in and out with plain forms', { tag: '@main' }, async ({ page }) => {
    await goToPasswordWithoutScript(page, people.user, '/login?returnTo=/')
    await expect(page.getByRole('combobox')).toBeHidden()
    await password(page).fill('not the password')
    await signInButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(t('invalidCredentials'))
    await expect(page).toHaveTitle('Fel: Logga in – Vestibule')
    await password(page).fill(demoPassword)
    await signInButton(page).click()
    await expect(page).toHaveURL(/\/$/)
    expect((await page.request.get('/api/me')).status()).toBe(200)
    await page.goto('/logout')
    await page.getByRole('button', { name: t('signOut') }).click()
    await expect(page).toHaveURL(/\/$/)
    expect((await page.request.get('/api/me')).status()).toBe(401)
  })
})
