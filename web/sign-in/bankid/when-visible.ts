type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/**
 * Runs the work as soon as the page is visible: at once, or when the user returns to it.
 *
 * @returns cancels it
 */
export function whenVisible(page: Page, work: () => void): () => void {
  const look = () => {
    if (page.hidden) return
    stop()
    work()
  }
  const stop = () => page.removeEventListener('visibilitychange', look)
  page.addEventListener('visibilitychange', look)
  look()
  return stop
}
