import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { demoPassword, people } from './people.ts'
import { noteShifts, shiftsOn } from './shifts.ts'

const texts = {
  sv: { email: 'E-postadress', next: 'Fortsätt', password: 'Lösenord', signIn: 'Logga in', hello: 'Hej, Emil' },
  en: { email: 'E-mail address', next: 'Continue', password: 'Password', signIn: 'Sign in', hello: 'Hello, Emil' },
}
const password = (page: Page) => page.locator('input[name=password]')
const signInButton = (page: Page) => page.getByRole('button', { name: 'Logga in', exact: true })

/** The script has taken the form over: until then it is a plain one that sends itself. */
const isTakenOver = (page: Page) => expect(page.locator('form')).toHaveAttribute('novalidate')

/** From any page that demands a sign-in to the password, by the keyboard. */
async function goToPassword(page: Page, email: string, path = '/') {
  await goToPasswordWithoutScript(page, email, path)
  await isTakenOver(page)
}
async function goToPasswordWithoutScript(page: Page, email: string, path: string) {
  await page.goto(path)
  await page.getByLabel('E-postadress').fill(email)
  await page.keyboard.press('Enter')
  await expect(password(page)).toBeVisible()
}

for (const look of looks)
  for (const language of ['sv', 'en'] as const)
    test.describe(`${look.name}, ${language}`, () => {
      test.use({ viewport: look.viewport, locale: language })

      test('a person signs in with a password and sees the services', async ({ page }) => {
        const { email, next, signIn, hello, password: label } = texts[language]
        await page.goto('/')
        await expect(page).toHaveTitle(`${signIn} – Vestibule`)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(signIn)
        await expectAccessible(page)
        await page.getByLabel(email).fill(people.user)
        await page.getByRole('button', { name: next }).click()
        await expect(page).toHaveURL(/\/login\?email=user%40nordvik\.example$/)
        await expect(page.getByLabel(email)).toHaveValue(people.user)
        await expectAccessible(page)
        await expectNoSideways(page)
        await page.getByLabel(label, { exact: true }).fill(demoPassword)
        await page.getByRole('button', { name: signIn, exact: true }).click()
        await expect(page.getByRole('heading', { level: 1, name: hello })).toBeVisible()
        expect(new URL(page.url()).pathname).toBe('/')
      })
    })

test('the pages say to password managers and keyboards what they ask for', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const email = page.getByLabel('E-postadress')
  await expect(email).toHaveAttribute('type', 'email')
  await expect(email).toHaveAttribute('autocomplete', 'username')
  await expect(email).toHaveCSS('font-size', '16px')
  for (const control of [email, page.getByRole('button', { name: 'Fortsätt' })])
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await email.fill('a+b@x.se')
  await email.press('Enter')
  await expect(page).toHaveURL(/\?email=a%2Bb%40x\.se$/)
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
  const username = page.locator('form:has(input[name=password]) input[autocomplete=username]')
  await expect(username).toHaveValue('a+b@x.se')
  await expect(username).toHaveAttribute('readonly', '')
})

test('an address that cannot be one is told at the field, and goes away while it is corrected', async ({ page }) => {
  await page.goto('/')
  await isTakenOver(page)
  const email = page.getByLabel('E-postadress')
  await page.getByRole('button', { name: 'Fortsätt' }).click()
  await expect(email).toBeFocused()
  await expect(email).toHaveAccessibleDescription('Fyll i det här fältet.')
  await email.fill('anna@nordvik')
  await email.press('Enter')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription(/giltig e-postadress/)
  await expect(page).toHaveTitle(/^Fel: /)
  await expectAccessible(page)
  await email.fill('anna@nordvik.example')
  await expect(email).not.toHaveAttribute('aria-invalid', 'true')
  await expect(page).toHaveTitle('Logga in – Vestibule')
})

