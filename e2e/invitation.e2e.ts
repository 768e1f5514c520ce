import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { acceptAndRead, expectSignIn } from './acceptance.ts'
import { openPhone } from './bankid-phone.ts'
import { goToCompany, signInThere } from './company.ts'
import { test as base, expect, expectAccessible, expectNoSideways, looks } from './fixtures.ts'
import { people } from './people.ts'

const password = 'Brun-utter-42-lampa'

interface Invited {
  email: string
  /** The path of the link in the mail. */
  path: string
}

const test = base.extend<{ invite: (organization: string) => Promise<Invited> }>({
  /** Invites a new address into the demo's organisation of this name, as a super user, and reads the mail. */
  invite: async ({ browser, sessionOf, baseURL }, use) => {
    const origin = baseURL ?? ''
    const context = await browser.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
    await context.addCookies(await sessionOf(people.superUser))
    const { request } = context
    await use(async (organization) => {
      const all: { name: string; organizationId: string }[] = await (
        await request.get('/api/organizations/list')
      ).json()
      const organizationId = all.find(({ name }) => name === organization)?.organizationId
      const email = `nina.${randomUUID()}@example.com`
      const response = await request.post('/api/invites', { data: { email, organizationId } })
      expect(response.status()).toBe(201)
      return { email, path: await linkTo(request, email) }
    })
    await context.close()
  },
})

async function linkTo(request: APIRequestContext, email: string): Promise<string> {
  let path = ''
  await expect(async () => {
    const sent: { to: string; text: string }[] = await (
      await request.get('/dev/outbox', { headers: { accept: 'application/json' } })
    ).json()
    path = /\/accept-invitation\/\S+/.exec(sent.find(({ to }) => to === email)?.text ?? '')?.[0] ?? ''
    expect(path).not.toBe('')
  }).toPass()
  return path
}

const accept = (page: Page) => page.getByRole('button', { name: 'Tacka ja till inbjudan' })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

async function fillNames(page: Page) {
  await field(page, 'Förnamn').fill('Nina')
  await field(page, 'Efternamn').fill('Nyström')
}

test('somebody invited chooses a password, is told, and signs in', async ({ page, invite }) => {
  const { email, path } = await invite('Nordvik AB')
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
  await expectSignIn(page)
  await page.getByLabel('E-postadress').fill(email)
  await page.getByLabel('E-postadress').press('Enter')
  await page.locator('input[name=password]').fill(password)
  await page.locator('input[name=password]').press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Nina' })).toBeVisible()
})

test('somebody invited to an organisation with two steps chooses a password, too', async ({ page, invite }) => {
  const { email, path } = await invite('Solberga kommun')
  await page.goto(path)
  await fillNames(page)
  await field(page, 'Välj lösenord').fill(password)
  await field(page, 'Upprepa lösenordet').fill(password)
  await acceptAndRead(page)
  await page.getByRole('link', { name: 'Fortsätt' }).click()
  await page.clock.resume()
  await page.locator('form[novalidate]').waitFor()
  await page.getByLabel('E-postadress').fill(email)
  await page.getByLabel('E-postadress').press('Enter')
  await expect(page).toHaveURL(/\/login\?email=/)
})

test('somebody invited to Fjällrå AB says the personal number and no password, and proves it there', async ({
  page,
  invite,
}) => {
  const ssn = '191212121212'
  const { email, path } = await invite('Fjällrå AB')
  await acceptWithNumber(page, path, ssn)
  // The first sign-in that proves the same number makes the account usable; the company knows another address.
  await expectSignIn(page)
  await goToCompany(page, 'nina.nystrom@fjallra.example')
  await signInThere(page, { email: 'nina.nystrom@fjallra.example', ssn: '199908072391' })
  await expect(page.getByRole('alert')).toContainText('kontot kan inte användas här')
  await goToCompany(page, email)
  await signInThere(page, { email: 'nina.nystrom@fjallra.example', ssn })
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Nina' })).toBeVisible()
})

test('somebody invited to Havsvik Bank AB says the personal number, proves it with BankID, and is no guest any more', async ({
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
  await expect(row).toContainText('Inbjuden')
  await expectSignIn(page)
  const { phone, context } = await openPhone(browser, baseURL ?? '')
  const prove = async (number: string) => {
    await phone.scan(page)
    await phone.identify(number)
  }
  await page.getByLabel('E-postadress').fill(email)
  await page.getByLabel('E-postadress').press('Enter')
  // The link was for anybody who has the mail; the account is for the one with the number.
  await prove('199908072391')
  await expect(page.getByRole('alert')).toHaveText(/^Det gick inte att logga in med det BankID:t\./)
  await look()
  await expect(row).toContainText('Inbjuden')
  await page.getByRole('button', { name: 'Försök igen' }).click()
  await prove(ssn)
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Nina' })).toBeVisible()
  await look()
  await expect(row).toContainText('Nina')
  await expect(row).not.toContainText('Inbjuden')
  await administration.close()
  await context.close()
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

test('mistakes are named at their fields and in a summary, and what the server finds lands there too', async ({
  page,
  invite,
}) => {
  const { path } = await invite('Nordvik AB')
  await page.goto(path)
  await accept(page).click()
  const summary = page.getByRole('group', { name: '4 saker behöver rättas' })
  await expect(summary).toBeFocused()
  await expect(page).toHaveTitle(/^Fel: /)
  await summary.getByRole('link', { name: 'Förnamn: Fyll i det här fältet.' }).click()
  await expect(field(page, 'Förnamn')).toBeFocused()
  await expectAccessible(page)
  const language = page.getByRole('combobox')
  await language.selectOption('fr')
  // French sets its colon apart.
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

test('a link that was used says so, and how to get help', async ({ page }) => {
  for (const token of ['', 'x'.repeat(90), 'made-up']) {
    await page.goto(`/accept-invitation/${token}`)
    await expect(page.getByRole('alert')).toContainText('Inbjudan gäller inte längre.')
  }
  await expect(page.getByRole('alert')).toContainText('Be den som bjöd in dig')
  await page.getByRole('combobox').selectOption('en')
  await expect(page.getByRole('alert')).toContainText('The invitation is no longer valid.')
  await expectAccessible(page)
})

for (const look of looks)
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport })

    test('the invitation page is accessible in every language', async ({ page, invite }) => {
      const { path } = await invite('Nordvik AB')
      await page.goto(path)
      await expect(field(page, 'Förnamn')).toBeVisible()
      for (const [language, title] of [
        ['sv', 'Välkommen till Nordvik AB'],
        ['en', 'Welcome to Nordvik AB'],
        ['fi', 'Nordvik AB toivottaa sinut tervetulleeksi'],
        ['fr', 'Bienvenue chez Nordvik AB'],
      ] as const) {
        await page.getByRole('combobox').selectOption(language)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
        await expectAccessible(page)
        await expectNoSideways(page)
      }
    })
  })
