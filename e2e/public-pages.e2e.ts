import { expect, expectAccessible, expectNoSideways, looks, signInByHand, test } from './fixtures.ts'
import { people } from './people.ts'

test('the language changes without a reload and is remembered', async ({ page, context }) => {
  await page.goto('/login?returnTo=/')
  // A choice of language before the script has taken over would be nobody's.
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

test('a message of the server changes its language too', async ({ page }) => {
  await page.goto('/login?returnTo=/')
  await page.goto(`${page.url()}?error=tooManyRequests`)
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText('Det blev för många försök. Vänta en stund och försök igen.')
  await page.locator('form[novalidate]').waitFor()
  await page.getByRole('combobox').selectOption('en')
  await expect(alert).toHaveText('Too many attempts. Wait a moment and try again.')
  await expect(page).toHaveTitle('Error: Sign in – Vestibule')
})

test('an address puts no words of its own into the page', async ({ page }) => {
  await page.goto('/login?returnTo=/')
  await page.goto(`${page.url()}?email=%22%3E%3Cimg%20src=x%3E&error=Call%20070-123`)
  await expect(page.getByLabel('E-postadress')).toHaveValue('"><img src=x>')
  await expect(page.getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
  await expect(page.locator('img')).toHaveCount(0)
})

test('signing out posts itself and ends the session', async ({ page, context }) => {
  await signInByHand(page, people.both)
  await page.goto('/logout')
  await expect(page.getByLabel('E-postadress')).toBeVisible()
  expect((await context.request.get('/api/me')).status()).toBe(401)
})

test('an expired session waits for its owner', async ({ page, signIn }) => {
  await page.goto('/session-expired')
  await expect(page).toHaveTitle('Sessionen har gått ut – Vestibule')
  await signIn(people.user)
  await page.getByRole('link', { name: 'Logga in igen' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
})

test('an address that does not exist says so with a true 404', async ({ page }) => {
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sidan finns inte')
  await page.getByRole('link', { name: 'Till startsidan' }).click()
  await expect(page.getByLabel('E-postadress')).toBeVisible()
})

for (const look of looks)
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport })

    test('the message pages are accessible', async ({ page }) => {
      for (const path of ['/session-expired', '/nothing/here']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectAccessible(page)
        await expectNoSideways(page)
      }
    })
  })

test('the app is fetched while somebody types', async ({ page }) => {
  const files: string[] = []
  page.on('requestfinished', (request) => files.push(new URL(request.url()).pathname))
  await page.goto('/')
  const wanted = (await page.locator('meta[name=app-files]').getAttribute('content'))?.split(' ') ?? []
  expect(wanted.length).toBeGreaterThan(1)
  await expect.poll(() => wanted.filter((file) => !files.includes(file))).toEqual([])
})
