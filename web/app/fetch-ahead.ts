/**
 * What every form and dialog stands on, fetched once the page has nothing better to do: the part of a route is then its
 * own alone. The budgets of scripts/check-size.mjs count the same parts. The palette is fetched too: who presses
 * its keys types on at once.
 */
export function fetchAhead(): void {
  const fetchAll = () => {
    // What cannot be had now is asked for again by whoever needs it.
    import('#web/lib/entity-form.ts').catch(() => undefined)
    import('#web/lib/form-dialog.tsx').catch(() => undefined)
    import('#web/lib/loading-dialog.tsx').catch(() => undefined)
    import('./palette/palette-dialog.tsx').catch(() => undefined)
  }
  setTimeout(() => {
    // Safari has no word for it.
    if ('requestIdleCallback' in window) requestIdleCallback(fetchAll)
    else fetchAll()
  }, AFTER_FIRST_SIGHT)
}

/** In milliseconds. Slow devices still draw the page when they first find nothing to do. */
const AFTER_FIRST_SIGHT = 2000
