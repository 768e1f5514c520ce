import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSideways, looks, signInByHand, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { codeTo, mailsTo, resetLinkTo } from './outbox.ts'
import { people } from './people.ts'

const chosen = 'Brun-utter-42-lampa'
const email = (page: Page) => page.getByLabel('E-postadress')
const newPassword = (page: Page) => page.getByLabel('Nytt lösenord', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Bekräfta nytt lösenord')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function askForLink(page: Page, address: string) {
  await page.goto('/reset-password')
  // The script has taken the form over.
  await expect(email(page)).toBeFocused()
  await email(page).fill(address)
  await button(page, 'Skicka länk').click()
  await expect(page.getByRole('status')).toContainText('Titta i din e-post')
}
/** The page that asks for the address, when the script has taken it over. */
async function signInForm(page: Page) {
  await page.waitForURL(/\/interaction\//)
  await page.locator('form[novalidate]').waitFor()
}
async function expectInvalid(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('alert')).toContainText('Länken gäller inte längre')
  await expect(page.getByLabel('Nytt lösenord')).toHaveCount(0)
}

test('a person who forgot the password chooses another, and is signed out everywhere', async ({
  page,
  browser,
  baseURL,
  request,
}) => {
  const elsewhere = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'sv-SE' })
  const other = await elsewhere.newPage()
  await signInByHand(other, people.forgetful)

  await page.goto('/')
  await link(page, 'Glömt lösenordet?').click()
  await expect(page).toHaveURL(/\/reset-password$/)
  await askForLink(page, people.forgetful)
  await expect(email(page)).toBeDisabled()
  await expect(link(page, 'Tillbaka till inloggningen')).toBeFocused()
  await page.goto(await resetLinkTo(request, people.forgetful))
  await expect(email(page)).toHaveValue(people.forgetful)
  await expect(email(page)).toHaveAttribute('readonly', '')
  await expect(email(page)).toHaveAttribute('autocomplete', 'username')
  for (const field of [newPassword(page), confirmation(page)])
    await expect(field).toHaveAttribute('autocomplete', 'new-password')

  await newPassword(page).fill('Sommar-2026')
  await expect(page.getByRole('listitem').filter({ hasText: 'Minst 12 tecken' })).toContainText('saknas')
  await button(page, 'Spara').click()
  const summary = page.getByRole('group', { name: '2 saker behöver rättas' })
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link', { name: 'Bekräfta nytt lösenord: Fyll i det här fältet.' })).toBeVisible()
  await expect(page).toHaveTitle(/^Fel: /)
  await newPassword(page).fill('Sommar-2026-lars')
  await confirmation(page).fill('Sommar-2026-lars')
  await button(page, 'Spara').click()
  await expect(newPassword(page)).toBeFocused()
  await expect(newPassword(page)).toHaveAccessibleDescription(/för lätt att gissa/)
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  const expired = other.waitForURL('**/session-expired', { timeout: 20_000 })
  await button(page, 'Spara').click()
  await expect(page.getByRole('status').first()).toContainText('Lösenordet är ändrat')
  expect((await elsewhere.request.get('/api/me')).status()).toBe(401)
  await expired
  await expect(newPassword(page)).toHaveAttribute('readonly', '')
  await expectAccessible(page)

  await link(page, 'Logga in').click()
  await signInForm(page)
  await email(page).fill(people.forgetful)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(chosen)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Lars' })).toBeVisible()
  await elsewhere.close()
})

