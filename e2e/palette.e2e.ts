import type { Page, Request } from '@playwright/test'
import english from '../locales/en/translation.json' with { type: 'json' }
import finnish from '../locales/fi/translation.json' with { type: 'json' }
import french from '../locales/fr/translation.json' with { type: 'json' }
import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { people } from './people.ts'

const button = (page: Page) => page.getByRole('button', { name: 'Sök och gå till' })
const palette = (page: Page) => page.getByRole('dialog', { name: 'Sök och gå till' })
const box = (page: Page) => page.getByRole('combobox', { name: 'Sök och gå till' })
const group = (page: Page, name: string) =>
  page.getByRole('listbox', { name: 'Sök och gå till' }).getByRole('group', { name, exact: true }).getByRole('option')
const options = (page: Page) => page.getByRole('listbox', { name: 'Sök och gå till' }).getByRole('option')

async function open(page: Page) {
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
}

test('the keys open it, Escape closes it, and the focus goes back to where it was', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/')
  const journal = page.getByRole('link', { name: 'Journal' })
  await journal.focus()
  await open(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(journal).toBeFocused()
  await page.keyboard.press('Meta+k')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('inställningar')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await page.keyboard.press('Control+k')
  await expect(box(page)).toHaveValue('')
})

test('what is typed before its part has come is not lost, and goes nowhere else', async ({ page, signIn }) => {
  await signIn(people.superUser)
  const release = await holdBack(page, '**/assets/palette-dialog-*.js')
  await page.goto('/users')
  const search = page.getByRole('searchbox')
  await search.fill('Emil')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tjänx')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+k')
  release()
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('st')
  await expect(box(page)).toHaveValue('tjänst')
  await expect(options(page).first()).toContainText('Tjänster')
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('Emil')
})

test('whoever does not know the keys finds the button, which names them', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/')
  await expect(button(page)).toHaveAttribute('aria-keyshortcuts', 'Control+K Meta+K')
  await expect(button(page)).toContainText('Ctrl K')
  await button(page).click()
  await expect(box(page)).toBeFocused()
  await palette(page).getByRole('button', { name: 'Stäng' }).click()
  await expect(palette(page)).toBeHidden()
  await expect(button(page)).toBeFocused()
})

test('a user is offered the own pages, services and choices, and nothing of administration', async ({
  page,
  signIn,
}) => {
  await signIn(people.colleague)
  await page.goto('/')
  await page.getByRole('list', { name: 'Tjänster' }).waitFor()
  await open(page)
  await expect(group(page, 'Sidor')).toHaveText(['Översikt', 'Kontoinställningar'])
  await expect(group(page, 'Mina tjänster').first()).toContainText('.example')
  await expect(group(page, 'Åtgärder')).toHaveText([
    'LjustUtseende',
    'MörktUtseende',
    'EnglishSpråk',
    'SuomiSpråk',
    'FrançaisSpråk',
    'Logga ut',
  ])
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.keyboard.type('nordvik')
  await expect(palette(page)).toContainText('Inget matchar ”nordvik”.')
  await expect(palette(page).getByRole('status')).toHaveText('Inget matchar ”nordvik”.')
  // How long the session lasts is asked all the time.
  expect(asked.filter((path) => path.startsWith('/api/') && path !== '/api/session-expire')).toEqual([])
})

