import english from '../locales/en/translation.json' with { type: 'json' }
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('the language changes without a reload and is remembered', async ({ page, context }) => {
  await page.goto('/login?returnTo=/')
  // Wait for JavaScript: an earlier choice of language would be lost.
  await page.locator('form[novalidate]').waitFor()
  let loads = 0
  page.on('framenavigated', () => loads++)
  await page.getByLabel('E-postadress').fill('someone@nordvik.example')
  for (const [name, language, title] of [
    ['English', 'en', 'Sign in – Vestibule'],
    ['Suomi', 'fi', 'Kirjaudu sisään – Vestibule'],
    ['Français', 'fr', 'Se connecter – Vestibule'],
  ] as const) {
    await page.getByRole('combobox').selectOption({ label: name })
    await expect(page).toHaveTitle(title)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('input[type=email]')).toHaveValue('someone@nordvik.example')
  }
  expect(loads).toBe(0)
  expect((await context.cookies()).find(({ name }) => name === 'language')?.value).toBe('fr')
  await page.reload()
  await expect(page).toHaveTitle('Se connecter – Vestibule')
})

test('a message from the server changes its language too', async ({ page }) => {
  await page.goto('/login?returnTo=/')
  await page.goto(`${page.url()}?error=tooManyRequests`)
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText('Det blev för många försök. Vänta en stund och försök igen.')
  await page.locator('form[novalidate]').waitFor()
  await page.getByRole('combobox').selectOption('en')
  await expect(alert).toHaveText('Too many attempts. Wait a moment and try again.')
  await expect(page).toHaveTitle('Error: Sign in – Vestibule')
})

test('text in an address is never shown on the page', async ({ page }) => {
  await page.goto('/login?returnTo=/')
  await page.goto(`${page.url()}?email=%22%3E%3Cimg%20src=x%3E&error=Call%20070-123`)
  await expect(page.getByLabel('E-postadress')).toHaveValue('"><img src=x>')
  await expect(page.getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
  await expect(page.locator('img')).toHaveCount(0)
})

test('the sign-out form submits automatically and ends the session', async ({ page, context, signIn }) => {
  await signIn(people.both)
  await page.goto('/logout')
  await expect(page.getByLabel('E-postadress')).toBeVisible()
  expect((await context.request.get('/api/me')).status()).toBe(401)
})

test('a sign-out link on another site asks for confirmation', async ({ page, context, baseURL, signIn }) => {
  await signIn(people.both)
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${baseURL}/logout">Bilder på katter</a>` }),
  )
  await page.goto('http://elsewhere.example/')
  await page.getByRole('link').click()
  await expect(page.getByRole('status')).toHaveText('Vill du logga ut från portalen och dina tjänster?')
  await expectAccessible(page)
  expect((await context.request.get('/api/me')).status()).toBe(200)
  await page.getByRole('button', { name: 'Logga ut' }).click()
  await expect(page.getByLabel('E-postadress')).toBeVisible()
  expect((await context.request.get('/api/me')).status()).toBe(401)
})

test('the page for an expired session waits for the user', async ({ page, signIn }) => {
  await page.goto('/session-expired')
  await expect(page).toHaveTitle('Sessionen har gått ut – Vestibule')
  await signIn(people.user)
  await page.getByRole('link', { name: 'Logga in igen' }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
})

test('an address that does not exist returns 404', async ({ page }) => {
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sidan finns inte')
  await page.getByRole('link', { name: 'Till startsidan' }).click()
  await expect(page.getByLabel('E-postadress')).toBeVisible()
})

test('a crash of the sign-in page shows an error with a reference, and reports it', async ({ page }) => {
  await page.goto('/login?returnTo=/')
  await page.locator('form[novalidate]').waitFor()
  await page.evaluate((broken) => {
    const replace = String.prototype.replace as (...options: unknown[]) => string
    const replaceOrThrow = function (this: string, ...options: unknown[]) {
      if (String(this) === broken) throw new TypeError('broken on purpose')
      return replace.apply(this, options)
    }
    Object.assign(String.prototype, { replace: replaceOrThrow })
  }, english.continue)
  const report = page.waitForResponse((response) => response.url().endsWith('/client-errors'))
  await page.getByRole('combobox').selectOption('en')
  await expect(page.getByRole('heading', { level: 1, name: english.serverError })).toBeVisible()
  const reference = String((await report).headers()['x-request-id'])
  await expect(page.getByText(english.referenceId.replace('{{id}}', reference))).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('support@vestibule.example')
  await expectAccessible(page)
  await page.getByRole('button', { name: english.tryAgain }).click()
  await expect(page.locator('input[type=email]')).toBeVisible()
})

test('the app is preloaded while the user types', async ({ page }) => {
  const files: string[] = []
  page.on('requestfinished', (request) => files.push(new URL(request.url()).pathname))
  await page.goto('/')
  const wanted = (await page.locator('meta[name=app-files]').getAttribute('content'))?.split(' ') ?? []
  expect(wanted.length).toBeGreaterThan(1)
  await expect.poll(() => wanted.filter((file) => !files.includes(file))).toEqual([])
})
