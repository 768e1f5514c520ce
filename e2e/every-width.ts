import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInThisWidth, expectNoSideways } from './accessibility.ts'
import { looks, narrow } from './fixtures.ts'

// Each ends at the first width of `looks`. A page that has been opened once is only resized.

/** At every width: accessible, and nothing is wider than the window. */
export async function expectUsableAtEveryWidth(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoSideways(page)
  await expectUsableOnPhone(page)
}

/** The same on a phone alone, after a check at the usual width. */
export async function expectUsableOnPhone(page: Page): Promise<void> {
  await page.setViewportSize(narrow)
  await expectAccessibleInThisWidth(page)
  await expectNoSideways(page)
  await page.setViewportSize(looks[0].viewport)
}

/** Nothing is wider than the window at any width. */
export async function expectNoSidewaysAtAnyWidth(page: Page): Promise<void> {
  for (const { viewport } of looks.toReversed()) {
    await page.setViewportSize(viewport)
    await expectNoSideways(page)
  }
}
