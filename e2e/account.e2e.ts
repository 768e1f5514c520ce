import type { Browser, Page } from '@playwright/test'
import { goToCompany } from './company.ts'
import { expect, expectAccessible, expectNoSideways, looks, signInByHand, test } from './fixtures.ts'
import { type DemoEmail, demoPassword, people } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'

const newPassword = 'Brown-otter-42-lamp'

let database: PortalDatabase
test.beforeAll(async () => {
  database = await openPortalDatabase()
})
test.afterAll(() => database?.close())

/** Another browser in which the same person is signed in. */
async function otherBrowser(browser: Browser, email: DemoEmail, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: String(baseURL) })
  const page = await context.newPage()
  await signInByHand(page, email)
  return page
}

/** Asked beside the page, which goes elsewhere by itself when it finds its session ended. */
const statusOfMe = async (page: Page) => (await page.request.get('/api/me')).status()
const main = (page: Page) => page.getByRole('main')
const toast = (page: Page, text: string) => page.getByRole('region', { name: /\(F6\)/ }).getByText(text)

test('a changed name is saved and shows in the menu', async ({ page, signIn }) => {
  await signIn(people.renamed)
  await page.goto('/')
  await page.getByRole('button', { name: 'Konto: Björn' }).click()
  await page.getByRole('menuitem', { name: 'Kontoinställningar' }).click()
  await expect(page).toHaveTitle('Kontoinställningar – Vestibule')
  await expect(page.getByRole('heading', { level: 1, name: 'Kontoinställningar' })).toBeFocused()
  const email = page.getByRole('textbox', { name: 'E-postadress' })
  await expect(email).toHaveValue(people.renamed)
  await expect(email).not.toBeEditable()
  await expect(email).toHaveAccessibleDescription('E-postadressen kan inte ändras.')
  const name = page.getByRole('textbox', { name: 'Förnamn' })
  await expect(page.getByRole('button', { name: 'Spara' })).toHaveCount(0)
  await name.fill('Bosse')
  await page.getByRole('button', { name: 'Spara' }).click()
  await expect(toast(page, 'Ändringarna är sparade')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Konto: Bosse' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Spara' })).toHaveCount(0)
  await name.fill('Björn')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Konto: Björn' })).toBeVisible()
})

