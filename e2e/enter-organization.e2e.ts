import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { expect } from './fixtures.ts'
import { test } from './invited.ts'
import { codeTo } from './outbox.ts'
import { t } from './texts.ts'

test('an organisation that asks for a code asks once, in place, and goes on from there', async ({
  page,
  signIn,
  invite,
  newPerson,
}) => {
  const email = await newPerson()
  await invite('Solberga kommun', email)
  await signIn(email)
  await page.goto('/')
  const card = page.getByRole('article', { name: t('invitesYou', { name: 'Solberga kommun' }) })
  await expect(card).toContainText(t('joinAsksForCode'))
  await card.getByRole('button', { name: t('accept') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('stepUpTitle'))
  await expect(page).toHaveURL(/\/enter\//)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page)

  // By keyboard alone.
  await page.getByRole('button', { name: t('sendCodeByEmail') }).press('Enter')
  const field = page.getByRole('textbox', { name: t('code') })
  await expect(field).toBeFocused()
  await page.keyboard.type('000000')
  await expect(page.getByText(t('invalidCode')).first()).toBeVisible()
  await expectAccessible(page)
  const code = await codeTo(page.request, email)
  await field.fill(code)
  await expect(page).toHaveURL('/')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByText('Solberga kommun').first()).toBeVisible()
  await page.getByRole('button', { name: /^Konto/ }).click()
  const method = t('signedInWith', { method: t('methodPasswordAndEmailCode') })
  await expect(page.getByText(method)).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL('/')

  // A sign-in by the password alone learns only that it is not enough there.
  await page.context().clearCookies()
  await signIn(email)
  await page.goto('/account')
  const roles = page.getByRole('region', { name: t('ownRoles') })
  await expect(roles).toContainText('Nordvik AB')
  const held = roles.getByRole('listitem').filter({ hasText: 'Solberga kommun' })
  await expect(held).toContainText(t('stepUpCodeText', { name: 'Solberga kommun' }))
  await expect(held).not.toContainText(t('roleRegular'))
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page)
  await roles.getByRole('button', { name: `${t('stepUpTitle')}: Solberga kommun` }).press('Enter')
  await expect(page).toHaveURL(/\/enter\//)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('stepUpTitle'))
})
