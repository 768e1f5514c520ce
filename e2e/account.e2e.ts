import type { Browser, Page } from '@playwright/test'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { goToCompany } from './company.ts'
import { expect, narrow, signInByHand, test } from './fixtures.ts'
import { codeTo } from './outbox.ts'
import { type DemoEmail, demoPassword, people } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { signInByRequest } from './sign-in-by-request.ts'
import { t, titled } from './texts.ts'

const newPassword = 'Brown-otter-42-lamp'

let database: PortalDatabase
test.beforeAll(async () => {
  database = await openPortalDatabase()
})
test.afterAll(() => database?.close())

/** Another browser in which the same user is signed in. */
async function otherBrowser(browser: Browser, email: DemoEmail, baseURL: string | undefined): Promise<Page> {
  const person = await signInByRequest(String(baseURL), email)
  const context = await browser.newContext({ baseURL: String(baseURL), storageState: await person.storageState() })
  await person.dispose()
  return context.newPage()
}

/** Sent without the page, which may redirect when its session has ended. */
const statusOfMe = async (page: Page) => (await page.request.get('/api/me')).status()
const main = (page: Page) => page.getByRole('main')
const toast = (page: Page, text: string) => page.getByRole('region', { name: /\(F6\)/ }).getByText(text)

test('a changed name is saved and shows in the menu', { tag: '@main' }, async ({ page, signIn }) => {
  await signIn(people.renamed)
  await page.goto('/')
  await page.getByRole('button', { name: t('accountMenuName', { name: 'Björn' }) }).click()
  await page.getByRole('menuitem', { name: t('accountSettings') }).click()
  await expect(page).toHaveTitle(titled(t('accountSettings')))
  await expect(page.getByRole('heading', { level: 1, name: t('accountSettings') })).toBeFocused()
  const email = page.getByRole('textbox', { name: t('email') })
  await expect(email).toHaveValue(people.renamed)
  await expect(email).not.toBeEditable()
  await expect(email).toHaveAccessibleDescription(t('emailNotEditable'))
  const name = page.getByRole('textbox', { name: t('firstName') })
  await expect(page.getByRole('button', { name: t('save') })).toHaveCount(0)
  await name.fill('Bosse')
  await page.getByRole('button', { name: t('save') }).click()
  await expect(toast(page, t('updated'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('accountMenuName', { name: 'Bosse' }) })).toBeVisible()
  await expect(page.getByRole('button', { name: t('save') })).toHaveCount(0)
  await name.fill('Björn')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: t('accountMenuName', { name: 'Björn' }) })).toBeVisible()
})

