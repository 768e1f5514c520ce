/**
 * What every form and dialog stands on, fetched once the page has nothing better to do: the part of a route is then its
 * own alone. The budgets of scripts/check-size.mjs count the same parts.
 */
export function fetchAhead(): void {
  const fetchAll = () => {
    void import('#web/lib/entity-form.ts')
    void import('#web/lib/loading-dialog.tsx')
  }
  // Safari has no word for it.
  if ('requestIdleCallback' in window) requestIdleCallback(fetchAll)
  else setTimeout(fetchAll, 2000)
}
