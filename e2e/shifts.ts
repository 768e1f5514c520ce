import type { Page } from '@playwright/test'

/** Records layout shifts from now on; call it before the page is opened. */
export const noteShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The size of each layout shift; empty when there was none. */
export const shiftsOn = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
