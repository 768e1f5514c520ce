import { loadPalette } from './palette/load-palette.ts'

/**
 * Loads what every form and dialog depends on while the page is idle, so that a route loads its own part alone. The
 * budgets of scripts/check-size.mjs count the same parts. The palette is loaded too: users type on right after its
 * shortcut.
 */
export function prefetchParts(router: Parameters<typeof loadPalette>[0]): void {
  const fetchAll = () => {
    // A part that fails to load here is loaded again where it is needed.
    import('#web/lib/forms/entity-form.ts').catch(() => undefined)
    import('#web/lib/dialogs/form-dialog.tsx').catch(() => undefined)
    import('#web/lib/dialogs/loading-dialog.tsx').catch(() => undefined)
    loadPalette(router).catch(() => undefined)
  }
  setTimeout(() => {
    // Safari lacks it.
    if ('requestIdleCallback' in window) requestIdleCallback(fetchAll)
    else fetchAll()
  }, idleDelay)
}

/** Milliseconds. Slow devices are still rendering the page at their first idle moment. */
const idleDelay = 2000
