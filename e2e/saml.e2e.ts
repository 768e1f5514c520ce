import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import { goToCompany, signInThere } from './company.ts'
import { expectNoSidewaysAtAnyWidth, expectUsableOnPhone } from './every-width.ts'
import { expect, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const steps = {
  sv: t('openingSignInService'),
  en: 'Opening your organisation’s sign-in…',
  fi: 'Avataan organisaatiosi kirjautuminen…',
  fr: 'Ouverture du service de connexion de votre organisation…',
}

test('a person whose company has SAML signs in there, reaches the requested page, and signs in there again after signing out', {
  tag: '@main',
}, async ({ page, baseURL }) => {
  await goToCompany(page, people.atCompany, '/account')
  // A different site: the browser sends none of the portal's cookies from there.
  expect(new URL(page.url()).hostname).not.toBe(new URL(baseURL ?? '').hostname)
  await expectAccessible(page)
  await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
  await expect(page.getByRole('textbox', { name: t('email') })).toHaveValue(people.atCompany)
  expect(new URL(page.url()).pathname).toBe('/account')
  await page.goto('/logout')
  await page.waitForURL(/\/interaction\//)
  await goToCompany(page, people.returning)
  await page.getByRole('button', { name: /Åsa Dahl/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Åsa' }) })).toBeVisible()
})

test('a person who cancels at the company or is unknown there sees why, and can go on as another; a super user finds out, too', async ({
  page,
  signIn,
}) => {
  await test.step('cancelled, or gone back', async () => {
    await goToCompany(page, people.atCompany)
    await page.getByRole('button', { name: t('cancel') }).click()
    await expect(page.getByRole('alert')).toContainText('Din organisations inloggning släppte inte in dig.')
    await page.getByRole('button', { name: t('continue') }).click()
    await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: t('signIn') })).toBeVisible()
    await expect(page.getByLabel(t('email'))).toHaveValue(people.atCompany)
  })
  await test.step('unknown', async () => {
    await page.locator('form[novalidate]').waitFor()
    await page.getByLabel(t('email')).fill('nobody@fjallra.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
    await signInThere(page, { email: 'nobody@fjallra.example' })
    await expect(page.getByRole('alert')).toHaveText(t('samlRefused'))
    await expect(page).toHaveTitle(/^Fel: /)
    await expectAccessible(page)
    await expect(page.getByLabel(t('email'))).toHaveValue('nobody@fjallra.example')
    const reference = new URL(page.url()).searchParams.get('reference') ?? ''
    await expect(page.getByText(t('referenceId', { id: reference }))).toBeVisible()
    await page.getByRole('button', { name: t('continue') }).click()
    await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Aslak' }) })).toBeVisible()

    await signIn(people.superUser)
    await page.goto('/saml-configuration/1')
    await page
      .getByRole('dialog')
      .getByRole('link', { name: t('samlSignIns'), exact: true })
      .click()
    await page.getByRole('searchbox', { name: t('samlSignInsSearch') }).fill(reference)
    await page.keyboard.press('Enter')
    await expect(page.getByText(t('samlFailureUnknownPerson'))).toHaveCount(1)
    await expect(page.getByText(t('samlFailureClock'))).toBeHidden()
    await expectAccessible(page)
  })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a person follows a link to the company, and returns with a button; one whose company has none is asked for the password', async ({
    page,
  }) => {
    await page.goto('/login?returnTo=/')
    await page.getByLabel(t('email')).fill(people.user)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: t('openSignInService') }).click()
    await expect(page.getByRole('alert')).toContainText('din organisation')
    await expect(page.getByLabel(t('email'))).toHaveValue(people.user)
    await page.goto('/login?returnTo=/')
    await page.getByLabel(t('email')).fill(people.atCompany)
    await page.keyboard.press('Enter')
    // Playwright finds no text in a `noscript` element.
    await expect(page.locator('noscript p')).toHaveText(/BankID fungerar bara med JavaScript\.$/)
    await page.getByRole('link', { name: t('openSignInService') }).click()
    await page.getByRole('button', { name: /Aslak Raatikainen/ }).click()
    await page.getByRole('button', { name: t('continue') }).click()
    await expect(page).toHaveURL(/\/$/)
    const me = await page.request.get('/api/me')
    expect(await me.json()).toMatchObject({ email: people.atCompany })
  })
})

test('the page on the way to the company is accessible in every language, and leads there and back', async ({
  page,
}) => {
  // The browser stays on the page.
  await page.route(/\/saml\?email=/, (route) => route.fulfill({ status: 204 }))
  await page.goto('/')
  await page.locator('form[novalidate]').waitFor()
  await page.getByLabel(t('email')).fill(people.atCompany)
  await page.keyboard.press('Enter')
  for (const [language, text] of Object.entries(steps)) {
    await page.getByRole('combobox').selectOption(language)
    await expect(page.getByRole('status')).toHaveText(text)
    if (language === 'sv') {
      await expectAccessibleInBothThemes(page)
      await expectUsableOnPhone(page)
    }
    await expectNoSidewaysAtAnyWidth(page)
  }
  await page.getByRole('combobox').selectOption('sv')
  await page.getByRole('link', { name: t('back') }).click()
  await expect(page.getByLabel(t('email'))).toHaveValue(people.atCompany)
  const goesOn = page.waitForEvent('requestfailed', (request) => request.url().includes('/saml?email='))
  await page.getByRole('button', { name: t('continue') }).click()
  await goesOn
  await page.unroute(/\/saml\?email=/)
  await page.getByRole('link', { name: t('openSignInService') }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fjällrå AB' })).toBeVisible()
  await expectNoSidewaysAtAnyWidth(page)
})
