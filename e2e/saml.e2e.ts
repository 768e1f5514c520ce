import { goToCompany, signInThere } from './company.ts'
import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { people } from './people.ts'

const steps = {
  sv: 'Öppnar din organisations inloggning …',
  en: 'Opening your sign-in service…',
  fi: 'Avataan organisaatiosi kirjautuminen…',
  fr: 'Ouverture du service de connexion de votre organisation…',
}

test('somebody whose company has a sign-in of its own signs in there, and comes to where they were going', async ({
  page,
  baseURL,
}) => {
  await goToCompany(page, people.atCompany, '/account')
  // Another site than the portal: what comes from there brings none of the portal's cookies along.
  expect(new URL(page.url()).hostname).not.toBe(new URL(baseURL ?? '').hostname)
  await expectAccessible(page)
  await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
  await expect(page.getByRole('textbox', { name: 'E-postadress' })).toHaveValue(people.atCompany)
  expect(new URL(page.url()).pathname).toBe('/account')
})

test('whoever signed out and comes again signs in there again', async ({ page }) => {
  await goToCompany(page, people.returning)
  await page.getByRole('button', { name: /Åsa Dahl/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Åsa' })).toBeVisible()
  await page.goto('/logout')
  await page.waitForURL(/\/interaction\//)
  await goToCompany(page, people.returning)
  await page.getByRole('button', { name: /Åsa Dahl/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Åsa' })).toBeVisible()
})

test('the answer of a company signs nobody in but the browser that asked', async ({ page, browser, baseURL }) => {
  await goToCompany(page, people.atCompany)
  const answer = page.waitForRequest(/\/acs$/)
  await page.route(/\/acs$/, (route) => route.abort())
  await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
  const request = await answer
  const fields = [...new URLSearchParams(request.postData() ?? '')]

  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'sv-SE' })
  const other = await context.newPage()
  await other.setContent('<form method="post"></form>')
  await other.evaluate(
    ({ action, fields }) => {
      const form = document.forms[0]
      if (!form) return
      form.action = action
      for (const [name, value] of fields) {
        const input = Object.assign(document.createElement('input'), { type: 'hidden', name, value })
        form.append(input)
      }
      form.submit()
    },
    { action: request.url(), fields },
  )
  await expect(other.getByRole('alert')).toHaveText(
    'Inloggningen tog för lång tid eller började i en annan webbläsare. Börja om här.',
  )
  await expect(other.getByLabel('E-postadress')).toBeFocused()
  expect((await other.request.get('/api/me')).status()).toBe(401)
  await context.close()
})

test('somebody whom the portal does not know is told so, and can be somebody else at the next try', async ({
  page,
}) => {
  await goToCompany(page, 'nobody@fjallra.example')
  await signInThere(page, { email: 'nobody@fjallra.example' })
  await expect(page.getByRole('alert')).toHaveText(
    'Du är inloggad hos din organisation, men kontot kan inte användas här. Fråga den som sköter användarna hos er.',
  )
  await expect(page).toHaveTitle(/^Fel: /)
  await expectAccessible(page)
  await expect(page.getByLabel('E-postadress')).toHaveValue('nobody@fjallra.example')
  await page.getByRole('button', { name: 'Fortsätt' }).click()
  await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Aslak' })).toBeVisible()
})

test('whoever cancels at the company, or goes back from it, stands on the address again', async ({ page }) => {
  await goToCompany(page, people.atCompany)
  await page.getByRole('button', { name: 'Avbryt' }).click()
  await expect(page.getByRole('alert')).toContainText('Din organisations inloggning släppte inte in dig.')
  await page.getByRole('button', { name: 'Fortsätt' }).click()
  await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Logga in' })).toBeVisible()
  await expect(page.getByLabel('E-postadress')).toHaveValue(people.atCompany)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('somebody comes to the company by a link, and back by a button', async ({ page }) => {
    await page.goto('/login?returnTo=/')
    await page.getByLabel('E-postadress').fill(people.atCompany)
    await page.keyboard.press('Enter')
    // Playwright finds no text in it.
    await expect(page.locator('noscript p')).toHaveText(/BankID fungerar bara med JavaScript\.$/)
    await page.getByRole('link', { name: 'Gå till inloggningen' }).click()
    await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
    await page.getByRole('button', { name: 'Fortsätt' }).click()
    await expect(page).toHaveURL(/\/$/)
    const me = await page.request.get('/api/me')
    expect(await me.json()).toMatchObject({ email: people.atCompany })
  })

  test('a password is asked for by those whose company has no such sign-in', async ({ page }) => {
    await page.goto('/login?returnTo=/')
    await page.getByLabel('E-postadress').fill(people.user)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Gå till inloggningen' }).click()
    await expect(page.getByRole('alert')).toContainText('din organisation')
    await expect(page.getByLabel('E-postadress')).toHaveValue(people.user)
  })
})

for (const look of looks)
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport })

    test('the page on the way to the company is accessible in every language, and leads there and back', async ({
      page,
    }) => {
      // The browser stays where it is.
      await page.route(/\/saml\?email=/, (route) => route.fulfill({ status: 204 }))
      await page.goto('/')
      await page.locator('form[novalidate]').waitFor()
      await page.getByLabel('E-postadress').fill(people.atCompany)
      await page.keyboard.press('Enter')
      for (const [language, text] of Object.entries(steps)) {
        await page.getByRole('combobox').selectOption(language)
        await expect(page.getByRole('status')).toHaveText(text)
        await expectAccessible(page)
        await expectNoSideways(page)
      }
      await page.getByRole('combobox').selectOption('sv')
      await page.getByRole('link', { name: 'Tillbaka' }).click()
      await expect(page.getByLabel('E-postadress')).toHaveValue(people.atCompany)
      const goesOn = page.waitForEvent('requestfailed', (request) => request.url().includes('/saml?email='))
      await page.getByRole('button', { name: 'Fortsätt' }).click()
      await goesOn
      await page.unroute(/\/saml\?email=/)
      await page.getByRole('link', { name: 'Gå till inloggningen' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Fjällrå AB' })).toBeVisible()
      await expectNoSideways(page)
    })
  })
