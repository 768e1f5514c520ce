import { budget, type Figure, median } from './measure.ts'
import type { BenchPortal } from './portal.ts'
import { firstPaint, slowDownPage, withChromium } from './slow-browser.ts'

const runs = 7

/** First paint of the sign-in page with an empty cache on slow 4G with a processor four times as slow. */
export function measureFirstPaint(portal: BenchPortal): Promise<Figure[]> {
  return withChromium(async (browser) => {
    const paints: number[] = []
    for (let run = 0; run < runs; run++) {
      const context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'sv-SE' })
      const page = await context.newPage()
      // The way to the page is the service's or the portal's redirect; what is measured is the page.
      await page.goto(`${portal.url}/login`)
      const address = page.url()
      await page.goto('about:blank')
      await slowDownPage(context, page)
      await page.goto(address, { waitUntil: 'load' })
      paints.push(await firstPaint(page))
      await context.close()
    }
    return [budget('first paint of sign-in, slow 4G, 4 × slower', median(paints), 'ms', 600)]
  })
}
