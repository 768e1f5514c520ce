/**
 * Applies the styles that app.html only fetches, so that its bar is painted before they have loaded (vite.config.ts,
 * paintFirst). They take their places in the head: what comes with a part of the app comes after them.
 */
export function applyStyles(): Promise<unknown> {
  const fetched = document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=style]')
  return Promise.all([...fetched].map(apply))
}

const apply = (fetched: HTMLLinkElement) =>
  new Promise((settled) => {
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.crossOrigin = fetched.crossOrigin
    sheet.href = fetched.href
    // A page without a style is still a page.
    sheet.onload = sheet.onerror = settled
    fetched.after(sheet)
  })
