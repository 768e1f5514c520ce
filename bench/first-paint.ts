import { chromium } from '@playwright/test'
import { type Figure, median } from './measure.ts'
import type { BenchPortal } from './portal.ts'

const runs = 7
// "Slow 4G" of Chromium's tools and Lighthouse: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back.
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
}
const slowDown = 4

/** First paint of the sign-in page with an empty cache on slow 4G with a processor four times as slow. */
export async function measureFirstPaint(portal: BenchPortal): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  try {
    const paints: number[] = []
    for (let run = 0; run < runs; run++) {
      const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
      const page = await context.newPage()
      // The way to the page is the service's or the portal's redirect; what is measured is the page.
      await page.goto(`${portal.url}/login`)
      const address = page.url()
      await page.goto('about:blank')
      const tools = await context.newCDPSession(page)
      await tools.send('Network.clearBrowserCache')
      await tools.send('Network.emulateNetworkConditions', slow4g)
      await tools.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
      await page.goto(address, { waitUntil: 'load' })
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      )
      paints.push(paint)
      await context.close()
    }
    return [
      {
        name: 'first paint of sign-in, slow 4G, 4 × slower',
        value: median(paints),
        unit: 'ms',
        limit: { what: 'budget', value: 600 },
        target: { atMost: 1 },
      },
    ]
  } finally {
    await browser.close()
  }
}
