import type { Page } from '@playwright/test'
import { expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { demoPassword, people } from './people.ts'
import { t } from './texts.ts'

/** One long compound word, as in Swedish administration: it must break without overflowing. */
const longWord = 'Försörjningsstödshandläggningssystemetsförvaltningsorganisation'

/** The narrowest phone, with text at double size. */
const views = [
  { width: 320, size: '100%' },
  { width: 640, size: '200%' },
  { width: 1280, size: '200%' },
]

async function expectRoom(page: Page, address: string, lookedFor: () => Promise<void>) {
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto(address)
  await lookedFor()
  for (const { width, size } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate((to) => document.documentElement.style.setProperty('font-size', to), size)
    await expectNoSideways(page)
  }
}

test('names of one very long word fit on every screen that shows them', async ({ page, signIn, browser, baseURL }) => {
  test.setTimeout(120_000)
  await signIn(people.superUser)
  const service = { name: longWord, url: 'https://forsorjningsstodshandlaggningssystemet.example' }
  const { serviceId = '' } = await api(page, 'POST', '/api/services', service)
  const services = [{ serviceId, maxNumberOfUsers: null }]
  const organization = { name: longWord, loginMethod: 'local', services }
  const { organizationId = '' } = await api(page, 'POST', '/api/organizations', organization)
  const email = `${longWord.toLowerCase().replaceAll(/[^a-z]/g, '')}@lang.example`
  const { accountId = '' } = await api(page, 'POST', '/api/users', {
    email,
    firstName: longWord,
    lastName: longWord,
    loginMethod: 'local',
    password: demoPassword,
    confirmNewPassword: demoPassword,
    organizations: [{ organizationId, userRole: 'organizationAdmin' }],
    services: [{ serviceId, organizationId, userRole: 'regular' }],
  })

  const shown = (within: 'table' | 'dialog') => () =>
    expect(page.getByRole(within).getByText(longWord).first()).toBeVisible()
  await expectRoom(page, `/services?sortDirection=asc`, shown('table'))
  await expectRoom(page, `/services/${serviceId}`, shown('dialog'))
  await expectRoom(page, `/organization-settings?searchQuery=${longWord}`, shown('table'))
  await expectRoom(page, `/organization-settings/${organizationId}`, shown('dialog'))
  await expectRoom(page, `/organization-settings/${organizationId}/${accountId}`, shown('dialog'))
  await expectRoom(page, `/users?searchQuery=${email}`, shown('table'))
  await expectRoom(page, `/users/${accountId}`, async () => {
    await shown('dialog')()
    await page.getByRole('tab', { name: t('permissions') }).click()
    await expect(page.getByRole('button', { name: t('takeAway', { name: longWord }) }).first()).toBeVisible()
  })

  await test.step('and for the person who is called so', async () => {
    const context = await browser.newContext({ baseURL: String(baseURL), locale: 'sv-SE' })
    const own = await context.newPage()
    await own.goto('/')
    await own.locator('form[novalidate]').waitFor()
    await own.getByRole('textbox', { name: t('email') }).fill(email)
    await own.keyboard.press('Enter')
    await own.locator('input[name=password]').fill(demoPassword)
    await own.keyboard.press('Enter')
    // An admin chose the password, so it must be changed first.
    await expect(own).toHaveURL('/account')
    const newPassword = 'Resan-till-7-havet'
    const change = { oldPassword: demoPassword, newPassword, confirmNewPassword: newPassword }
    await api(own, 'PUT', '/api/profile/password', change)
    const greeted = () =>
      expect(own.getByRole('heading', { level: 1, name: t('greetingName', { name: longWord }) })).toBeVisible()
    await expectRoom(own, '/', greeted)
    await expectRoom(own, '/account', () =>
      expect(own.getByRole('textbox', { name: t('firstName') })).toHaveValue(longWord),
    )
    await expectRoom(own, '/user-administration', () =>
      expect(own.getByRole('table').getByText(longWord).first()).toBeVisible(),
    )
    await own.setViewportSize({ width: 390, height: 800 })
    await own.goto('/')
    await greeted()
    // The name of the organisation shrinks before the product's name.
    const cut = await own
      .getByRole('banner')
      .getByText(t('productName'))
      .evaluate((element) => {
        const text = document.createRange()
        text.selectNodeContents(element)
        return text.getBoundingClientRect().width - element.getBoundingClientRect().width
      })
    expect(cut).toBeLessThanOrEqual(0)
    await context.close()
  })
})
