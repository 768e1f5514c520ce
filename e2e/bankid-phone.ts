import type { Browser, BrowserContext, Page, Response } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The scenarios of the simulator that the tests use. */
type Course = 'ok' | 'slow' | 'certificateErr' | 'highRisk'

/** The simulated BankID app on another device. */
export interface Phone {
  /** Scans the QR code that a page shows. */
  scan: (page: Page) => Promise<void>
  /**
   * Enters the security code as the owner of this personal number. An app that was opened by a link then leads back.
   */
  sign: (personalNumber: string, course?: Course) => Promise<void>
  /** The same for an app that scanned a QR code; checks that it reports success. */
  identify: (personalNumber: string, course?: Course) => Promise<void>
  cancel: () => Promise<void>
  /** Checks that the app has no open order. */
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
    // The page replaces an order after 30 seconds, within two more: wait for the new code.
    if (await tooLate.isVisible()) await scan(page, qrData)
  }
  const expectNothing = async () => {
    // The app knows as soon as the portal has cancelled the order at BankID.
    await expect(async () => {
      await app.reload()
      await expect(tooLate).toBeVisible({ timeout: 500 })
    }).toPass()
  }
  return { context, phone: { scan, expectNothing, ...appIn(app) } }
}

/** The part that all QR codes of an order share: `bankid.{qrStartToken}.{seconds}.{proof}`. */
const orderOf = (qrData: string) => qrData.split('.')[1]

/** The app with an open order. */
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
 * The content of the QR code that a page shows, read from the response.
 *
 * @param tried an earlier code: waits for the code of another order
 */
export async function codeOn(page: Page, tried = ''): Promise<string> {
  const response = await page.waitForResponse(async (one) => {
    const code = await codeIn(one)
    return code !== '' && orderOf(code) !== orderOf(tried)
  })
  return codeIn(response)
}

/** Collects every QR code from now on. */
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
  // The browser discards a response when the page navigates.
  const { qrData }: { qrData?: string | null } = await response.json().catch(() => ({}))
  return qrData ?? ''
}
