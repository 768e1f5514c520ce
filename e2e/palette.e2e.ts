import type { Page, Request } from '@playwright/test'
import english from '../locales/en/translation.json' with { type: 'json' }
import finnish from '../locales/fi/translation.json' with { type: 'json' }
import french from '../locales/fr/translation.json' with { type: 'json' }
import { expectNoSidewaysAtAnyWidth, expectUsableAtEveryWidth } from './every-width.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const button = (page: Page) => page.getByRole('button', { name: t('palette') })
const palette = (page: Page) => page.getByRole('dialog', { name: t('palette') })
const box = (page: Page) => page.getByRole('combobox', { name: t('palette') })
const group = (page: Page, name: string) =>
  page
    .getByRole('listbox', { name: t('palette') })
    .getByRole('group', { name, exact: true })
    .getByRole('option')
const options = (page: Page) => page.getByRole('listbox', { name: t('palette') }).getByRole('option')

async function open(page: Page) {
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
}

test('keys typed before the palette has loaded are kept, and go nowhere else', async ({ page, signIn }) => {
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
  await expect(options(page).first()).toContainText(t('services'))
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('Emil')
})

test('by keyboard alone, a super user goes to a page, creates a service and finds organisations and people; not above another dialog', async ({
  page,
  signIn,
}) => {
  await test.step('a page, and a new service', async () => {
    await signIn(people.superUser)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await open(page)
    await page.keyboard.type('tjän')
    await expect(options(page).first()).toContainText(t('services'))
    await expect(palette(page).getByRole('status')).toHaveText(/^\d+ träff/)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/services')
    await expect(page.getByRole('heading', { level: 1, name: t('services') })).toBeFocused()
    await expect(page.getByRole('table')).toBeVisible()

    await page.goto('/services?sortDirection=desc')
    await page.getByRole('table').waitFor()
    await open(page)
    await page.keyboard.type('tjänst')
    await expect(group(page, t('actions'))).toHaveText([t('createService')])
    await expect(box(page)).toHaveAttribute(
      'aria-activedescendant',
      String(await options(page).first().getAttribute('id')),
    )
    await page.keyboard.press('ArrowDown')
    await expect(box(page)).toHaveAttribute(
      'aria-activedescendant',
      String(await group(page, t('actions')).getAttribute('id')),
    )
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/services/create?sortDirection=desc')
    await expect(
      page.getByRole('dialog', { name: t('createService') }).getByRole('textbox', { name: t('name') }),
    ).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/services?sortDirection=desc')
  })
  await test.step('not above another dialog, and the draft there stays', async () => {
    await signIn(people.superUser)
    await page.goto('/services/create')
    const name = page.getByRole('dialog', { name: t('createService') }).getByRole('textbox', { name: t('name') })
    await name.fill('Halvskriven')
    await page.keyboard.press('Control+k')
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('Halvskriven')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(box(page)).toHaveCount(0)
    await page.getByRole('button', { name: t('discardChanges') }).click()
    await expect(page).toHaveURL('/services')
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0)
    await open(page)
  })
  await test.step('organisations and people by name or address, whose dialogs open from anywhere', async () => {
    await signIn(people.superUser)
    await test.step('an organisation', async () => {
      await page.goto('/account')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await open(page)
      await page.keyboard.type('solberga k')
      await expect(group(page, t('organizations'))).toHaveText([/^Solberga kommun/])
      await group(page, t('organizations')).click()
      await expect(page).toHaveURL(/\/organization-settings\/[0-9a-f-]{36}$/)
      await expect(page.getByRole('dialog', { name: t('editOrganization') }).getByText('Solberga kommun')).toBeVisible()
      await expect(page.getByRole('heading', { name: t('editOrganization') })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/organization-settings')
      await page.goBack()
      await expect(page).toHaveURL('/account')
    })
    await test.step('a user by the address, and all matches', async () => {
      await open(page)
      await page.keyboard.type('viktoria.andersson@solberga')
      await expect(group(page, t('users'))).toHaveText(['Viktoria Anderssonviktoria.andersson@solberga.example'])
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/)
      await expect(page.getByRole('heading', { name: 'Viktoria Andersson' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/users')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await open(page)
      await page.keyboard.type('solberga')
      await expect(group(page, t('users'))).toHaveCount(6)
      await group(page, t('users')).last().click()
      await expect(page).toHaveURL('/users?searchQuery=solberga')
      await expect(page.getByRole('searchbox')).toHaveValue('solberga')
    })
  })
})

test('an organisation admin finds the organisation’s users, invites, and is offered nothing else', async ({
  page,
  signIn,
}) => {
  await signIn(people.admin)
  await page.goto('/')
  await page.getByRole('list', { name: t('services') }).waitFor()
  await open(page)
  await expect(group(page, t('pages'))).toHaveText([
    t('overview'),
    `${t('userAdministration')}${t('administration')}`,
    `${t('groups')}${t('administration')}`,
    `${t('ownOrganization')}${t('administration')}`,
    `${t('accessRequests')}${t('administration')}`,
    `${t('accessReview')}${t('administration')}`,
    `${t('auditEvents')}${t('administration')}`,
    t('accountSettings'),
  ])
  await expect(options(page).filter({ hasText: t('create') })).toHaveText([new RegExp(t('createGroup'))])
  await page.keyboard.type('andersson')
  await expect(group(page, t('users')).first()).toContainText('anna.andersson@nordvik.example')
  await expect(options(page).filter({ hasText: 'solberga' })).toHaveCount(0)
  await box(page).fill('anna andersson')
  await expect(group(page, t('users'))).toHaveText(['Anna Anderssonanna.andersson@nordvik.example'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user-administration\/[0-9a-f-]{36}$/)
  await page.goto('/user-administration')
  await page.getByRole('table').waitFor()
  await open(page)
  await page.keyboard.type('bjud in')
  await expect(options(page)).toHaveText(['Bjud in användareNordvik AB', 'Bjud in fleraNordvik AB'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user-administration\/invite\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('dialog', { name: t('inviteUser') })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/user-administration')
  await page.goto('/user-administration?searchQuery=anna')
  await page.getByRole('table').waitFor()
  await open(page)
  await page.keyboard.type('bjud in flera')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: t('inviteMany') })).toBeVisible()
  await page
    .getByRole('navigation', { name: t('breadcrumb') })
    .getByRole('link')
    .click()
  await expect(page).toHaveURL('/user-administration?searchQuery=anna')
})

test('an answer that comes too late is not shown, and a search that fails can be tried again', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await test.step('an answer that comes too late', async () => {
    const release = await holdBack(page, '**/api/organizations?*searchQuery=nordvik*')
    const isHeld = (request: Request) => /\/api\/organizations\?.*searchQuery=nordvik/.test(request.url())
    const asked = page.waitForRequest(isHeld)
    const failed = page.waitForEvent('requestfailed', isHeld)
    await open(page)
    await page.keyboard.type('nordvik')
    await expect(palette(page).getByRole('status')).toHaveText(t('searching'))
    await asked
    await box(page).fill('solberga')
    await expect(group(page, t('organizations'))).toHaveText([/^Solberga kommun/])
    await failed
    release()
    await expect(group(page, t('organizations'))).toHaveText([/^Solberga kommun/])
    await page.keyboard.press('Escape')
  })
  await test.step('a failure keeps what needs no server', async () => {
    await page.route('**/api/organizations?*', (route) =>
      route.fulfill({ status: 500, json: { message: 'genericErrorMessage', requestId: 'r' } }),
    )
    await open(page)
    await page.keyboard.type('organisation')
    await expect(palette(page).getByRole('alert')).toContainText(t('genericErrorMessage'))
    await expect(group(page, t('pages'))).toHaveText([
      `${t('organizations')}${t('administration')}`,
      `${t('samlConfigs')}${t('administration')}`,
    ])
    await page.unroute('**/api/organizations?*')
    await box(page).fill('solberga')
    await expect(group(page, t('organizations'))).toHaveText([/^Solberga kommun/])
  })
})

test('a user opens it by keys or by its button, finds pages and commands, and is asked before unsaved changes are lost', async ({
  page,
  signIn,
}) => {
  await test.step('when it cannot be loaded the button says so, and a later try works', async () => {
    const part = '**/assets/palette-dialog-*.js*'
    await signIn(people.user)
    await page.route(part, (route) => route.abort('connectionfailed'))
    await page.goto('/')
    await page.getByRole('link', { name: 'Journal' }).waitFor()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('alert')).toContainText(t('genericErrorMessage'))
    await page.unroute(part)
    await button(page).click()
    await expect(box(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
  })
  await test.step('the keys open it, Escape closes it, and the focus goes back to where it was', async () => {
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
    await page.keyboard.press('Escape')
  })
  await test.step('the button shows the keys', async () => {
    await expect(button(page)).toHaveAttribute('aria-keyshortcuts', 'Control+K Meta+K')
    await expect(button(page)).toContainText('Ctrl K')
    await button(page).click()
    await expect(box(page)).toBeFocused()
    await palette(page)
      .getByRole('button', { name: t('close') })
      .click()
    await expect(palette(page)).toBeHidden()
    await expect(button(page)).toBeFocused()
  })
  await test.step('a service admin has the page, but neither search nor invitations', async () => {
    await open(page)
    await expect(group(page, t('pages'))).toHaveText([
      t('overview'),
      t('userAdministration'),
      t('accessRequests'),
      t('accountSettings'),
    ])
    await page.keyboard.type('bjud in')
    await expect(palette(page)).toContainText(t('paletteNothingFound', { searchQuery: 'bjud in' }))
    await page.keyboard.press('Escape')
  })
  await test.step('appearance is a command too, and a service opens', async () => {
    await open(page)
    await page.keyboard.type('mörkt')
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await open(page)
    await page.keyboard.type('journal')
    await page.keyboard.press('Enter')
    await page.waitForURL(/:\d+\/journal\/$/)
  })
  await test.step('leaving a page with unsaved changes through it asks first', async () => {
    await page.goto('/account')
    await page.getByRole('textbox', { name: t('firstName') }).fill('Halvskriven')
    await open(page)
    await page.keyboard.type('översikt')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('goBackToForm') })
      .click()
    await expect(page.getByRole('textbox', { name: t('firstName') })).toHaveValue('Halvskriven')
    await expect(page).toHaveURL('/account')
  })
})

