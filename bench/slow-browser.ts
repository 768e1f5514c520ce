import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'

// "Slow 4G" of Chromium's tools and Lighthouse: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back.
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
}
const slowDown = 4

/** Chromium, closed when the work is done. */
export async function withChromium<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** From here on the page is on slow 4G with an empty cache and a processor four times as slow. */
export async function slowDownPage(context: BrowserContext, page: Page): Promise<void> {
  const tools = await context.newCDPSession(page)
  await tools.send('Network.clearBrowserCache')
  await tools.send('Network.emulateNetworkConditions', slow4g)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
}

/** When the page was first painted; milliseconds since its address was called. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)