test('by keyboard alone, a super user goes to a page and creates a service', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await open(page)
  await page.keyboard.type('tjän')
  await expect(options(page).first()).toContainText('Tjänster')
  await expect(palette(page).getByRole('status')).toHaveText(/^\d+ träff/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/services')
  await expect(page.getByRole('heading', { level: 1, name: 'Tjänster' })).toBeFocused()
  await expect(page.getByRole('table')).toBeVisible()

  await page.goto('/services?sortDirection=desc')
  await page.getByRole('table').waitFor()
  await open(page)
  await page.keyboard.type('tjänst')
  await expect(group(page, 'Åtgärder')).toHaveText(['Skapa tjänst'])
  await expect(box(page)).toHaveAttribute(
    'aria-activedescendant',
    String(await options(page).first().getAttribute('id')),
  )
  await page.keyboard.press('ArrowDown')
  await expect(box(page)).toHaveAttribute(
    'aria-activedescendant',
    String(await group(page, 'Åtgärder').getAttribute('id')),
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/services/create?sortDirection=desc')
  await expect(page.getByRole('dialog', { name: 'Skapa tjänst' }).getByRole('textbox', { name: 'Namn' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/services?sortDirection=desc')
})

test('an organisation is found by its name, and its dialog opens from anywhere', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/account')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await open(page)
  await page.keyboard.type('solberga k')
  await expect(group(page, 'Organisationer')).toHaveText([/^Solberga kommun/])
  await group(page, 'Organisationer').click()
  await expect(page).toHaveURL(/\/organization-settings\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('dialog', { name: 'Redigera organisation' }).getByText('Solberga kommun')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Redigera organisation' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/organization-settings')
  await page.goBack()
  await expect(page).toHaveURL('/account')
})

test('a super user finds a person by the address, and all who match', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/services')
  await page.getByRole('table').waitFor()
  await open(page)
  await page.keyboard.type('viktoria.andersson@solberga')
  await expect(group(page, 'Användare')).toHaveText(['Viktoria Anderssonviktoria.andersson@solberga.example'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { name: 'Viktoria Andersson' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/users')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await open(page)
  await page.keyboard.type('solberga')
  await expect(group(page, 'Användare')).toHaveCount(6)
  await group(page, 'Användare').last().click()
  await expect(page).toHaveURL('/users?searchQuery=solberga')
  await expect(page.getByRole('searchbox')).toHaveValue('solberga')
})

test('an organisation admin finds the own people, invites, and is offered nothing of others', async ({
  page,
  signIn,
}) => {
  await signIn(people.admin)
  await page.goto('/')
  await page.getByRole('list', { name: 'Tjänster' }).waitFor()
  await open(page)
  await expect(group(page, 'Sidor')).toHaveText(['Översikt', 'Användaradministration', 'Kontoinställningar'])
  await expect(options(page).filter({ hasText: 'Skapa' })).toHaveCount(0)
  await page.keyboard.type('andersson')
  await expect(group(page, 'Användare').first()).toContainText('anna.andersson@nordvik.example')
  await expect(options(page).filter({ hasText: 'solberga' })).toHaveCount(0)
  await box(page).fill('anna andersson')
  await expect(group(page, 'Användare')).toHaveText(['Anna Anderssonanna.andersson@nordvik.example'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user-administration\/[0-9a-f-]{36}$/)
  await page.goto('/user-administration')
  await page.getByRole('table').waitFor()
  await open(page)
  await page.keyboard.type('bjud in')
  await expect(options(page)).toHaveText(['Bjud in användareNordvik AB', 'Bjud in fleraNordvik AB'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user-administration\/invite\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('dialog', { name: 'Bjud in användare' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/user-administration')
  await page.goto('/user-administration?searchQuery=anna')
  await page.getByRole('table').waitFor()
  await open(page)
  await page.keyboard.type('bjud in flera')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Bjud in flera' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Var du är' }).getByRole('link').click()
  await expect(page).toHaveURL('/user-administration?searchQuery=anna')
})

test('an admin of one service has the page, and neither search nor inviting', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await open(page)
  await expect(group(page, 'Sidor')).toHaveText(['Översikt', 'Användaradministration', 'Kontoinställningar'])
  await page.keyboard.type('bjud in')
  await expect(palette(page)).toContainText('Inget matchar ”bjud in”.')
})

test('an answer that comes too late is not shown', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const release = await holdBack(page, '**/api/organizations?*searchQuery=nordvik*')
  const isHeld = (request: Request) => /\/api\/organizations\?.*searchQuery=nordvik/.test(request.url())
  const asked = page.waitForRequest(isHeld)
  const failed = page.waitForEvent('requestfailed', isHeld)
  await open(page)
  await page.keyboard.type('nordvik')
  await expect(palette(page).getByRole('status')).toHaveText('Söker …')
  await asked
  await box(page).fill('solberga')
  await expect(group(page, 'Organisationer')).toHaveText([/^Solberga kommun/])
  await failed
  release()
  await expect(group(page, 'Organisationer')).toHaveText([/^Solberga kommun/])
})

test('a search that fails says so, keeps what needs no server, and can be tried again', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.route('**/api/organizations?*', (route) =>
    route.fulfill({ status: 500, json: { message: 'genericErrorMessage', requestId: 'r' } }),
  )
  await open(page)
  await page.keyboard.type('organisation')
  await expect(palette(page).getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await expect(group(page, 'Sidor')).toHaveText(['OrganisationerAdministration'])
  await expectAccessible(page)
  await page.unroute('**/api/organizations?*')
  await box(page).fill('solberga')
  await expect(group(page, 'Organisationer')).toHaveText([/^Solberga kommun/])
})

test('when its part cannot be had the button says so, and works as soon as it can', async ({ page, signIn }) => {
  const part = '**/assets/palette-dialog-*.js'
  await signIn(people.user)
  await page.route(part, (route) => route.abort('connectionfailed'))
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await page.unroute(part)
  await button(page).click()
  await expect(box(page)).toBeFocused()
})

test('somebody of two organisations changes between them', async ({ page, signIn }) => {
  await signIn(people.both)
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await open(page)
  await page.keyboard.type('byt till')
  await expect(options(page)).toHaveText(['Byt till Solberga kommun'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organisation: Solberga kommun' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Tjänster' }).getByRole('link')).toHaveText(['Bokning'])
})

test('appearance and signing out are choices too, and a service opens', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await open(page)
  await page.keyboard.type('mörkt')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.route('https://journal.vestibule.example/**', (route) => route.fulfill({ body: 'journal' }))
  await open(page)
  await page.keyboard.type('journal')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('https://journal.vestibule.example/')
})

test('it waits while another dialog is open, and nothing typed there is lost', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/services/create')
  const name = page.getByRole('dialog', { name: 'Skapa tjänst' }).getByRole('textbox', { name: 'Namn' })
  await name.fill('Halvskriven')
  await page.keyboard.press('Control+k')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Halvskriven')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(box(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Kasta ändringarna' }).click()
  await expect(page).toHaveURL('/services')
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0)
  await open(page)
})

