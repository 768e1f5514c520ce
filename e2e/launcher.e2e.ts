import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { organizationIdOf, test } from './invited.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a person sees the services of the chosen organisation, each as a link', { tag: '@main' }, async ({
  page,
  signIn,
}) => {
  await signIn(people.user)
  await page.goto('/')
  await expect(page).toHaveTitle('Översikt – Vestibule')
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  await expect(page.getByRole('main').getByText('Nordvik AB')).toBeVisible()
  const services = page.getByRole('list', { name: 'Tjänster' }).getByRole('link')
  await expect(services).toHaveText(['Bokning', 'Journal'])
  await expect(services.first()).toHaveAttribute('href', /^\/launch\/[0-9a-f-]{36}\?organizationId=[0-9a-f-]{36}$/)
  await expect(page.getByText('Lokaler, bilar och utrustning')).toBeVisible()
})

test('each organisation has its own list, and the choice is remembered', async ({ page, signIn, database }) => {
  await test.step('the choice is remembered', async () => {
    await signIn(people.both)
    await database.raiseSessions(people.both)
    await page.goto('/')
    const services = page.getByRole('list', { name: 'Tjänster' }).getByRole('link')
    await expect(services).toHaveText(['Arkiv', 'Journal'])
    await page.getByRole('button', { name: 'Organisation: Nordvik AB' }).click()
    await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
    await expect(services).toHaveText(['Bokning'])
    await page.reload()
    await expect(page.getByRole('button', { name: 'Organisation: Solberga kommun' })).toBeVisible()
    await expect(services).toHaveText(['Bokning'])
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({
      currentOrganizationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })
  await test.step('one stored by an older version is kept under the new key', async () => {
    const chosen = await page.evaluate(() => {
      const id = localStorage.getItem('currentOrganizationId') ?? ''
      localStorage.clear()
      localStorage.setItem('currentOrganization', JSON.stringify({ organizationId: id, name: 'Solberga kommun' }))
      return id
    })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Organisation: Solberga kommun' })).toBeVisible()
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ currentOrganizationId: chosen })
  })
  await test.step('without membership in the stored organisation, the first one is shown', async () => {
    await page.evaluate(() => localStorage.setItem('currentOrganizationId', '0190f3c8-7b1a-7000-8000-00000000dead'))
    await page.reload()
    await expect(page.getByRole('button', { name: 'Organisation: Nordvik AB' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Journal' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).not.toContain('dead')
  })
})

test('when services cannot be loaded a retry shows them; without a network another organisation shows those loaded at the start', async ({
  page,
  signIn,
  context,
  database,
}) => {
  await signIn(people.both)
  await page.route('**/api/start', (route) => route.abort('connectionfailed'))
  await page.route('**/services', (route) => route.abort('connectionfailed'))
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText(t('genericErrorMessage'))
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Bodil' }) })).toBeVisible()
  await page.unroute('**/services')
  await page.getByRole('button', { name: t('tryAgain') }).click()
  await expect(page.getByRole('list', { name: t('services') }).getByRole('link')).toHaveText(['Arkiv', 'Journal'])
  await page.unroute('**/api/start')
  await database.raiseSessions(people.both)
  await page.reload()
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Organisation: Nordvik AB' }).click()
  await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
  await expect(page.getByRole('list', { name: t('services') }).getByRole('link')).toHaveText(['Bokning'])
})

test('with many services there is a search, kept in the address', async ({ page, signIn, database }) => {
  const long = 'Försörjningsstödshandläggningssystemet för hela kommunen'
  const names = [...Array.from({ length: 12 }, (_, index) => `Tjänst ${index}`), long]
  await database.giveServices(people.manyServices, names)
  await signIn(people.manyServices)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  // In groups, as long as nothing is searched for.
  const services = page.getByRole('main').locator('a[href^="/launch/"]')
  await expect(services).toHaveCount(14)
  await expectNoSideways(page)
  const search = page.getByRole('searchbox', { name: 'Sök bland tjänsterna' })
  await search.fill('FÖRSÖRJ')
  await expect(services).toHaveText([long])
  await expect(page.getByText('1 tjänst visas')).toBeAttached()
  await expect(page).toHaveURL('/?searchQuery=F%C3%96RS%C3%96RJ')
  await search.fill('0701234567')
  await expect(page.getByText('Inga tjänster matchar ”0701234567”.')).toBeVisible()
  await expect(page).toHaveURL('/?searchQuery=0701234567')
  await page.reload()
  await expect(search).toHaveValue('0701234567')
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Rensa sökningen' }).last().click()
  await expect(services).toHaveCount(14)
  await expect(page).toHaveURL('/')
})

test('a person stars a service, opens it through the portal, and finds it again by keyboard alone', async ({
  page,
  signIn,
  database,
}) => {
  await database.giveServices(people.keyboardOnly, ['Theta', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta'])
  await signIn(people.keyboardOnly)
  await page.goto('/')
  const inGroup = (name: string) => page.getByRole('list', { name }).getByRole('link')
  const star = page.getByRole('button', { name: t('favouriteOf', { name: 'Gamma' }) })
  await star.click()
  await expect(inGroup(t('favourites'))).toHaveText(['Gamma'])
  // The star has moved with its service, and keeps the focus.
  await expect(star).toBeFocused()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('delt')
  await expect(page.getByText(t('servicesFound_one', { count: 1 }))).toBeAttached()
  // Shows where the portal leads, because there is no such service.
  await page.route('**/launch/**', async (route) => {
    const { location = '' } = (await route.fetch({ maxRedirects: 0 })).headers()
    await route.fulfill({ contentType: 'text/plain', body: location })
  })
  await page.keyboard.press('Enter')
  await expect(page.getByText('https://tjanst-3.example/')).toBeVisible()
  await page.goto('/')
  await expect(inGroup(t('recentlyUsed'))).toHaveText(['Delta'])
  await inGroup(t('favourites')).focus()
  await page.keyboard.press('ArrowDown')
  await expect(inGroup(t('recentlyUsed'))).toBeFocused()
  await page.getByRole('button', { name: t('viewList') }).click()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('button', { name: t('viewList') })).toHaveAttribute('aria-pressed', 'true')
})

test.describe('someone who is invited', () => {
  const cards = (page: Page) => page.getByRole('list', { name: t('invitations') }).getByRole('article')
  const card = (page: Page, name: string) => page.getByRole('article', { name: t('invitesYou', { name }) })
  const button = (place: Locator, name: string) => place.getByRole('button', { name, exact: true })
  const toasts = (page: Page) => page.getByRole('region', { name: t('notifications') })
  const heading = (page: Page) => page.getByRole('heading', { level: 1 })

  test('accepts on the launcher, and sees the new organisation; when the request fails the invitation stays', async ({
    page,
    signIn,
    invite,
    newPerson,
    context,
  }) => {
    const email = await newPerson()
    await invite('Region Älvdal', email, 'Hej!\nVi delar Bokning från och med nu.')
    await invite('Havsvik Bank AB', email)
    await signIn(email)
    await page.goto('/')
    await expect(cards(page)).toHaveCount(2)
    const own = card(page, 'Region Älvdal')
    // A super user invited: customers do not see who runs the portal.
    await expect(own).not.toContainText('Siv Ledin')
    await expect(own).toContainText('Vi delar Bokning från och med nu.')
    await expect(button(own, t('accept'))).toHaveAccessibleDescription(t('invitesYou', { name: 'Region Älvdal' }))
    // There is an invitation to answer, so the page does not say that there are no services.
    await expect(page.getByText(t('noServices'))).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Organisation:/ })).toHaveCount(0)
    await button(own, t('accept')).press('Enter')
    await expect(toasts(page)).toContainText(t('invitationAccepted'))
    await expect(toasts(page)).toContainText('Region Älvdal')
    await expect(own).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
    await expect(page.getByRole('button', { name: t('organizationMenuName', { name: 'Region Älvdal' }) })).toBeVisible()
    await expect(cards(page)).toHaveCount(1)
    await page.reload()
    await expect(page.getByRole('button', { name: t('organizationMenuName', { name: 'Region Älvdal' }) })).toBeVisible()
    await expect(cards(page)).toHaveCount(1)
    const accept = button(card(page, 'Havsvik Bank AB'), t('accept'))
    await accept.waitFor()
    await context.setOffline(true)
    await accept.click()
    await expect(toasts(page)).toContainText(t('genericErrorMessage'))
    await context.setOffline(false)
    await accept.click()
    await expect(toasts(page)).toContainText(t('invitationAccepted'))
    await expect(cards(page)).toHaveCount(0)
  })

  test('declines after a confirmation, by keyboard alone, and sees that another invitation has expired by then', async ({
    page,
    signIn,
    invite,
    newPerson,
    superUser,
    database,
  }) => {
    const email = await newPerson()
    await invite('Havsvik Bank AB', email)
    await signIn(email)
    await page.goto('/')
    const decline = button(card(page, 'Havsvik Bank AB'), t('decline'))
    await decline.press('Enter')
    const question = page.getByRole('alertdialog', { name: t('declineTitle', { name: 'Havsvik Bank AB' }) })
    await expect(button(question, t('cancel'))).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(decline).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button(question, t('cancel'))).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(toasts(page)).toContainText(t('invitationDeclined'))
    await expect(cards(page)).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
    await expect(page.getByText(t('noServices'))).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'support@vestibule.example' })).toHaveAttribute(
      'href',
      'mailto:support@vestibule.example',
    )
    const organizationId = await organizationIdOf(superUser, 'Havsvik Bank AB')
    const list = await superUser.get(`/api/organizations/${organizationId}/users?searchQuery=${email}`)
    expect(await list.json()).toMatchObject({ totalCount: 0 })

    await invite('Region Älvdal', email)
    await page.reload()
    await card(page, 'Region Älvdal').waitFor()
    await database.expireInvitation(email)
    await button(card(page, 'Region Älvdal'), t('accept')).click()
    await expect(toasts(page)).toContainText(t('invitationGone', { name: 'Region Älvdal' }))
    await expect(cards(page)).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
  })

  test('sees long words and names fit in every language, and no layout shift when the invitation loads after the services', async ({
    page,
    context,
    signIn,
    invite,
    newPerson,
    baseURL,
  }) => {
    const email = await newPerson()
    await invite('Havsvik Bank AB', email, `${'Försörjningsstödshandläggning'.repeat(8)}\n${'ord '.repeat(100)}`)
    await invite('Solberga kommun', email)
    await signIn(email)
    await page.goto('/')
    for (const language of ['en', 'fi', 'fr', 'sv']) {
      await context.addCookies([{ name: 'language', value: language, url: String(baseURL) }])
      await api(page, 'PUT', '/api/profile', { preferredLanguage: language })
      await page.setViewportSize({ width: 320, height: 640 })
      await page.reload()
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expectNoSideways(page)
    }
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expectAccessible(page)
    // Without the combined response, the launcher requests both separately.
    await page.route('**/api/start', (route) => route.abort('connectionfailed'))
    const letGo = await holdBack(page, '**/api/invites/mine')
    const services = page.waitForResponse(/\/services$/)
    await page.reload()
    await services
    await expect(page.getByText(t('noServices'))).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('status')).toHaveText(t('loading'))
    letGo()
    await expect(cards(page)).toHaveCount(2)
  })
})