test('a user is offered pages, services, settings and the other organisation, but nothing of the administration', async ({
  page,
  signIn,
  database,
}) => {
  await signIn(people.both)
  await database.raiseSessions(people.both)
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await open(page)
  await expect(group(page, t('pages'))).toHaveText([t('overview'), t('accountSettings')])
  await expect(group(page, t('ownServices')).first()).toContainText(/:\d+/)
  await expect(group(page, t('actions'))).toHaveText([
    t('switchToOrganization', { name: 'Solberga kommun' }),
    'LjustUtseende',
    'MörktUtseende',
    'EnglishSpråk',
    'SuomiSpråk',
    'FrançaisSpråk',
    t('signOut'),
  ])
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.keyboard.type('andersson')
  await expect(palette(page)).toContainText(t('paletteNothingFound', { searchQuery: 'andersson' }))
  await expect(palette(page).getByRole('status')).toHaveText(t('paletteNothingFound', { searchQuery: 'andersson' }))
  // The page behind asks whether the session goes on, and, when it has time, whether there is a passkey.
  const ofThePage = ['/api/session-expire', '/api/profile/passkeys']
  expect(asked.filter((path) => path.startsWith('/api/') && !ofThePage.includes(path))).toEqual([])
  await box(page).fill('')
  await page.keyboard.type('byt till')
  await expect(options(page)).toHaveText([t('switchToOrganization', { name: 'Solberga kommun' })])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: t('organizationMenuName', { name: 'Solberga kommun' }) })).toBeVisible()
  await expect(page.getByRole('list', { name: t('services') }).getByRole('link')).toHaveText(['Bokning'])
})

test('the palette is accessible: full, with results and without', async ({ page, context, signIn, baseURL }) => {
  await signIn(people.superUser)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await button(page).click()
  await expect(options(page).first()).toBeVisible()
  await expectUsableAtEveryWidth(page)
  await box(page).fill('solberga')
  await expect(group(page, t('organizations'))).toHaveCount(1)
  const endless = 'Försörjningsstödshandläggningssystemet'.repeat(4)
  await box(page).fill(endless)
  await expect(palette(page)).toContainText(t('paletteNothingFound', { searchQuery: endless }))
  await expectUsableAtEveryWidth(page)
  for (const [language, texts] of [
    ['en', english],
    ['fi', finnish],
    ['fr', french],
  ] as const) {
    await context.addCookies([{ name: 'language', value: language, url: String(baseURL) }])
    await page.route('**/api/start', async (route) => {
      const response = await route.fetch()
      const start = await response.json()
      await route.fulfill({ response, json: { ...start, user: { ...start.user, preferredLanguage: language } } })
    })
    await page.reload()
    await page.getByRole('button', { name: texts.palette }).click()
    await expect(page.getByRole('option', { name: texts.createService })).toBeVisible()
    await expectNoSidewaysAtAnyWidth(page)
  }
})