test('with two factors the code is still asked for, and the link does not work again', async ({ page, request }) => {
  await askForLink(page, people.resetting)
  const mailed = await resetLinkTo(request, people.resetting)
  await page.goto(mailed)
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  // What breaks on the way is told, and nothing that was typed is lost.
  const broken = { status: 500, json: { message: 'genericErrorMessage' } }
  await page.route('**/api/reset-password', (route) => route.fulfill(broken), { times: 1 })
  await button(page, 'Spara').click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
  await expect(page).toHaveTitle(/^Fel: /)
  const notifications = page.getByRole('region', { name: 'Meddelanden (F6)' })
  await expect(notifications.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await expectAccessible(page)
  for (const field of [newPassword(page), confirmation(page)]) await expect(field).toHaveValue(chosen)
  await button(page, 'Spara').press('Enter')
  await expect(notifications.getByRole('alert')).toBeHidden()
  await expect(page.getByRole('status').first()).toContainText('Lösenordet är ändrat')
  await expectInvalid(page, mailed)
  // What tells of the new password has left: from here on the newest mail is the one with the code.
  await expect
    .poll(async () => (await mailsTo(request, people.resetting))[0])
    .toContain('Lösenordet till ditt konto byttes')
  await page.goto('/')
  await signInForm(page)
  await email(page).fill(people.resetting)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(chosen)
  await button(page, 'Fortsätt').click()
  await page.getByLabel('Kod', { exact: true }).pressSequentially(await codeTo(request, people.resetting))
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, David' })).toBeVisible()
})

test('a replaced and a made-up link give the same page as a used one, which leads to a new one', async ({
  page,
  context,
  request,
}) => {
  const address = people.asksAgain
  await askForLink(page, address)
  const first = await resetLinkTo(request, address)
  await askForLink(page, address)
  const second = await resetLinkTo(request, address, first)
  const madeUp = ['x'.repeat(43), 'x'.repeat(90), 'made-up'].map((token) => `/reset-password/${token}`)
  for (const path of [first, ...madeUp]) await expectInvalid(page, path)

  // So does one that was good when the page was opened. What a mail program adds to an address does no harm.
  await page.goto(`${second}?utm_source=mail`)
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  const tab = await context.newPage()
  await askForLink(tab, address)
  await resetLinkTo(request, address, second)
  await button(page, 'Spara').click()
  await expect(page.getByRole('alert')).toContainText('Länken gäller inte längre')
  await link(page, 'Be om en ny länk').click()
  await expect(button(page, 'Skicka länk')).toBeVisible()
})

test('a request for a link that breaks on the way is told, and the address stays', async ({ page }) => {
  await page.goto('/reset-password')
  await expect(email(page)).toBeFocused()
  await email(page).fill('nobody@nowhere.example')
  const broken = { status: 503, json: { message: 'temporarilyUnavailable' } }
  await page.route('**/api/initiate-password-reset', (route) => route.fulfill(broken), { times: 1 })
  await button(page, 'Skicka länk').click()
  await expect(page.getByRole('alert')).toHaveText(/tillfälligt otillgänglig/)
  await expect(email(page)).toHaveValue('nobody@nowhere.example')
  await expect(email(page)).toBeEnabled()
  await button(page, 'Skicka länk').click()
  await expect(page.getByRole('status')).toContainText('Titta i din e-post')
  await expect(page.getByRole('alert')).toBeEmpty()
})

test('a link without its token says so', async ({ page }) => {
  await page.goto('/reset-password/')
  await expect(page.getByRole('alert')).toContainText('Länken är inte komplett')
  await expect(link(page, 'Be om en ny länk')).toBeVisible()
  await expectAccessible(page)
})

test('the answer is the same for an address that nobody has, and for one that cannot be one it is none', async ({
  page,
}) => {
  await askForLink(page, 'nobody@nowhere.example')
  await expectAccessible(page)
  await page.goto('/reset-password')
  await expect(email(page)).toBeFocused()
  await button(page, 'Skicka länk').click()
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveAccessibleDescription('Fyll i det här fältet.')
  await email(page).fill('nobody')
  await email(page).press('Enter')
  await expect(email(page)).toHaveAccessibleDescription(/giltig e-postadress/)
  await expect(page).toHaveTitle(/^Fel: /)
})

test('whoever is faster than the page loses nothing that was typed', async ({ page }) => {
  const go = await holdBack(page, '**/assets/reset-password-page-*.js')
  await page.goto('/reset-password', { waitUntil: 'commit' })
  await email(page).fill('nobody@nowhere.example')
  const again = page.waitForRequest(/\/reset-password\?email=/)
  await email(page).press('Enter')
  await again
  // Not the page that is about to go.
  await page.waitForURL(/\?email=/, { waitUntil: 'commit' })
  go()
  await expect(email(page)).toHaveValue('nobody@nowhere.example')
  await expect(email(page)).toBeFocused()
  await button(page, 'Skicka länk').click()
  await expect(page.getByRole('status')).toContainText('Titta i din e-post')
})

test('of two languages the one chosen last stays, whichever comes last', async ({ page }) => {
  const release = await holdBack(page, '**/assets/en-*.js')
  await page.goto('/reset-password')
  await expect(email(page)).toBeFocused()
  const asked = page.waitForRequest('**/assets/en-*.js')
  await page.getByRole('combobox').selectOption('en')
  await page.getByRole('combobox').selectOption('fi')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  const late = (await asked).response()
  release()
  await (await late)?.finished()
  // The part is there for whoever wants it, and what it brought has been looked at.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  await expect(page.getByRole('combobox')).toHaveValue('fi')
})

test.describe('in French', () => {
  test.use({ locale: 'fr-FR' })

  test('what is to be corrected is written as French is', async ({ page, request }) => {
    await page.goto('/reset-password')
    await expect(page.getByLabel('Adresse e-mail')).toBeFocused()
    await page.getByLabel('Adresse e-mail').fill(people.hasty)
    await page.getByLabel('Adresse e-mail').press('Enter')
    await expect(page.getByRole('status')).toContainText('Consultez votre messagerie')
    await page.goto(await resetLinkTo(request, people.hasty))
    await button(page, 'Enregistrer').click()
    const summary = page.getByRole('group', { name: '2 points à corriger' })
    await expect(summary).toBeFocused()
    expect(await summary.getByRole('link').first().textContent()).toBe(
      'Nouveau mot de passe\u00a0: Remplissez ce champ.',
    )
  })
})

for (const look of looks)
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport })

    test('the reset pages are accessible and fit in every language', async ({ page }) => {
      for (const path of ['/reset-password', '/reset-password/made-up']) {
        await page.goto(path)
        for (const language of ['sv', 'en', 'fi', 'fr']) {
          await page.getByRole('combobox').selectOption(language)
          await expect(page.locator('html')).toHaveAttribute('lang', language)
          await expectAccessible(page)
          await expectNoSideways(page)
        }
      }
    })
  })
