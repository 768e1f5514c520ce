import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { codeTo, mailsTo } from './outbox.ts'
import { demoPassword, people } from './people.ts'
import { t } from './texts.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function signOut(page: Page): Promise<void> {
  // What the page still asks would lead to the sign-in by itself.
  await page.waitForLoadState('networkidle')
  await page.request.post('/logout', { headers: { 'sec-fetch-site': 'same-origin' }, form: {} })
}

/** Signs in with password and code, and opens the account page. */
async function signInStrongly(page: Page, email: string) {
  await page.goto('/login?returnTo=/account')
  await page.locator('input[type=email]').fill(email)
  await page.keyboard.press('Enter')
  await expect(button(page, t('continue'))).toBeVisible()
  await page.locator('input[name=password]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.getByLabel(t('code')).fill(await codeTo(page.request, email))
  await expect(page.getByRole('heading', { name: t('passkeys') })).toBeVisible()
}

test('a person adds a passkey and signs in with it, from the button and from autofill', { tag: '@main' }, async ({
  page,
}) => {
  const device = await addAuthenticator(page)
  await test.step('adding it', async () => {
    await signInStrongly(page, people.withPasskey)
    await button(page, t('addPasskey')).click()
    await expect(page.getByText(t('passkeyAdded')).first()).toBeVisible()
    await expect(page.getByText(t('passkeyNeverUsed'))).toBeVisible()
    expect((await mailsTo(page.request, people.withPasskey))[0]).toContain('passkey')
    await expectAccessible(page)
  })
  await test.step('the button', async () => {
    await signOut(page)
    // Otherwise autofill would answer before the button is pressed.
    await device.answerNever()
    await page.goto('/login?returnTo=/account')
    await expect(page.locator('form')).toHaveAttribute('novalidate')
    await device.answerAtOnce()
    await button(page, t('signInWithPasskey')).click()
    await expect(page).toHaveURL(/\/account$/)
    await expect(page.getByText(/Senast använd .*Chrome/)).toBeVisible()
  })
  await test.step('autofill', async () => {
    await signOut(page)
    await page.goto('/login?returnTo=/account')
    // Nothing is pressed: the person chose the passkey in the list of the field.
    await expect(page.getByRole('heading', { level: 1, name: t('accountSettings') })).toBeVisible()
  })
  await test.step('without verification nobody gets in, and the page says nothing loud', async () => {
    await signOut(page)
    await device.verifyNobody()
    await page.goto('/login')
    await button(page, t('signInWithPasskey')).click()
    await expect(button(page, t('signInWithPasskey'))).toBeEnabled()
    await expect(page).toHaveURL(/\/interaction\//)
    await expect(page.getByRole('alert')).toHaveText('')
  })
})
