import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { comeBackTo, expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { codeTo, mailsTo, resetLinkTo } from './outbox.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const chosen = 'Brun-utter-42-lampa'
const email = (page: Page) => page.getByLabel(t('email'))
const newPassword = (page: Page) => page.getByLabel(t('newPassword'), { exact: true })
const confirmation = (page: Page) => page.getByLabel(t('confirmNewPassword'))
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function askForLink(page: Page, address: string) {
  await page.goto('/reset-password')
  // Wait until JavaScript handles the form.
  await expect(email(page)).toBeFocused()
  await email(page).fill(address)
  await button(page, t('resetPasswordSend')).click()
  await expect(page.getByRole('status')).toContainText(t('resetPasswordSent'))
}
/** The form for the address, once JavaScript handles it. */
async function signInForm(page: Page) {
  await page.waitForURL(/\/interaction\//)
  await page.locator('form[novalidate]').waitFor()
}
async function expectInvalid(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('alert')).toContainText(t('resetLinkInvalid'))
  await expect(page.getByLabel(t('newPassword'))).toHaveCount(0)
}

test('a person who forgot the password chooses another, and is signed out everywhere', { tag: '@main' }, async ({
  page,
  browser,
  baseURL,
  request,
  sessionOf,
}) => {
  const elsewhere = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'sv-SE' })
  const other = await elsewhere.newPage()
  await elsewhere.addCookies(await sessionOf(people.forgetful))
  await other.goto('/')
  await other.locator('#main h1').waitFor()

  await page.goto('/')
  await link(page, t('forgotPassword')).click()
  await expect(page).toHaveURL(/\/reset-password$/)
  await askForLink(page, people.forgetful)
  await expect(email(page)).toBeDisabled()
  await expect(link(page, t('backToSignIn'))).toBeFocused()
  await page.goto(await resetLinkTo(request, people.forgetful))
  await expect(email(page)).toHaveValue(people.forgetful)
  await expect(email(page)).toHaveAttribute('readonly', '')
  await expect(email(page)).toHaveAttribute('autocomplete', 'username')
  for (const field of [newPassword(page), confirmation(page)])
    await expect(field).toHaveAttribute('autocomplete', 'new-password')

  await newPassword(page).fill('Sommar-2026')
  await expect(page.getByRole('listitem').filter({ hasText: t('passwordRuleLength') })).toContainText(
    t('passwordRuleMissing'),
  )
  await button(page, t('save')).click()
  const summary = page.getByRole('group', { name: t('formErrors', { count: 2 }) })
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link', { name: 'Bekräfta nytt lösenord: Fyll i det här fältet.' })).toBeVisible()
  await expect(page).toHaveTitle(/^Fel: /)
  await newPassword(page).fill('Sommar-2026-lars')
  await confirmation(page).fill('Sommar-2026-lars')
  await button(page, t('save')).click()
  await expect(newPassword(page)).toBeFocused()
  await expect(newPassword(page)).toHaveAccessibleDescription(/för lätt att gissa/)
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  const expired = other.waitForURL('**/session-expired', { timeout: 20_000 })
  await button(page, t('save')).click()
  await expect(page.getByRole('status').first()).toContainText(t('newPasswordSaved'))
  expect((await elsewhere.request.get('/api/me')).status()).toBe(401)
  await comeBackTo(other)
  await expired
  await expect(newPassword(page)).toHaveAttribute('readonly', '')
  await expectAccessible(page)

  await link(page, t('signIn')).click()
  await signInForm(page)
  await email(page).fill(people.forgetful)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(chosen)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Lars' }) })).toBeVisible()
  await elsewhere.close()
})

