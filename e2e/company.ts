import type { Page } from '@playwright/test'

/** Gives an address on the sign-in page, and stands on the page of the company's own sign-in. */
export async function goToCompany(page: Page, email: string, path = '/'): Promise<void> {
  await page.goto(path)
  await page.locator('form[novalidate]').waitFor()
  await page.getByLabel('E-postadress').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Fjällrå AB' }).waitFor()
}

/** Signs in there as somebody who is not in its list. */
export async function signInThere(page: Page, { email, ssn = '' }: { email: string; ssn?: string }): Promise<void> {
  await page.getByLabel('E-postadress').fill(email)
  await page.getByLabel('Personnummer').fill(ssn)
  await page.getByRole('button', { name: 'Logga in', exact: true }).click()
}
