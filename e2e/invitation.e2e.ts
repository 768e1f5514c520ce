import type { Page } from '@playwright/test'
import { acceptAndRead, expectLauncher, leadOn } from './acceptance.ts'
import { expectAccessible } from './accessibility.ts'
import { openPhone } from './bankid-phone.ts'
import { goToCompany, signInThere } from './company.ts'
import { countSteps } from './count-steps.ts'
import { expectNoSidewaysAtAnyWidth, expectUsableAtEveryWidth } from './every-width.ts'
import { expect } from './fixtures.ts'
import { test, tokenIn } from './invited.ts'
import { demoPassword, people } from './people.ts'
import { t } from './texts.ts'

const password = 'Brun-utter-42-lampa'

const accept = (page: Page) => page.getByRole('button', { name: 'Tacka ja till inbjudan' })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Ends in Swedish. */
async function fitsInEveryLanguage(page: Page) {
  for (const language of ['en', 'fi', 'fr', 'sv']) {
    await page.getByRole('combobox').selectOption(language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expectNoSidewaysAtAnyWidth(page)
  }
  await expectUsableAtEveryWidth(page)
}

async function fillNames(page: Page) {
  await field(page, 'Förnamn').fill('Nina')
  await field(page, 'Efternamn').fill('Nyström')
}

test('an invited person chooses a password on a phone, gets a confirmation, and is in', { tag: '@main' }, async ({
  page,
  invite,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { email, path } = await invite('Nordvik AB')
  await page.goto('/login')
  const steps = await countSteps(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Välkommen till Nordvik AB')
  await expect(field(page, 'E-postadress')).toHaveValue(email)
  await fillNames(page)
  const rules = page.locator('#password-rules li[data-met]')
  await field(page, 'Välj lösenord').fill('Kort-1')
  await expect(rules).toHaveCount(4)
  await field(page, 'Välj lösenord').fill(password)
  await expect(rules).toHaveCount(5)
  await field(page, 'Upprepa lösenordet').fill(password)
  await acceptAndRead(page)
  await expectLauncher(page, 'Nina')
  // As docs/tour.md says.
  expect({ clicks: steps.clicks, fields: steps.fields.size }).toEqual({ clicks: 1, fields: 4 })
})

test('who is signed in as somebody else is told so before accepting, and is in as the invited person', async ({
  page,
  signIn,
  invite,
}) => {
  const { email, path } = await invite('Nordvik AB')
  await signIn(people.colleague)
  await page.goto(path)
  await expect(page.getByText(t('acceptingSignsOut', { own: people.colleague, email }))).toBeVisible()
  await expectAccessible(page)
  await fillNames(page)
  await field(page, t('choosePassword')).fill(password)
  await field(page, t('repeatPassword')).fill(password)
  await acceptAndRead(page)
  await expectLauncher(page, 'Nina')
})

test('a person invited to Fjällrå AB enters the personal number and no password, and proves it with SAML', async ({
  page,
  invite,
}) => {
  const ssn = '191212121212'
  const { email, path } = await invite('Fjällrå AB')
  await acceptWithNumber(page, path, ssn)
  // The first sign-in with this personal number activates the account; the company's address for the user is another
  // one.
  await leadOn(page)
  await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
  await signInThere(page, { email: 'nina.nystrom@fjallra.example', ssn: '199908072391' })
  await expect(page.getByRole('alert')).toContainText('kontot kan inte användas här')
  await goToCompany(page, email)
  await signInThere(page, { email: 'nina.nystrom@fjallra.example', ssn })
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Nina' }) })).toBeVisible()
})

test('a person invited to Havsvik Bank AB enters the personal number, proves it with BankID, and is active', async ({
  page,
  invite,
  browser,
  baseURL,
  sessionOf,
}) => {
  const ssn = '201701122382'
  const { email, path } = await invite('Havsvik Bank AB')
  const administration = await browser.newContext({ baseURL: baseURL ?? '', locale: 'sv-SE' })
  await administration.addCookies(await sessionOf(people.superUser))
  const list = await administration.newPage()
  const row = list.getByRole('row').filter({ hasText: email })
  const look = () => list.goto(`/users?searchQuery=${email}`)

  await acceptWithNumber(page, path, ssn)
  await look()
  await expect(row).toContainText(t('awaitsSignIn'))
  await leadOn(page)
  const { phone, context } = await openPhone(baseURL ?? '')
  const prove = async (number: string) => {
    await phone.scan(page)
    await phone.identify(number)
  }
  // Anyone with the mail can use the link, but only the person with the personal number can use the account.
  await prove('199908072391')
  await expect(page.getByRole('alert')).toHaveText(/^Det gick inte att logga in med det BankID:t\./)
  // The error is shown before a new order starts: there is a retry button and no QR code.
  await expect(page.getByRole('button', { name: t('tryAgain') })).toBeFocused()
  await expect(page.getByRole('img', { name: t('bankIdQrCode') })).toHaveCount(0)
  await look()
  await expect(row).toContainText(t('awaitsSignIn'))
  await page.getByRole('button', { name: 'Försök igen' }).click()
  await prove(ssn)
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Nina' }) })).toBeVisible()
  await look()
  await expect(row).toContainText('Nina')
  await expect(row).not.toContainText(t('awaitsSignIn'))
  await administration.close()
  await context.dispose()
})

async function acceptWithNumber(page: Page, path: string, ssn: string) {
  await page.goto(path)
  await fillNames(page)
  await expect(page.locator('input[type=password]')).toHaveCount(0)
  await field(page, 'Personnummer').fill('201701102385')
  await accept(page).click()
  await expect(field(page, 'Personnummer')).toBeFocused()
  await expect(page.getByText('Personnumret stämmer inte. Kontrollera siffrorna.')).toBeVisible()
  await field(page, 'Personnummer').fill(ssn)
  await expect(page.getByText('Personnumret stämmer inte. Kontrollera siffrorna.')).toHaveCount(0)
  await acceptAndRead(page)
}

test('the page of an invitation is accessible in every language, shows errors at their fields, and says what no longer holds', async ({
  page,
  invite,
  superUser,
}) => {
  await test.step('a used link says so, and how to get help', async () => {
    for (const address of ['/accept-invitation', '/accept-invitation/']) {
      await page.goto(address)
      await expect(page.getByRole('alert')).toContainText(t('tokenRequired'))
    }
    for (const token of ['x'.repeat(90), 'made-up']) {
      await page.goto(`/accept-invitation/${token}`)
      await expect(page.getByRole('alert')).toContainText('Inbjudan gäller inte längre.')
    }
    await expect(page.getByRole('alert')).toContainText('Be den som bjöd in dig')
    await page.getByRole('combobox').selectOption('en')
    await expect(page.getByRole('alert')).toContainText('The invitation is no longer valid.')
    await expectAccessible(page)
  })
  const { email, path } = await invite('Nordvik AB')
  await page.goto(path)
  await test.step('it is accessible, and fits in every language', async () => {
    for (const [language, title] of [
      ['en', 'Welcome to Nordvik AB'],
      ['fi', 'Nordvik AB toivottaa sinut tervetulleeksi'],
      ['fr', 'Bienvenue chez Nordvik AB'],
      ['sv', 'Välkommen till Nordvik AB'],
    ] as const) {
      await page.getByRole('combobox').selectOption(language)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expectNoSidewaysAtAnyWidth(page)
    }
    await expectUsableAtEveryWidth(page)
  })
  await test.step('errors are shown at their fields and in a summary, those of the server too', async () => {
    await accept(page).click()
    const summary = page.getByRole('group', { name: '4 saker behöver rättas' })
    await expect(summary).toBeFocused()
    await expect(page).toHaveTitle(/^Fel: /)
    await summary.getByRole('link', { name: 'Förnamn: Fyll i det här fältet.' }).click()
    await expect(field(page, 'Förnamn')).toBeFocused()
    await expectAccessible(page)
    const language = page.getByRole('combobox')
    await language.selectOption('fr')
    // French puts a space before the colon.
    await expect(page.getByRole('link', { name: 'Prénom\u00a0: Remplissez ce champ.', exact: true })).toBeVisible()
    await language.selectOption('sv')
    await fillNames(page)
    await field(page, 'Välj lösenord').fill('Nina-Nystrom-2026')
    await field(page, 'Upprepa lösenordet').fill('Nina-Nystrom-2026')
    await expect(summary).toHaveCount(0)
    await accept(page).click()
    await expect(field(page, 'Välj lösenord')).toBeFocused()
    await expect(field(page, 'Välj lösenord')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText('Lösenordet är för lätt att gissa.')).toBeVisible()
    await expect(field(page, 'Efternamn')).toHaveValue('Nyström')
  })
  await test.step('an account that was opened while the form was open is asked to sign in', async () => {
    await field(page, 'Välj lösenord').fill(password)
    await field(page, 'Upprepa lösenordet').fill(password)
    const other = await invite('Solberga kommun', email)
    const person = { email, firstName: 'Nina', lastName: 'Nyström', loginMethod: 'local2FA' }
    const data = { ...person, password, confirmNewPassword: password, token: tokenIn(other.path) }
    expect((await superUser.post('/api/invites/accept', { data })).status()).toBe(204)
    await accept(page).click()
    await expect(page.getByText(t('invitedWithAccount', { email }))).toBeVisible()
    await expect(page.getByRole('link', { name: t('signIn') })).toBeVisible()
  })
})

test.describe('someone who has an account', () => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const organizationsOf = async (page: Page): Promise<string[]> => {
    const { accountId } = await (await page.request.get('/api/me')).json()
    const all: { name: string }[] = await (await page.request.get(`/api/users/${accountId}/organizations`)).json()
    return all.map(({ name }) => name)
  }

  test('goes from the mail through the sign-in, and is a member only after saying yes', async ({
    page,
    invite,
    newPerson,
  }) => {
    const email = await newPerson()
    const { path } = await invite('Havsvik Bank AB', email)
    await page.goto(path)
    await expect(heading(page, t('invitesYou', { name: 'Havsvik Bank AB' }))).toBeVisible()
    await expect(page.getByText(t('invitedWithAccount', { email }))).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await fitsInEveryLanguage(page)
    await page.getByRole('link', { name: t('signIn') }).click()
    await expect(page.locator('input[name=email]')).toHaveValue(email)
    await page.locator('form[novalidate]').waitFor()
    await page.locator('input[name=email]').press('Enter')
    await page.locator('input[name=password]').fill(demoPassword)
    await page.locator('input[name=password]').press('Enter')
    await expect(page).toHaveURL(path)
    await expect(page.getByText(t('invitedAsYou', { email }))).toBeVisible()
    await fitsInEveryLanguage(page)
    expect(await organizationsOf(page)).toEqual(['Nordvik AB'])

    await button(page, t('accept')).click()
    await expect(heading(page, t('invitationAccepted'))).toBeVisible()
    await expect(page.getByRole('status')).toContainText(t('joinedText', { name: 'Havsvik Bank AB' }))
    await expect(page.getByRole('link', { name: t('continue') })).toBeFocused()
    expect(await organizationsOf(page)).toEqual(['Havsvik Bank AB', 'Nordvik AB'])
    await page.getByRole('link', { name: t('continue') }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: /^Organisation:/ })).toBeVisible()
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText(t('invitationInvalid'))
  })

  test('retries without a network, and says no after a question and by keyboard alone', async ({
    page,
    signIn,
    invite,
    newPerson,
    context,
  }) => {
    const email = await newPerson()
    const { path } = await invite('Havsvik Bank AB', email)
    await signIn(email)
    await page.goto(path)
    await button(page, t('accept')).waitFor()
    await context.setOffline(true)
    await button(page, t('accept')).click()
    await expect(page.getByRole('alert')).toHaveText(t('networkError'))
    await context.setOffline(false)
    await button(page, t('decline')).focus()
    await page.keyboard.press('Enter')
    await expect(heading(page, t('declineTitle', { name: 'Havsvik Bank AB' }))).toBeFocused()
    await expectAccessible(page)
    await button(page, t('back')).press('Enter')
    await expect(heading(page, t('invitesYou', { name: 'Havsvik Bank AB' }))).toBeFocused()
    await button(page, t('decline')).press('Enter')
    await page.keyboard.press('Tab')
    await expect(button(page, t('decline'))).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(heading(page, t('invitationDeclined'))).toBeFocused()
    await expectAccessible(page)
    expect(await organizationsOf(page)).toEqual(['Nordvik AB'])
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText(t('invitationInvalid'))
  })

  test('sees that another user is signed in, and switches', async ({ page, signIn, invite, newPerson }) => {
    const email = await newPerson()
    const { path } = await invite('Havsvik Bank AB', email)
    await signIn(people.colleague)
    await page.goto(path)
    await expect(page.getByText(t('invitedSomeoneElse', { own: people.colleague, email }))).toBeVisible()
    await expect(button(page, t('accept'))).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('link', { name: t('switchAccount') }).click()
    await expect(page.locator('input[name=email]')).toHaveValue(email)
    await page.locator('form[novalidate]').waitFor()
    await page.locator('input[name=email]').press('Enter')
    await page.locator('input[name=password]').fill(demoPassword)
    await page.locator('input[name=password]').press('Enter')
    await expect(page).toHaveURL(path)
    await expect(button(page, t('accept'))).toBeVisible()
  })
})
