import type { Page } from '@playwright/test'

/** Notes from now on what moves on a page by itself; to be called before it comes. */
export const noteShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** How far things have moved, each time; nothing when nothing has. */
export const shiftsOn = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
