type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/**
 * Does it as soon as somebody looks at this page: at once, or when they come back to it.
 *
 * @returns lets it be
 */
export function whenInSight(page: Page, work: () => void): () => void {
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