test('a wrong password is told at once, and nothing typed is lost', async ({ page }) => {
  await goToPassword(page, people.user)
  await expect(password(page)).toBeFocused()
  let loads = 0
  page.on('framenavigated', () => loads++)
  await password(page).fill('not the password')
  await signInButton(page).click()
  await expect(page.getByRole('alert')).toHaveText('E-postadressen eller lösenordet är fel.')
  await expect(password(page)).toBeFocused()
  await expect(password(page)).toHaveValue('not the password')
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(password(page)).toHaveAccessibleDescription('E-postadressen eller lösenordet är fel.')
  await expect(page).toHaveTitle(/^Fel: /)
  const selection = await page.evaluate(() => {
    const { selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
    return [selectionStart, selectionEnd]
  })
  expect(selection).toEqual([0, 'not the password'.length])
  expect(loads).toBe(0)
  await expectAccessible(page)
  // What is selected gives way to what is typed.
  await page.keyboard.type(demoPassword)
  await expect(page.getByRole('alert')).toBeEmpty()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('an Enter in the very moment in which the way to sign in is known is not lost', async ({ page }) => {
  await page.addInitScript(() => {
    const read = Response.prototype.json
    const sent = new Promise<void>((known) => {
      const tell = () => {
        // React draws at once what belongs to an event. The answer comes by itself, and is drawn with what the event did.
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
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('an address that nobody has looks like any other', async ({ page }) => {
  await goToPassword(page, 'nobody@nowhere.example')
  await password(page).fill('whatever it may be')
  await password(page).press('Enter')
  await expect(page.getByRole('alert')).toHaveText('E-postadressen eller lösenordet är fel.')
})

test('after too many wrong passwords the page says how long to wait', async ({ page }) => {
  await goToPassword(page, 'too-many@nowhere.example')
  const alert = page.getByRole('alert')
  const statuses: number[] = []
  // The first pause lasts a second, and each one after it twice as long: a try may be too slow for one, but not for all.
  while (statuses.at(-1) !== 429) {
    const answer = page.waitForResponse('**/api/verify-credentials')
    await password(page).fill(`wrong ${statuses.length}`)
    // What was said of the one before is gone: whatever comes now is said of this one.
    await expect(alert).toBeEmpty()
    await password(page).press('Enter')
    statuses.push((await answer).status())
    await expect(alert).not.toBeEmpty()
  }
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  await expect(alert).toHaveText(/Du kan försöka igen om \d+ (sekund|sekunder|minuter)\./)
})

test('a second click and a second Enter send nothing more', async ({ page }) => {
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
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
  expect(sent).toEqual(['/api/verify-credentials', '/interaction/login'])
})

test('without the network the password stays and another try gets through', async ({ page, context }) => {
  await goToPassword(page, people.user)
  // The question how the address signs in has its answer, and does not break off with the network.
  await expect(page.locator('[data-finding]')).toHaveCount(0)
  await password(page).fill(demoPassword)
  await context.setOffline(true)
  await signInButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(/gick inte att nå portalen/)
  await expect(password(page)).toHaveValue(demoPassword)
  await expect(signInButton(page)).not.toHaveAttribute('aria-busy', 'true')
  await context.setOffline(false)
  await signInButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('the password can be shown without losing the caret', async ({ page }) => {
  await goToPassword(page, people.user)
  await password(page).fill('abcdef')
  await password(page).press('ArrowLeft')
  await password(page).press('ArrowLeft')
  const show = page.getByRole('button', { name: 'Visa lösenordet' })
  await expect(show).toHaveAttribute('aria-pressed', 'false')
  await show.click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type('X')
  await expect(password(page)).toHaveValue('abcdXef')
})

test('the keyboard alone leads through the sign-in', async ({ page }) => {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('name') ?? element?.getAttribute('aria-label') ?? element?.textContent
    })
  await page.goto('/')
  await expect(page.getByLabel('E-postadress')).toBeFocused()
  await page.keyboard.type(people.user)
  await page.keyboard.press('Enter')
  await expect(password(page)).toBeFocused()
  await page.keyboard.type(demoPassword)
  const order: unknown[] = []
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  expect(order).toEqual(['Visa lösenordet', 'Glömt lösenordet?', 'Logga in', 'Tillbaka'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('a language that is chosen before the script is there holds', async ({ page }) => {
  const go = await holdBack(page, '**/assets/sign-in-*.js')
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByRole('combobox', { name: 'Språk' }).selectOption('fi')
  go()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kirjaudu sisään')
})

test('the first stop of the Tab key leads past the header', async ({ page }) => {
  await page.goto('/session-expired')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Hoppa till innehållet' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('back carries the address, and after the sign-in the form does not come back', async ({ page }) => {
  await goToPassword(page, people.user)
  await page.getByRole('link', { name: 'Tillbaka' }).click()
  await expect(page.getByLabel('E-postadress')).toHaveValue(people.user)
  await page.goBack()
  await expect(password(page)).toBeVisible()
  await password(page).fill(demoPassword)
  await password(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('two tabs sign in beside each other', async ({ page, context }) => {
  const other = await context.newPage()
  await goToPassword(page, people.user)
  await goToPassword(other, people.both)
  await password(page).fill(demoPassword)
  await password(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
  await password(other).fill(demoPassword)
  await password(other).press('Enter')
  await expect(other.getByRole('heading', { level: 1, name: 'Hej, Bodil' })).toBeVisible()
})

test("another browser's sign-in page begins anew, with address and goal kept", async ({ page, browser, baseURL }) => {
  await goToPassword(page, people.user, '/?from=mail')
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'sv-SE' })
  const stranger = await context.newPage()
  await stranger.goto(page.url())
  await expect(stranger).not.toHaveURL(page.url())
  await expect(stranger.getByLabel('E-postadress')).toHaveValue(people.user)
  await stranger.getByRole('button', { name: 'Fortsätt' }).click()
  await password(stranger).fill(demoPassword)
  await password(stranger).press('Enter')
  await expect(stranger.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
  expect(new URL(stranger.url()).search).toBe('?from=mail')
  await context.close()
})

test('lost cookies in the middle of a sign-in lead to its beginning, not to an error', async ({ page, context }) => {
  await goToPassword(page, people.user)
  await context.clearCookies()
  await password(page).fill(demoPassword)
  await password(page).press('Enter')
  await expect(page.getByRole('button', { name: 'Fortsätt' })).toBeVisible()
  await expect(page.getByLabel('E-postadress')).toHaveValue(people.user)
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

test('nothing moves while the page comes', async ({ page }) => {
  await noteShifts(page)
  await goToPassword(page, people.user)
  await expect(page.locator('[data-finding]')).toHaveCount(0)
  expect(await shiftsOn(page)).toEqual([])
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a person signs in and out with plain forms', async ({ page }) => {
    await goToPasswordWithoutScript(page, people.user, '/login?returnTo=/')
    await expect(page.getByRole('combobox')).toBeHidden()
    await password(page).fill('not the password')
    await signInButton(page).click()
    await expect(page.getByRole('alert')).toHaveText('E-postadressen eller lösenordet är fel.')
    await expect(page).toHaveTitle('Fel: Logga in – Vestibule')
    await password(page).fill(demoPassword)
    await signInButton(page).click()
    await expect(page).toHaveURL(/\/$/)
    expect((await page.request.get('/api/me')).status()).toBe(200)
    await page.goto('/logout')
    await page.getByRole('button', { name: 'Logga ut' }).click()
    await expect(page).toHaveURL(/\/$/)
    expect((await page.request.get('/api/me')).status()).toBe(401)
  })
})