test('unsaved changes are asked about, and kept or discarded as wanted', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/account')
  const lastName = page.getByRole('textbox', { name: 'Efternamn' })
  await lastName.fill('Någonannan')
  await page.getByRole('tab', { name: 'Lösenord' }).click()
  await expect(page).toHaveURL('/account?tab=password')
  await page.getByRole('tab', { name: 'Konto' }).click()
  await expect(lastName).toHaveValue('Någonannan')
  await page.getByRole('link', { name: 'Översikt' }).click()
  const question = page.getByRole('alertdialog', { name: 'Kasta osparade ändringar?' })
  await question.getByRole('button', { name: 'Gå tillbaka' }).click()
  await expect(question).toHaveCount(0)
  await expect(lastName).toHaveValue('Någonannan')
  await page.getByRole('link', { name: 'Översikt' }).click()
  await question.getByRole('button', { name: 'Kasta ändringarna' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
  await page.goBack()
  await expect(lastName).toHaveValue('Vikström')
  await lastName.fill('Någonannan')
  await main(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
  await expect(lastName).toHaveValue('Vikström')
})

test('mistakes are summed up, and each is told at its field', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/account')
  await page.getByRole('textbox', { name: 'Förnamn' }).fill('')
  const ssn = page.getByRole('textbox', { name: 'Personnummer' })
  await ssn.fill('191212121213')
  await page.getByRole('textbox', { name: 'Telefonnummer' }).fill('0701740605')
  await page.getByRole('button', { name: 'Spara' }).click()
  await expect(page.getByRole('group', { name: '3 saker behöver rättas' })).toBeFocused()
  await expect(page).toHaveTitle('Fel: Kontoinställningar – Vestibule')
  await expect(ssn).toHaveAttribute('aria-invalid', 'true')
  await expect(ssn).toHaveAccessibleDescription(/Personnumret stämmer inte/)
  await page.getByRole('link', { name: /^Personnummer:/ }).click()
  await expect(ssn).toBeFocused()
  await ssn.fill('')
  await expect(ssn).not.toHaveAttribute('aria-invalid', 'true')
})

test('the language is saved at once and follows the person to another browser', async ({
  page,
  browser,
  baseURL,
  signIn,
}) => {
  await signIn(people.multilingual)
  await page.goto('/account')
  await page.getByRole('textbox', { name: 'Efternamn' }).fill('Ofärdig')
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/profile'))
  await main(page).getByRole('combobox', { name: 'Språk' }).selectOption('fr')
  await expect(page.getByRole('heading', { level: 1, name: 'Paramètres du compte' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  expect((await saved).status()).toBe(200)
  await expect(page.getByRole('textbox', { name: 'Nom', exact: true })).toHaveValue('Ofärdig')
  const other = await otherBrowser(browser, people.multilingual, baseURL)
  await expect(other.locator('html')).toHaveAttribute('lang', 'fr')

  // What was typed meanwhile is saved on top of it, although the account has moved on by the language.
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(toast(page, 'Modifications enregistrées')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('Olofsson')
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toHaveCount(0)

  await other.getByRole('button', { name: /Cecilia/ }).click()
  await other.getByRole('menuitemradio', { name: 'Svenska' }).click()
  await expect(other.getByRole('heading', { level: 1, name: 'Hej, Cecilia' })).toBeVisible()
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
  const ssn = page.getByRole('textbox', { name: 'Personnummer' })
  await ssn.fill('201701102384')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Bekräfta att det är du' })
  const password = dialog.getByRole('textbox', { name: 'Lösenord' })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('Wrong-horse-7-battery')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription(/Lösenordet är fel/)
  await expect(password).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(ssn).toHaveValue('201701102384')
  await page.getByRole('button', { name: 'Spara' }).click()
  await password.fill(demoPassword)
  await dialog.getByRole('button', { name: 'Bekräfta' }).click()
  await expect(toast(page, 'Ändringarna är sparade')).toBeVisible()
  await page.reload()
  await expect(ssn).toHaveValue('201701102384')
})

test('the number of somebody else is refused at its field, after the password', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/account')
  const ssn = page.getByRole('textbox', { name: 'Personnummer' })
  await ssn.fill('196001012381')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Lösenord' }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(ssn).toHaveAccessibleDescription(/Personnumret används redan/)
  await expect(ssn).toBeFocused()
})

test('what changed in another tab is told, what was typed stays, and the next save works', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.elsewhereToo)
  await page.goto('/account')
  const field = (on: Page, name: string) => on.getByRole('textbox', { name, exact: true })
  await field(page, 'Förnamn').fill('Dagny')
  await field(page, 'Efternamn').fill('Ek')
  const other = await context.newPage()
  await other.goto('/account')
  await field(other, 'Efternamn').fill('Dahl')
  await other.keyboard.press('Enter')
  await expect(toast(other, 'Ändringarna är sparade')).toBeVisible()

  await page.getByRole('button', { name: 'Spara' }).click()
  const notice = main(page).getByRole('alert')
  await expect(notice).toContainText('Det du har skrivit finns kvar.')
  await expect(notice.getByRole('listitem')).toContainText(['Efternamn', 'Ändrat till: Dahl'].join(''))
  await expectAccessible(page)
  await expect(field(page, 'Förnamn')).toHaveValue('Dagny')
  await expect(field(page, 'Efternamn')).toHaveValue('Ek')
  await notice.getByRole('button', { name: /Efternamn/ }).click()
  await expect(field(page, 'Efternamn')).toHaveValue('Dahl')
  await page.getByRole('button', { name: 'Spara' }).click()
  await expect(toast(page, 'Ändringarna är sparade')).toBeVisible()
  await expect(notice).toHaveCount(0)

  // One change after another, without waiting for anything in between.
  for (const name of ['Disa', 'Dora', 'David']) {
    await field(page, 'Förnamn').fill(name)
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/profile'))
    await page.keyboard.press('Enter')
    expect((await saved).status()).toBe(200)
    await expect(page.getByRole('button', { name: 'Spara' })).toHaveCount(0)
  }
  await page.reload()
  await expect(field(page, 'Förnamn')).toHaveValue('David')
  await expect(field(page, 'Efternamn')).toHaveValue('Dahl')
  await field(page, 'Efternamn').fill('Berg')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Ändringarna är sparade')).toBeVisible()
})

test.describe('somebody who signed in at a company a while ago', () => {
  const phone = (page: Page) => page.getByRole('textbox', { name: 'Telefonnummer' })
  const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Bekräfta att det är du' })
  interface Person {
    email: DemoEmail
    /** As the company's page has it. */
    name: RegExp
  }
  // Each journey has its own: that the sign-ins of one are old is true of all that this person has.
  const arla: Person = { email: people.provingAnew, name: /Ärla Karlsson/ }
  const cecilia: Person = { email: people.thinkingBetter, name: /Cecilia Åberg/ }
  const johan: Person = { email: people.withoutNetwork, name: /Johan Holm/ }

  async function signInAWhileAgo(page: Page, { email, name }: Person) {
    await goToCompany(page, email, '/account')
    await page.getByRole('button', { name }).click()
    await expect(phone(page)).toBeVisible()
    await database.ageSignIns(email, 16)
  }

  /** Stands before the company's sign-in with two changes typed and not saved. */
  async function changeAndSignInAgain(page: Page, person: Person, number: string) {
    await signInAWhileAgo(page, person)
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Ärla-Maria')
    await phone(page).fill(number)
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(dialog(page)).toContainText('så finns det du har ändrat kvar här')
    await expect(dialog(page).getByRole('button', { name: 'Logga in igen' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/interaction\//)
    await page.locator('form[novalidate]').waitFor()
    await expect(page.getByLabel('E-postadress')).toHaveValue(person.email)
    await page.getByRole('button', { name: 'Fortsätt' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
  }

  test('finds what was typed after signing in anew, saves it, and the browser has kept nothing to read', async ({
    page,
    context,
  }) => {
    const number = `+4670${String(Date.now()).slice(-7)}`
    await changeAndSignInAgain(page, arla, number)
    const [kept] = (await context.cookies()).filter(({ name }) => name.includes('draft'))
    expect(kept).toMatchObject({ httpOnly: true, path: '/api/profile/draft' })
    expect(Buffer.from(String(kept?.value), 'base64url').includes(number)).toBe(false)
    await page.getByRole('button', { name: arla.name }).click()
    await expect(page.getByRole('button', { name: 'Spara' })).toBeFocused()
    await expect(page.getByRole('status').filter({ hasText: 'Det du ändrade finns kvar.' })).toBeVisible()
    await expect(phone(page)).toHaveValue(number)
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Ärla-Maria')
    await expect(page).toHaveURL('/account')
    await expectAccessible(page)
    expect((await context.cookies()).filter(({ name }) => name.includes('draft'))).toEqual([])
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(number)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Ändringarna är sparade')).toBeVisible()
    await page.reload()
    await expect(phone(page)).toHaveValue(number)
    // It was one draft: the next change is a change like any other.
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Ärla')
    await expect(page.getByRole('status').filter({ hasText: 'Du har osparade ändringar.' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Spara' })).toHaveCount(0)
  })

  test('who thinks better of it goes back, and everything is still there', async ({ page }) => {
    await changeAndSignInAgain(page, cecilia, '+46701740699')
    // Past the sign-in page, which lies between the two.
    await page.goBack()
    await page.locator('form[novalidate]').waitFor()
    await page.goBack()
    await expect(phone(page)).toHaveValue('+46701740699')
    await expect(page.getByRole('button', { name: 'Spara' })).toBeFocused()
    await main(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
    await expect(phone(page)).not.toHaveValue('+46701740699')
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Cecilia')
  })

  test('loses nothing when the network is gone at that moment', async ({ page, context }) => {
    await signInAWhileAgo(page, johan)
    await phone(page).fill('+46701740699')
    await page.keyboard.press('Enter')
    const again = dialog(page).getByRole('button', { name: 'Logga in igen' })
    await expect(again).toBeFocused()
    await context.setOffline(true)
    await again.click()
    await expect(toast(page, 'Något gick fel. Försök igen.')).toBeVisible()
    await context.setOffline(false)
    await dialog(page).getByRole('button', { name: 'Avbryt' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(phone(page)).toHaveValue('+46701740699')
    await expect(page).toHaveURL('/account')
  })
})

test('a changed password has ended the session of another browser when it says so', async ({
  page,
  browser,
  baseURL,
}) => {
  await signInByHand(page, people.careful, '/account')
  const other = await otherBrowser(browser, people.careful, baseURL)
  await page.getByRole('tab', { name: 'Lösenord' }).click()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const rules = page.getByText('Lösenordet behöver').locator('..')
  await field('Nuvarande lösenord').fill('Wrong-horse-7-battery')
  await field('Nytt lösenord').fill('Brown-otter')
  await expect(rules.getByRole('listitem').filter({ hasText: 'uppfyllt' })).toHaveCount(3)
  await field('Nytt lösenord').fill(newPassword)
  await expect(rules.getByRole('listitem').filter({ hasText: 'uppfyllt' })).toHaveCount(5)
  await field('Bekräfta nytt lösenord').fill('Other-otter-42')
  await page.getByRole('button', { name: 'Byt lösenord' }).click()
  await expect(field('Bekräfta nytt lösenord')).toHaveAccessibleDescription(/Lösenorden är inte lika/)
  await field('Bekräfta nytt lösenord').fill(newPassword)
  await page.getByRole('button', { name: 'Byt lösenord' }).click()
  await expect(field('Nuvarande lösenord')).toHaveAccessibleDescription(/Lösenordet är fel/)
  await expect(field('Nuvarande lösenord')).toBeFocused()
  expect(await statusOfMe(other)).toBe(200)

  await field('Nuvarande lösenord').fill(demoPassword)
  const changed = page.waitForResponse((response) => response.url().endsWith('/api/profile/password'))
  await page.getByRole('button', { name: 'Byt lösenord' }).click()
  expect((await changed).status()).toBe(204)
  expect(await statusOfMe(other)).toBe(401)
  await expect(toast(page, 'Lösenordet är bytt')).toBeVisible()
  await expect(field('Nytt lösenord')).toHaveValue('')
  expect(await statusOfMe(page)).toBe(200)
  const tab = await other.context().newPage()
  await tab.goto('/')
  await expect(tab.getByRole('heading', { level: 1, name: 'Logga in' })).toBeVisible()
  await other.context().close()
})

test('a person signs another browser out, then all others', async ({ page, browser, baseURL }) => {
  await signInByHand(page, people.manyDevices, '/account')
  const devices = page.getByRole('region', { name: 'Inloggade enheter' }).getByRole('listitem')
  await expect(devices).toHaveCount(1)
  await expect(devices.first()).toContainText('Den här enheten')
  await expect(devices.first().getByRole('button')).toHaveCount(0)

  const second = await otherBrowser(browser, people.manyDevices, baseURL)
  await page.reload()
  await expect(devices).toHaveCount(2)
  await devices
    .nth(1)
    .getByRole('button', { name: /^Logga ut / })
    .click()
  await expect(toast(page, 'Enheten är utloggad')).toBeVisible()
  await expect(devices).toHaveCount(1)
  expect(await statusOfMe(second)).toBe(401)

  const others = [
    await otherBrowser(browser, people.manyDevices, baseURL),
    await otherBrowser(browser, people.manyDevices, baseURL),
  ]
  await page.reload()
  await page.getByRole('button', { name: 'Logga ut alla andra enheter' }).click()
  const question = page.getByRole('alertdialog', { name: 'Logga ut alla andra enheter?' })
  await expect(question.getByRole('button', { name: 'Avbryt' })).toBeFocused()
  await question.getByRole('button', { name: 'Logga ut' }).click()
  await expect(toast(page, 'Du är utloggad på alla andra enheter.')).toBeVisible()
  await expect(devices).toHaveCount(1)
  for (const other of others) expect(await statusOfMe(other)).toBe(401)
  expect(await statusOfMe(page)).toBe(200)
  for (const other of [second, ...others]) await other.context().close()
})

test('whoever has a password that somebody else chose can only choose another one', async ({ page }) => {
  await database.demandPasswordChange(people.newcomer)
  await signInByHand(page, people.newcomer, '/account')
  await page.goto('/')
  await expect(page).toHaveURL('/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Välj ett eget lösenord' })).toBeVisible()
  await expect(page.getByText('Byt det för att komma vidare.')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Nuvarande lösenord' }).fill(demoPassword)
  await page.getByRole('textbox', { name: 'Nytt lösenord', exact: true }).fill(demoPassword)
  await page.getByRole('textbox', { name: 'Bekräfta nytt lösenord' }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Välj ett annat lösenord än det du har nu.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Nytt lösenord', exact: true }).fill(newPassword)
  await page.getByRole('textbox', { name: 'Bekräfta nytt lösenord' }).fill(newPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Stefan' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Journal' })).toBeVisible()
})

test('without the network the page stays, and the devices can be asked for again', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.user)
  await page.route('**/api/profile/sessions', (route) => route.abort('connectionfailed'))
  await page.goto('/account')
  await expect(page.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await page.unroute('**/api/profile/sessions')
  await page.getByRole('button', { name: 'Försök igen' }).click()
  await expect(page.getByRole('region', { name: 'Inloggade enheter' }).getByRole('listitem').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Förnamn' }).fill('Utan nät')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Spara' }).click()
  await expect(main(page).getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Utan nät')
})

test('by keyboard alone, a name is changed and the other tab is reached', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/account')
  await page.getByRole('tab', { name: 'Konto' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Lösenord' })).toBeFocused()
  // The tab has the focus before its panel is there.
  await expect(page.getByRole('textbox', { name: 'Nuvarande lösenord' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Nuvarande lösenord' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Visa lösenordet' }).first()).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('textbox', { name: 'Nuvarande lösenord' })).toHaveAttribute('type', 'text')
  await page.getByRole('tab', { name: 'Lösenord' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('textbox', { name: 'E-postadress' })).toBeVisible()
  for (const name of ['E-postadress', 'Förnamn']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name })).toBeFocused()
  }
  await page.keyboard.type('Emanuel')
  const order = ['Efternamn', 'Personnummer', 'Telefonnummer']
  for (const name of order) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Kasta ändringarna' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Emil')
})

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    test.use(look)

    test('both tabs have no barriers, with changes and with mistakes', async ({ page, signIn }) => {
      await signIn(people.user)
      await page.goto('/account')
      await page.getByRole('region', { name: 'Inloggade enheter' }).getByRole('listitem').first().waitFor()
      await expectAccessible(page)
      await page.getByRole('textbox', { name: 'Förnamn' }).fill('')
      await page.getByRole('textbox', { name: 'Efternamn' }).fill('')
      await page.getByRole('button', { name: 'Spara' }).click()
      await expect(page.getByRole('group', { name: '2 saker behöver rättas' })).toBeFocused()
      await expectAccessible(page)
      await expectNoSideways(page)
      await page.getByRole('tab', { name: 'Lösenord' }).click()
      await page.getByRole('textbox', { name: 'Nytt lösenord', exact: true }).fill('Brown')
      await page.getByRole('button', { name: 'Byt lösenord' }).click()
      await expect(page.getByRole('group', { name: '2 saker behöver rättas' })).toBeFocused()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
  })
}

test('nothing is cut or pushed sideways at 320 px, in the longest languages', async ({
  page,
  context,
  signIn,
  baseURL,
}) => {
  await signIn(people.user)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const language of ['fi', 'fr']) {
    await context.addCookies([{ name: 'language', value: language, url: String(baseURL) }])
    for (const path of ['/account', '/account?tab=password']) {
      await page.goto(path)
      await page.locator('section li').first().waitFor({ state: 'attached' })
      await expectNoSideways(page)
    }
  }
})