test('a user is told of errors, keeps or discards changes, and needs neither mouse nor network for it', async ({
  page,
  signIn,
  context,
}) => {
  await test.step('errors are listed in a summary and shown at their fields', async () => {
    await signIn(people.user)
    await page.goto('/account')
    await page.getByRole('textbox', { name: t('firstName') }).fill('')
    const ssn = page.getByRole('textbox', { name: t('ssn') })
    await page.getByRole('button', { name: t('showOwnNumber') }).click()
    await ssn.fill('191212121213')
    await page.getByRole('textbox', { name: t('phoneNumber') }).fill('70174 x')
    await page.getByRole('button', { name: t('save') }).click()
    await expect(page.getByRole('group', { name: t('formErrors', { count: 3 }) })).toBeFocused()
    await expect(page).toHaveTitle('Fel: Kontoinställningar – Vestibule')
    await expect(ssn).toHaveAttribute('aria-invalid', 'true')
    await expect(ssn).toHaveAccessibleDescription(/Personnumret stämmer inte/)
    await page.getByRole('link', { name: /^Personnummer:/ }).click()
    await expect(ssn).toBeFocused()
    await ssn.fill('')
    await expect(ssn).not.toHaveAttribute('aria-invalid', 'true')
    await main(page)
      .getByRole('button', { name: t('discardChanges') })
      .click()
  })
  await test.step('by keyboard alone', async () => {
    await page.getByRole('tab', { name: t('account') }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: t('password') })).toBeFocused()
    // The tab gets the focus before its panel has rendered.
    await expect(page.getByRole('textbox', { name: t('oldPassword') })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: t('oldPassword') })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: t('showPassword') }).first()).toBeFocused()
    await page.keyboard.press('Space')
    await expect(page.getByRole('textbox', { name: t('oldPassword') })).toHaveAttribute('type', 'text')
    await page.getByRole('tab', { name: t('password') }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('textbox', { name: t('email') })).toBeVisible()
    for (const name of [t('email'), t('firstName')]) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('textbox', { name })).toBeFocused()
    }
    await page.keyboard.type('Emanuel')
    const order = [t('lastName'), t('ssn'), t('phoneNumber')]
    for (const name of order) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('textbox', { name })).toBeFocused()
    }
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: t('privacyHow') })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: t('discardChanges') })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: t('firstName') })).toHaveValue('Emil')
  })
  await test.step('changes are kept or discarded', async () => {
    const lastName = page.getByRole('textbox', { name: t('lastName') })
    await lastName.fill('Någonannan')
    await page.getByRole('tab', { name: t('password') }).click()
    await expect(page).toHaveURL('/account?tab=password')
    await page.getByRole('tab', { name: t('account') }).click()
    await expect(lastName).toHaveValue('Någonannan')
    await page.getByRole('link', { name: t('overview') }).click()
    const question = page.getByRole('alertdialog', { name: t('discardChangesTitle') })
    await question.getByRole('button', { name: t('goBackToForm') }).click()
    await expect(question).toHaveCount(0)
    await expect(lastName).toHaveValue('Någonannan')
    await page.getByRole('link', { name: t('overview') }).click()
    await question.getByRole('button', { name: t('discardChanges') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
    await page.goBack()
    await expect(lastName).toHaveValue('Vikström')
    await lastName.fill('Någonannan')
    await main(page)
      .getByRole('button', { name: t('discardChanges') })
      .click()
    await expect(lastName).toHaveValue('Vikström')
  })
  await test.step('without a network the page stays, and the list of devices can be reloaded', async () => {
    await page.route('**/api/profile/sessions', (route) => route.abort('connectionfailed'))
    await page.goto('/account')
    await expect(page.getByRole('alert')).toContainText(t('genericErrorMessage'))
    await page.unroute('**/api/profile/sessions')
    await page.getByRole('button', { name: t('tryAgain') }).click()
    await expect(
      page
        .getByRole('region', { name: t('ownSessions') })
        .getByRole('listitem')
        .first(),
    ).toBeVisible()
    await page.getByRole('textbox', { name: t('firstName') }).fill('Utan nät')
    await context.setOffline(true)
    await page.getByRole('button', { name: t('save') }).click()
    await expect(main(page).getByRole('alert')).toContainText(t('genericErrorMessage'))
    await expect(page.getByRole('textbox', { name: t('firstName') })).toHaveValue('Utan nät')
    await context.setOffline(false)
  })
  await test.step('on a narrow screen both tabs are accessible, with errors', async () => {
    await page.setViewportSize(narrow)
    await page.getByRole('textbox', { name: t('firstName') }).fill('')
    await page.getByRole('textbox', { name: t('lastName') }).fill('')
    await page.getByRole('button', { name: t('save') }).click()
    await expect(page.getByRole('group', { name: t('formErrors', { count: 2 }) })).toBeFocused()
    await expectAccessible(page)
    await expectNoSideways(page)
    await page.getByRole('tab', { name: t('password') }).click()
    await page.getByRole('textbox', { name: t('newPassword'), exact: true }).fill('Brown')
    await page.getByRole('button', { name: t('changePassword') }).click()
    await expect(page.getByRole('group', { name: t('formErrors', { count: 2 }) })).toBeFocused()
    await expectAccessible(page)
    await expectNoSideways(page)
  })
})

