import type { Page } from '@playwright/test'

/** Navigates to another address inside the app without a server request, like a link. */
export const followInside = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
