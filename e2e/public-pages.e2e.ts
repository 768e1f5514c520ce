import english from '../locales/en/translation.json' with { type: 'json' }
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a sign-out form submits itself and ends the session, but a link on another site asks; the page for an expired session waits', async ({
  page,
  context,
  baseURL,
  signIn,
}) => {
  await test.step('a link on another site asks for confirmation', async () => {
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
  await test.step('the page for an expired session waits for the user', async () => {
    await page.goto('/session-expired')
    await expect(page).toHaveTitle('Sessionen har gått ut – Vestibule')
    await signIn(people.user)
    await page.getByRole('link', { name: 'Logga in igen' }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  })
  await test.step('the form submits itself', async () => {
    await signIn(people.both)
    await page.goto('/logout')
    await expect(page.getByLabel('E-postadress')).toBeVisible()
    expect((await context.request.get('/api/me')).status()).toBe(401)
  })
})

test('an address that does not exist returns 404, and a crash of the sign-in page shows a reference and is reported', async ({
  page,
}) => {
  await test.step('an address that does not exist', async () => {
    const response = await page.goto('/nothing/here')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sidan finns inte')
    await page.getByRole('link', { name: 'Till startsidan' }).click()
    await expect(page.getByLabel('E-postadress')).toBeVisible()
  })
  await test.step('a crash', async () => {
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
})

test('the sign-in page preloads the app, changes its language without a reload, and never shows text of its address', async ({
  page,
  context,
}) => {
  await test.step('the app is preloaded while the user types', async () => {
    const files: string[] = []
    page.on('requestfinished', (request) => files.push(new URL(request.url()).pathname))
    await page.goto('/')
    const wanted = (await page.locator('meta[name=app-files]').getAttribute('content'))?.split(' ') ?? []
    expect(wanted.length).toBeGreaterThan(1)
    await expect.poll(() => wanted.filter((file) => !files.includes(file))).toEqual([])
  })
  await test.step('the language changes without a reload and is remembered', async () => {
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
  await test.step('a message from the server changes its language too', async () => {
    await page.getByRole('combobox').selectOption('sv')
    await page.goto('/login?returnTo=/')
    await page.goto(`${page.url()}?error=tooManyRequests`)
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('Det blev för många försök. Vänta en stund och försök igen.')
    await page.locator('form[novalidate]').waitFor()
    await page.getByRole('combobox').selectOption('en')
    await expect(alert).toHaveText('Too many attempts. Wait a moment and try again.')
    await expect(page).toHaveTitle('Error: Sign in – Vestibule')
    await page.getByRole('combobox').selectOption('sv')
  })
  await test.step('text in an address is never shown on the page', async () => {
    await page.goto('/login?returnTo=/')
    await page.goto(`${page.url()}?email=%22%3E%3Cimg%20src=x%3E&error=Call%20070-123`)
    await expect(page.getByLabel('E-postadress')).toHaveValue('"><img src=x>')
    await expect(page.getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
    await expect(page.locator('img')).toHaveCount(0)
  })
})
