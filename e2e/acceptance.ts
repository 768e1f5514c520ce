import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Accepts, and reads the notice for as long as that takes: it goes by itself when the clock goes on. */
export async function acceptAndRead(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Tacka ja till inbjudan' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbjudan är accepterad')
  await expect(page.getByRole('status')).toContainText('Ditt konto är klart')
  await expect(page.getByRole('link', { name: 'Fortsätt' })).toBeFocused()
}

/** The root page comes by itself, and asks who it is. */
export async function expectSignIn(page: Page): Promise<void> {
  await page.clock.runFor(4000)
  await page.waitForURL(/\/interaction\//)
  await page.clock.resume()
  await page.locator('form[novalidate]').waitFor()
}