test('the language is saved immediately and applies in another browser too', async ({
  page,
  browser,
  baseURL,
  signIn,
}) => {
  await signIn(people.multilingual)
  await page.goto('/account')
  await page.getByRole('textbox', { name: t('lastName') }).fill('Ofärdig')
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/profile'))
  await main(page)
    .getByRole('combobox', { name: t('preferredLanguage') })
    .selectOption('fr')
  await expect(page.getByRole('heading', { level: 1, name: 'Paramètres du compte' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  expect((await saved).status()).toBe(200)
  await expect(page.getByRole('textbox', { name: 'Nom de famille' })).toHaveValue('Ofärdig')
  const other = await otherBrowser(browser, people.multilingual, baseURL)
  await other.goto('/')
  await expect(other.locator('html')).toHaveAttribute('lang', 'fr')

  // The draft is saved although the saved language has raised the account's version.
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(toast(page, 'Modifications enregistrées')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Nom de famille' }).fill('Olofsson')
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toHaveCount(0)

  await other.getByRole('button', { name: /Cecilia/ }).click()
  await other.getByRole('menuitemradio', { name: 'Svenska' }).click()
  await expect(other.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Cecilia' }) })).toBeVisible()
  await expect
    .poll(() => other.evaluate(async () => (await (await fetch('/api/me')).json()).preferredLanguage))
    .toBe('sv')
  await other.context().close()
})

test('a new personal number is confirmed with the password, and a wrong one changes nothing', async ({
  page,
  signIn,
}) => {
  await signIn(people.numbered)
  await page.goto('/account')
  const ssn = page.getByRole('textbox', { name: t('ssn') })
  await page.getByRole('button', { name: t('showOwnNumber') }).click()
  await ssn.fill('201701102384')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('confirmItIsYou') })
  const password = dialog.getByRole('textbox', { name: t('password') })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('Wrong-horse-7-battery')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription(/Lösenordet är fel/)
  await expect(password).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(ssn).toHaveValue('201701102384')
  await page.getByRole('button', { name: t('save') }).click()
  await password.fill(demoPassword)
  await dialog.getByRole('button', { name: t('confirm') }).click()
  // A code makes the number count for BankID; the person may leave that for later.
  await expect(dialog.getByText(t('confirmNumberText'))).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('notNow') }).click()
  await expect(toast(page, t('updated'))).toBeVisible()
  await expect(ssn).toHaveAccessibleDescription(/Inte bekräftat/)
  await expect(main(page).getByText(t('ssnUnconfirmedText'))).toBeVisible()
  await page.reload()
  await expect(ssn).toHaveValue('20170110-****')
  await page.getByRole('button', { name: t('showOwnNumber') }).click()
  await expect(ssn).toBeFocused()
  await expect(ssn).toHaveValue('201701102384')
})

test('a new phone number is confirmed with the password and a code, or later, and gets codes from then on', async ({
  page,
  request,
}) => {
  await signInByHand(page, people.reachable, '/account')
  const phone = page.getByRole('textbox', { name: t('phoneNumber') })
  const dialog = page.getByRole('dialog', { name: t('confirmItIsYou') })
  const hint = main(page).getByText(t('phoneUnconfirmedText'))
  const prove = async () => {
    await dialog.getByRole('textbox', { name: t('password') }).fill(demoPassword)
    await dialog.getByRole('button', { name: t('confirm') }).click()
  }
  const proveCode = async () => {
    const earlier = await codeTo(request, people.reachable).catch(() => undefined)
    await dialog.getByRole('button', { name: t('sendCodeByEmail') }).click()
    await dialog
      .getByLabel(t('code'), { exact: true })
      .pressSequentially(await codeTo(request, people.reachable, earlier))
    await expect(dialog).toBeHidden()
  }
  const kinds = async () => (await api<{ kinds: string[] }>(page, 'GET', '/api/profile/factors')).kinds

  await test.step('left for later, the number is saved, and the page says what it does not do', async () => {
    await phone.fill('+46701740690')
    await page.keyboard.press('Enter')
    await prove()
    await dialog.getByRole('button', { name: t('notNow') }).click()
    await expect(hint).toBeVisible()
    await expect(phone).toHaveAccessibleDescription(/Inte bekräftat/)
    expect(await kinds()).toEqual(['email'])
    await expectAccessible(page)
  })
  await test.step('confirmed by a click, the password and a code, it gets codes', async () => {
    await main(page)
      .getByRole('button', { name: t('confirm') })
      .click()
    await prove()
    await proveCode()
    await expect(hint).toBeHidden()
    expect(await kinds()).toEqual(['sms', 'email'])
  })
  await test.step('another number is saved and counts at once: the code was given a moment ago', async () => {
    await phone.fill('+46701740691')
    await page.keyboard.press('Enter')
    await prove()
    await expect(toast(page, t('updated'))).toBeVisible()
    await expect(page.getByRole('button', { name: t('save') })).toHaveCount(0)
    await expect(hint).toBeHidden()
    expect(await kinds()).toEqual(['sms', 'email'])
  })
})

test('a change from another tab is shown, the draft stays, and the next save works', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.elsewhereToo)
  await page.goto('/account')
  const field = (on: Page, name: string) => on.getByRole('textbox', { name, exact: true })
  await field(page, t('firstName')).fill('Dagny')
  await field(page, t('lastName')).fill('Ek')
  const other = await context.newPage()
  await other.goto('/account')
  await field(other, t('lastName')).fill('Dahl')
  await other.keyboard.press('Enter')
  await expect(toast(other, t('updated'))).toBeVisible()

  await page.getByRole('button', { name: t('save') }).click()
  const notice = main(page).getByRole('alert')
  await expect(notice).toContainText('Det du har skrivit finns kvar.')
  await expect(notice.getByRole('listitem')).toContainText([t('lastName'), t('theirValue', { value: 'Dahl' })].join(''))
  await expectAccessible(page)
  await expect(field(page, t('firstName'))).toHaveValue('Dagny')
  await expect(field(page, t('lastName'))).toHaveValue('Ek')
  await notice.getByRole('button', { name: /Efternamn/ }).click()
  await expect(field(page, t('lastName'))).toHaveValue('Dahl')
  await page.getByRole('button', { name: t('save') }).click()
  await expect(toast(page, t('updated'))).toBeVisible()
  await expect(notice).toHaveCount(0)

  // Several changes in a row, without waiting in between.
  for (const name of ['Disa', 'Dora', 'David']) {
    await field(page, t('firstName')).fill(name)
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/profile'))
    await page.keyboard.press('Enter')
    expect((await saved).status()).toBe(200)
    await expect(page.getByRole('button', { name: t('save') })).toHaveCount(0)
  }
  await page.reload()
  await expect(field(page, t('firstName'))).toHaveValue('David')
  await expect(field(page, t('lastName'))).toHaveValue('Dahl')
  await field(page, t('lastName')).fill('Berg')
  await page.keyboard.press('Enter')
  await expect(toast(page, t('updated'))).toBeVisible()
})

