import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { t } from './texts.ts'

/**
 * Accepts the invitation and checks the notice. The clock is paused, because the notice redirects after a few seconds.
 */
export async function acceptAndRead(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: t('acceptInvitation') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('invitationAccepted'))
  await expect(page.getByRole('status')).toContainText('Ditt konto är klart')
  await expect(page.getByRole('link', { name: t('continue') })).toBeFocused()
}

/** Lets the notice lead on. */
export async function leadOn(page: Page): Promise<void> {
  await page.clock.runFor(4000)
  await page.waitForURL((url) => !url.pathname.startsWith('/accept-invitation'))
  await page.clock.resume()
}

/** The notice has led on to the launcher: the person is signed in. */
export async function expectLauncher(page: Page, firstName: string): Promise<void> {
  await leadOn(page)
  await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: firstName }) })).toBeVisible()
}
