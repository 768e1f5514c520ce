import type { Page } from '@playwright/test'
import { t } from './texts.ts'

/** Enters an address on the sign-in page, and ends on the company's sign-in page. */
export async function goToCompany(page: Page, email: string, path = '/'): Promise<void> {
  await page.goto(path)
  await page.locator('form[novalidate]').waitFor()
  await page.getByLabel(t('email')).fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
}

/** Signs in there as a user who is not in the list. */
export async function signInThere(page: Page, { email, ssn = '' }: { email: string; ssn?: string }): Promise<void> {
  await page.getByLabel(t('email')).fill(email)
  await page.getByLabel(t('ssn')).fill(ssn)
  await page.getByRole('button', { name: t('signIn'), exact: true }).click()
}
