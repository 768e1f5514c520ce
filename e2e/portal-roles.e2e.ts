import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, getUp, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

// That no call of these roles changes anything: test/access.test.ts.

const buttonsThatChange = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: /^(Skapa|Bjud in|Lägg till)/ })

test('a super user gives a role in the portal, and its holder reads everything without a button that changes something', async ({
  page,
  signIn,
}) => {
  await test.step('given for a time', async () => {
    await signIn(people.superUser)
    await page.goto(`/users?searchQuery=${people.becomesReader}`)
    await page.getByRole('rowheader').getByRole('link').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await dialog.getByLabel(t('portalRole')).selectOption({ label: t('portalReader') })
    await dialog.getByLabel(t('roleUntil')).fill('2099-12-31')
    await expect(dialog.getByText(t('portalReaderHint'))).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('save') }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('row', { name: people.becomesReader }).getByText(t('portalReader'))).toBeVisible()
  })
  await test.step('what an auditor sees', async () => {
    await getUp(page)
    await signIn(people.portalAuditor)
    await page.goto('/users')
    await expect(page.getByRole('heading', { level: 1, name: t('users') })).toBeVisible()
    await page.getByRole('button', { name: t('administration') }).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      t('services'),
      t('organizations'),
      t('accessReviews'),
      t('users'),
      t('auditEvents'),
    ])
    await page.keyboard.press('Escape')
    await expect(buttonsThatChange(page)).toHaveCount(0)
    await page.getByRole('rowheader').getByRole('link').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await expect(dialog.getByRole('button', { name: t('save') })).toHaveCount(0)
    await expectAccessible(page)
    await page.goto('/services')
    await expect(page.getByRole('row', { name: 'Journal' })).toBeVisible()
    // The address of a service is a link; its name opens nothing.
    await expect(page.getByRole('rowheader').getByRole('link')).toHaveCount(0)
    await expect(buttonsThatChange(page)).toHaveCount(0)
    await page.goto('/organization-settings?searchQuery=Nordvik')
    await expect(buttonsThatChange(page)).toHaveCount(0)
    await page.getByRole('rowheader').getByRole('link').first().click()
    await dialog.getByRole('tab', { name: t('users') }).click()
    await expect(dialog.getByRole('table')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/access-reviews')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await expect(page.getByRole('heading', { level: 1, name: t('accessReview') })).toBeVisible()
    await expect(page.getByRole('table')).toBeVisible()
    await expect(page.getByRole('button', { name: new RegExp(`^${t('reviewKeep')}`) })).toHaveCount(0)
  })
})
