import type { Browser, BrowserContext, Page, Response } from '@playwright/test'
import { expect } from './fixtures.ts'

/** What happens after somebody has chosen to identify: the simulator's scenarios that journeys use. */
type Course = 'ok' | 'slow' | 'certificateErr' | 'highRisk'

/** The simulated BankID app in a person's other device. */
export interface Phone {
  /** Points the camera at the code that a page shows now. */
  scan: (page: Page) => Promise<void>
  /** Types the security code, as the owner of this number: an app that was opened by a link then leads back. */
  sign: (personalNumber: string, course?: Course) => Promise<void>
  /** The same where the app was opened by a code, and says that all is done. */
  identify: (personalNumber: string, course?: Course) => Promise<void>
  cancel: () => Promise<void>
  /** The app has nothing open any more. */
  expectNothing: () => Promise<void>
}

export async function openPhone(browser: Browser, baseURL: string): Promise<{ phone: Phone; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL, locale: 'sv-SE' })
  const app = await context.newPage()
  const legitimate = app.getByRole('heading', { name: 'Legitimera dig' })
  const tooLate = app.getByText('Den inloggningen väntar inte längre')
  const scan = async (page: Page, tried?: string) => {
    const qrData = await codeOn(page, tried)
    await app.goto('/dev/bankid')
    await app.getByText('Klistra in innehållet i en QR-kod').click()
    await app.getByLabel('QR-kodens innehåll').fill(qrData)
    await app.getByRole('button', { name: 'Öppna' }).click()
    await expect(legitimate.or(tooLate)).toBeVisible()
    // After half a minute the page has another order, up to two seconds later: whoever meets that moment waits for it.
    if (await tooLate.isVisible()) await scan(page, qrData)
  }
  const expectNothing = async () => {
    // It is told as soon as the portal has told BankID.
    await expect(async () => {
      await app.reload()
      await expect(tooLate).toBeVisible({ timeout: 500 })
    }).toPass()
  }
  return { context, phone: { scan, expectNothing, ...appIn(app) } }
}

/** What the codes of one order have in common: `bankid.{qrStartToken}.{seconds}.{proof}`. */
const orderOf = (qrData: string) => qrData.split('.')[1]

/** The app once an order is open in it. */
export function appIn(app: Page): Pick<Phone, 'sign' | 'identify' | 'cancel'> {
  const sign: Phone['sign'] = async (personalNumber, course = 'ok') => {
    await app.getByText('Ett annat testpersonnummer').click()
    await app.getByLabel('Personnummer (12 siffror)').fill(personalNumber)
    await app.getByLabel('Vad som händer').selectOption(course)
    await app.getByRole('button', { name: 'Identifiera' }).click()
  }
  return {
    sign,
    async identify(...chosen) {
      await sign(...chosen)
      await expect(app.getByText('Klart. Gå tillbaka till portalens flik.')).toBeVisible()
    },
    async cancel() {
      await app.getByRole('button', { name: 'Avbryt' }).click()
      await expect(app.getByText('Inloggningen avbröts i appen.')).toBeVisible()
    },
  }
}

/**
 * What the code of a page says, by the answer that it is drawn from.
 *
 * @param tried a code before it: waits for that of another order
 */
export async function codeOn(page: Page, tried = ''): Promise<string> {
  const response = await page.waitForResponse(async (one) => {
    const code = await codeIn(one)
    return code !== '' && orderOf(code) !== orderOf(tried)
  })
  return codeIn(response)
}

/** All that it says from now on. */
export function codesOn(page: Page): readonly string[] {
  const codes: string[] = []
  page.on('response', async (response) => {
    const code = await codeIn(response)
    if (code !== '') codes.push(code)
  })
  return codes
}

async function codeIn(response: Response): Promise<string> {
  if (!/\/bankid(\/start)?$/.test(new URL(response.url()).pathname) || !response.ok()) return ''
  // The answer to the page before this one is gone with it.
  const { qrData }: { qrData?: string | null } = await response.json().catch(() => ({}))
  return qrData ?? ''
}
