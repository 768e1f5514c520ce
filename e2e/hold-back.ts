import type { Page } from '@playwright/test'

/** Delays the page's requests to this address. @returns a function that releases them and all later ones */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(address, async (route) => {
    await held
    // The page may have aborted the request.
    await route.continue().catch(() => undefined)
  })
  return letGo
}