test('leaving a page with unsaved changes through it asks first', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/account')
  await page.getByRole('textbox', { name: 'Förnamn' }).fill('Halvskriven')
  await open(page)
  await page.keyboard.type('översikt')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Gå tillbaka' }).click()
  await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Halvskriven')
  await expect(page).toHaveURL('/account')
})

test('a person who must change the password first is offered nothing', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.route('**/api/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), passwordMustChange: true } })
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Välj ett eget lösenord' })).toBeVisible()
  await expect(button(page)).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    test.use(look)

    test('the palette has no barriers, full, with results and without', async ({ page, context, signIn, baseURL }) => {
      await signIn(people.superUser)
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await button(page).click()
      await expect(options(page).first()).toBeVisible()
      await expectAccessible(page)
      await expectNoSideways(page)
      await box(page).fill('solberga')
      await expect(group(page, 'Organisationer')).toHaveCount(1)
      await expectAccessible(page)
      const endless = 'Försörjningsstödshandläggningssystemet'.repeat(4)
      await box(page).fill(endless)
      await expect(palette(page)).toContainText(`Inget matchar ”${endless}”.`)
      await expectAccessible(page)
      await expectNoSideways(page)
      for (const [language, texts] of [
        ['en', english],
        ['fi', finnish],
        ['fr', french],
      ] as const) {
        await context.addCookies([{ name: 'language', value: language, url: String(baseURL) }])
        await page.route('**/api/me', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), preferredLanguage: language } })
        })
        await page.reload()
        await page.getByRole('button', { name: texts.palette }).click()
        await expect(page.getByRole('option', { name: texts.createService })).toBeVisible()
        await expectNoSideways(page)
      }
    })
  })
}