test('with two-factor sign-in the code is still required, and the link works only once', async ({ page, request }) => {
  await askForLink(page, people.resetting)
  const mailed = await resetLinkTo(request, people.resetting)
  await page.goto(mailed)
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  // A failed request shows an error, and the typed passwords stay.
  const broken = { status: 500, json: { message: 'genericErrorMessage' } }
  await page.route('**/api/reset-password', (route) => route.fulfill(broken), { times: 1 })
  await button(page, t('save')).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(t('genericErrorMessage'))
  await expect(page).toHaveTitle(/^Fel: /)
  const notifications = page.getByRole('region', { name: t('notifications') })
  await expect(notifications.getByRole('alert')).toContainText(t('genericErrorMessage'))
  await expectAccessible(page)
  for (const field of [newPassword(page), confirmation(page)]) await expect(field).toHaveValue(chosen)
  await button(page, t('save')).press('Enter')
  await expect(notifications.getByRole('alert')).toBeHidden()
  await expect(page.getByRole('status').first()).toContainText(t('newPasswordSaved'))
  await expectInvalid(page, mailed)
  // Wait for the notification of the new password, so that the next mail is the one with the code.
  await expect
    .poll(async () => (await mailsTo(request, people.resetting))[0])
    .toContain('Lösenordet till ditt konto byttes')
  await page.goto('/')
  await signInForm(page)
  await email(page).fill(people.resetting)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(chosen)
  await button(page, t('continue')).click()
  await page.getByLabel(t('code'), { exact: true }).pressSequentially(await codeTo(request, people.resetting))
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'David' }) })).toBeVisible()
})

test('a replaced, an invented and an incomplete link show a page with a way to request a new one', async ({
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

  // A link that became invalid after the page was opened shows the same. Parameters that mail programs add do no harm.
  await page.goto(`${second}?utm_source=mail`)
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  const tab = await context.newPage()
  await askForLink(tab, address)
  await resetLinkTo(request, address, second)
  await button(page, t('save')).click()
  await expect(page.getByRole('alert')).toContainText(t('resetLinkInvalid'))
  await link(page, t('askForNewLink')).click()
  await expect(button(page, t('resetPasswordSend'))).toBeVisible()
  await page.goto('/reset-password/')
  await expect(page.getByRole('alert')).toContainText(t('tokenRequired'))
  await expect(link(page, t('askForNewLink'))).toBeVisible()
  await expectAccessible(page)
})

test('a link is asked for with the same answer for every address, again after a failure, and before the script has loaded', async ({
  page,
}) => {
  await test.step('the answer for an unknown address, and the error for an invalid one', async () => {
    await askForLink(page, 'nobody@nowhere.example')
    await expectAccessible(page)
    await page.goto('/reset-password')
    await expect(email(page)).toBeFocused()
    await button(page, t('resetPasswordSend')).click()
    await expect(email(page)).toBeFocused()
    await expect(email(page)).toHaveAccessibleDescription(t('required'))
    await email(page).fill('nobody')
    await email(page).press('Enter')
    await expect(email(page)).toHaveAccessibleDescription(/giltig e-postadress/)
    await expect(page).toHaveTitle(/^Fel: /)
  })
  await test.step('a failed request shows an error, and the address stays', async () => {
    await page.goto('/reset-password')
    await expect(email(page)).toBeFocused()
    await email(page).fill('nobody@nowhere.example')
    const broken = { status: 503, json: { message: 'temporarilyUnavailable' } }
    await page.route('**/api/initiate-password-reset', (route) => route.fulfill(broken), { times: 1 })
    await button(page, t('resetPasswordSend')).click()
    await expect(page.getByRole('alert')).toContainText(t('temporarilyUnavailable'))
    await expect(email(page)).toHaveValue('nobody@nowhere.example')
    await expect(email(page)).toBeEnabled()
    await button(page, t('resetPasswordSend')).click()
    await expect(page.getByRole('status')).toContainText(t('resetPasswordSent'))
    await expect(page.getByRole('alert')).toBeEmpty()
  })
  await test.step('what is typed before the script has loaded is kept', async () => {
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
    await button(page, t('resetPasswordSend')).click()
    await expect(page.getByRole('status')).toContainText(t('resetPasswordSent'))
  })
})

test('of two languages the last choice wins, whichever loads last', async ({ page }) => {
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
  // The code was loaded, and this test checks what it did.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  await expect(page.getByRole('combobox')).toHaveValue('fi')
})
