import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSideways, looks, signInByHand, test } from './fixtures.ts'
import { codeTo, resetLinkTo } from './outbox.ts'
import { people } from './people.ts'

const chosen = 'Brun-utter-42-lampa'
const email = (page: Page) => page.getByLabel('E-postadress')
const newPassword = (page: Page) => page.getByLabel('Nytt lösenord', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Bekräfta nytt lösenord')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function askForLink(page: Page, address: string) {
  await page.goto('/reset-password')
  await email(page).fill(address)
  await button(page, 'Skicka länk').click()
  await expect(page.getByRole('status')).toContainText('Titta i din e-post')
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
  await email(page).fill(people.forgetful)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(chosen)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Lars' })).toBeVisible()
  await elsewhere.close()
})

test('with two factors the code is still asked for', async ({ page, request }) => {
  await askForLink(page, people.resetting)
  await page.goto(await resetLinkTo(request, people.resetting))
  await newPassword(page).fill(chosen)
  await confirmation(page).fill(chosen)
  await button(page, 'Spara').click()
  await link(page, 'Logga in').click()
  await email(page).fill(people.resetting)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(chosen)
  await button(page, 'Fortsätt').click()
  await page.getByLabel('Kod', { exact: true }).pressSequentially(await codeTo(request, people.resetting))
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, David' })).toBeVisible()
})

test('a used, a replaced and a made-up link give the same page, which leads to a new one', async ({
  page,
  request,
}) => {
  const address = people.newcomer
  await askForLink(page, address)
  const first = await resetLinkTo(request, address)
  await askForLink(page, address)
  await resetLinkTo(request, address, first)
  for (const path of [
    first,
    ...['x'.repeat(43), 'x'.repeat(90), 'made-up'].map((token) => `/reset-password/${token}`),
  ]) {
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText('Länken gäller inte längre')
    await expect(page.getByLabel('Nytt lösenord')).toHaveCount(0)
  }
  await link(page, 'Be om en ny länk').click()
  await expect(button(page, 'Skicka länk')).toBeVisible()
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
  await button(page, 'Skicka länk').click()
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveAccessibleDescription('Fyll i det här fältet.')
  await email(page).fill('nobody')
  await email(page).press('Enter')
  await expect(email(page)).toHaveAccessibleDescription(/giltig e-postadress/)
  await expect(page).toHaveTitle(/^Fel: /)
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
