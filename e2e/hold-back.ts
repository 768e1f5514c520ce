import type { Page } from '@playwright/test'

/** Keeps back what a page asks for at this address, before the portal hears of it. @returns lets it go, and what follows it */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(address, async (route) => {
    await held
    // The page may have stopped waiting for it.
    await route.continue().catch(() => undefined)
  })
  return letGo
}
