import { createBrowser, signIn } from './browser.ts'
import { budget, type Figure, median } from './measure.ts'
import type { BenchPortal } from './portal.ts'
import { firstPaint, slowDownPage, withChromium } from './slow-browser.ts'

const runs = 5

/** How long the launcher takes to show a person's services, on slow 4G with a processor four times as slow. */
export function measureLauncher(portal: BenchPortal): Promise<Figure[]> {
  return withChromium(async (browser) => {
    const paints: number[] = []
    const cold: number[] = []
    const warm: number[] = []
    for (let run = 0; run < runs; run++) {
      const signedIn = createBrowser(portal.url)
      await signIn(signedIn, 'user@nordvik.example', 'Demo-password-1')
      const context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'sv-SE' })
      await context.addCookies(
        signedIn
          .cookieHeader('/')
          .split('; ')
          .map((pair) => {
            const [name = '', ...value] = pair.split('=')
            return { name, value: value.join('='), url: portal.url }
          }),
      )
      const page = await context.newPage()
      await slowDownPage(context, page)
      const open = async () => {
        await page.goto(portal.url, { waitUntil: 'commit' })
        await page.locator('main li a').first().waitFor()
        return page.evaluate(() => performance.now())
      }
      cold.push(await open())
      paints.push(await firstPaint(page))
      await page.goto('about:blank')
      warm.push(await open())
      await context.close()
    }
    return [
      budget('first paint of the launcher, slow 4G, 4 × slower', median(paints), 'ms', 600),
      budget('services in the launcher, cold', median(cold), 'ms', 3000),
      budget('services in the launcher, warm', median(warm), 'ms', 1200),
    ]
  })
}