test('a person who signed in at their company a while ago proves it again in another window, and the change is saved', async ({
  page,
  context,
}) => {
  const { email, name } = { email: people.provingAnew, name: /Ärla Karlsson/ }
  const number = `+4670${String(Date.now()).slice(-7)}`
  const phone = page.getByRole('textbox', { name: t('phoneNumber') })
  const save = page.getByRole('button', { name: t('save') })
  const dialog = page.getByRole('dialog', { name: t('confirmItIsYou') })
  await goToCompany(page, email, '/account')
  await page.getByRole('button', { name }).click()
  await expect(phone).toBeVisible()
  await database.ageSignIns(email, 11)

  await phone.fill(number)
  await save.click()
  await expectAccessible(page)
  await test.step('what was typed stays for who does not want to, and nothing is said', async () => {
    await dialog.getByRole('button', { name: t('cancel') }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(t('freshProofRequired'))).toHaveCount(0)
    await expect(page.getByText(t('genericErrorMessage'))).toHaveCount(0)
    await expect(phone).toHaveValue(number)
  })
  await save.click()
  const opened = context.waitForEvent('page')
  await dialog.getByRole('link', { name: t('confirmWithCompany') }).click()
  const other = await opened
  await other.locator('form[novalidate]').waitFor()
  await expect(other.getByLabel(t('email'))).toHaveValue(email)
  await other.getByRole('button', { name: t('continue') }).click()
  await other.getByRole('button', { name }).click()
  await expect(dialog).toBeHidden()
  await expect(toast(page, t('updated'))).toBeVisible()
  await page.reload()
  await expect(phone).toHaveValue(number)
})

