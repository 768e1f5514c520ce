import { type APIRequestContext, type Page, type Response, request } from '@playwright/test'
import { comeBackTo, expect } from './fixtures.ts'

const appPath = '/dev/bankid'

/** The scenarios of the simulator that the tests use. */
type Course = 'ok' | 'slow' | 'certificateErr' | 'highRisk'

/** The simulated BankID app on another device. */
export interface Phone {
  /** Scans the QR code that a page shows. */
  scan: (page: Page) => Promise<void>
  /** Enters the security code as the owner of this personal number; checks that the app reports success. */
  identify: (personalNumber: string, course?: Course) => Promise<void>
  cancel: () => Promise<void>
  /** Checks that the app has no open order. */
  expectNothing: () => Promise<void>
}

/** Its pages are simulated too, so it works by requests; `appIn` shows them. */
export async function openPhone(baseURL: string): Promise<{ phone: Phone; context: APIRequestContext }> {
  const context = await request.newContext({ baseURL, extraHTTPHeaders: { 'sec-fetch-site': 'same-origin' } })
  let order = ''
  let shownOn: Page | undefined
  /** Acts in the app; returns what its next page is about. */
  const act = async (form: Record<string, string>) => {
    const response = await context.post(appPath, { form, maxRedirects: 0 })
    const { searchParams } = new URL(response.headers().location ?? '', baseURL)
    return { opened: searchParams.get('order'), note: searchParams.get('note') }
  }
  /** The person looks back at the computer, whose page then asks at once. */
  const end = async (action: string, note: string, chosen: Record<string, string> = {}) => {
    expect((await act({ action, order, ...chosen })).note).toBe(note)
    if (shownOn) await comeBackTo(shownOn)
  }
  const scan = async (page: Page, tried?: string) => {
    const code = codeOn(page, tried)
    await comeBackTo(page)
    const qrData = await code
    const { opened } = await act({ action: 'scan', qrData })
    // The page replaces an order after 30 seconds, within two more: wait for the new code.
    if (!opened) return scan(page, qrData)
    order = opened
    shownOn = page
    await comeBackTo(page)
  }
  return {
    context,
    phone: {
      scan,
      identify: (otherNumber, scenario = 'ok') => end('identify', 'done', { otherNumber, scenario }),
      cancel: () => end('cancel', 'cancelled'),
      // The app knows as soon as the portal has cancelled the order at BankID.
      expectNothing: () =>
        expect
          .poll(async () => (await context.get(appPath, { params: { order }, maxRedirects: 0 })).headers().location)
          .toContain('note=gone'),
    },
  }
}

/** The app on the screen. */
export const scanInApp = async (app: Page, qrData: string): Promise<void> => {
  await app.goto(appPath)
  await app.getByText('Klistra in innehållet i en QR-kod').click()
  await app.getByLabel('QR-kodens innehåll').fill(qrData)
  await app.getByRole('button', { name: 'Öppna' }).click()
  await expect(app.getByRole('heading', { name: 'Legitimera dig' })).toBeVisible()
}

/** The part that all QR codes of an order share: `bankid.{qrStartToken}.{seconds}.{proof}`. */
const orderOf = (qrData: string) => qrData.split('.')[1]

/** The page of the app with an open order. */
export function appIn(app: Page) {
  return {
    /** As the owner of this personal number. An app that was opened by a link then leads back. */
    async sign(personalNumber: string): Promise<void> {
      await app.getByText('Ett annat testpersonnummer').click()
      await app.getByLabel('Personnummer (12 siffror)').fill(personalNumber)
      await app.getByRole('button', { name: 'Identifiera' }).click()
    },
    async cancel(): Promise<void> {
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