test('a changed password ends the session of another browser before the page reports success', async ({
  page,
  browser,
  baseURL,
}) => {
  await signInByHand(page, people.careful, '/account')
  const other = await otherBrowser(browser, people.careful, baseURL)
  await page.getByRole('tab', { name: t('password') }).click()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const rules = page.getByText(t('passwordRulesTitle')).locator('..')
  await field(t('oldPassword')).fill('Wrong-horse-7-battery')
  await field(t('newPassword')).fill('Brown-otter')
  await expect(rules.getByRole('listitem').filter({ hasText: t('passwordRuleMet') })).toHaveCount(3)
  await field(t('newPassword')).fill(newPassword)
  await expect(rules.getByRole('listitem').filter({ hasText: t('passwordRuleMet') })).toHaveCount(5)
  await field(t('confirmNewPassword')).fill('Other-otter-42')
  await page.getByRole('button', { name: t('changePassword') }).click()
  await expect(field(t('confirmNewPassword'))).toHaveAccessibleDescription(/Lösenorden är inte lika/)
  await field(t('confirmNewPassword')).fill(newPassword)
  await page.getByRole('button', { name: t('changePassword') }).click()
  await expect(field(t('oldPassword'))).toHaveAccessibleDescription(/Lösenordet är fel/)
  await expect(field(t('oldPassword'))).toBeFocused()
  expect(await statusOfMe(other)).toBe(200)

  await field(t('oldPassword')).fill(demoPassword)
  const changed = page.waitForResponse((response) => response.url().endsWith('/api/profile/password'))
  await page.getByRole('button', { name: t('changePassword') }).click()
  expect((await changed).status()).toBe(204)
  expect(await statusOfMe(other)).toBe(401)
  await expect(toast(page, t('passwordChanged'))).toBeVisible()
  await expect(field(t('newPassword'))).toHaveValue('')
  expect(await statusOfMe(page)).toBe(200)
  const tab = await other.context().newPage()
  await tab.goto('/')
  await expect(tab.getByRole('heading', { level: 1, name: t('signIn') })).toBeVisible()
  await other.context().close()
})

test('a person signs another browser out, then all others', async ({ page, browser, baseURL }) => {
  await signInByHand(page, people.manyDevices, '/account')
  const devices = page.getByRole('region', { name: t('ownSessions') }).getByRole('listitem')
  await expect(devices).toHaveCount(1)
  await expect(devices.first()).toContainText(t('thisDevice'))
  await expect(devices.first().getByRole('button')).toHaveCount(0)

  const second = await otherBrowser(browser, people.manyDevices, baseURL)
  await page.reload()
  await expect(devices).toHaveCount(2)
  await devices
    .nth(1)
    .getByRole('button', { name: /^Logga ut / })
    .click()
  await expect(toast(page, t('deviceSignedOut'))).toBeVisible()
  await expect(devices).toHaveCount(1)
  expect(await statusOfMe(second)).toBe(401)

  const others = [
    await otherBrowser(browser, people.manyDevices, baseURL),
    await otherBrowser(browser, people.manyDevices, baseURL),
  ]
  await page.reload()
  await page.getByRole('button', { name: t('signOutOtherDevices') }).click()
  const question = page.getByRole('alertdialog', { name: t('signOutOtherDevicesTitle') })
  await expect(question.getByRole('button', { name: t('cancel') })).toBeFocused()
  await question.getByRole('button', { name: t('signOut') }).click()
  await expect(toast(page, t('otherDevicesSignedOut'))).toBeVisible()
  await expect(devices).toHaveCount(1)
  for (const other of others) expect(await statusOfMe(other)).toBe(401)
  expect(await statusOfMe(page)).toBe(200)
  for (const other of [second, ...others]) await other.context().close()
})

test('a person with a password that an admin chose can only change it', async ({ page }) => {
  await database.demandPasswordChange(people.newcomer)
  await signInByHand(page, people.newcomer, '/account')
  await page.goto('/')
  await expect(page).toHaveURL('/account')
  await expect(page.getByRole('heading', { level: 1, name: t('passwordMustChangeTitle') })).toBeVisible()
  await expect(page.getByText('Byt det för att komma vidare.')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('palette') })).toHaveCount(0)
  const oldPassword = page.getByRole('textbox', { name: t('oldPassword') })
  await oldPassword.focus()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(oldPassword).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: t('oldPassword') }).fill(demoPassword)
  await page.getByRole('textbox', { name: t('newPassword'), exact: true }).fill(demoPassword)
  await page.getByRole('textbox', { name: t('confirmNewPassword') }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('passwordUnchanged'))).toBeVisible()
  await page.getByRole('textbox', { name: t('newPassword'), exact: true }).fill(newPassword)
  await page.getByRole('textbox', { name: t('confirmNewPassword') }).fill(newPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Stefan' }) })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Journal' })).toBeVisible()
})
