import type { BrowserContext, Page } from '@playwright/test'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import { qrPath } from '#web/ui/qr-path.ts'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { appIn, codeOn, codesOn, openPhone, type Phone, scanInApp } from './bankid-phone.ts'
import { expectNoSidewaysAtAnyWidth, expectUsableAtEveryWidth, expectUsableOnPhone } from './every-width.ts'
import { test as base, expect, getUp } from './fixtures.ts'
import { noteShifts, shiftsOn } from './shifts.ts'
import { t } from './texts.ts'

/** The demo users with BankID, by the day in their personal number; each is used in one test. */
const people = {
  admin: ['admin@havsvik.example', '19790808'],
  user: ['user@havsvik.example', '19951121'],
  johan: ['johan.forsberg@havsvik.example', '19951208'],
  karin: ['karin.mansson@havsvik.example', '19960113'],
} as const
const emailOf = (who: keyof typeof people) => people[who][0]
const numberOf = (who: keyof typeof people) => testPersonalNumber(people[who][1])

const test = base.extend<{ phone: Phone }>({
  phone: async ({ baseURL }, use) => {
    const { phone, context } = await openPhone(baseURL ?? '')
    await use(phone)
    await context.dispose()
  },
})

const code = (page: Page) => page.getByRole('img', { name: t('bankIdQrCode') })
const said = (page: Page) => page.getByRole('status')
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const tryAgain = (page: Page) => page.getByRole('button', { name: t('tryAgain') })
/** A button that starts an order on this device, or the link of a started one. */
const openHere = (page: Page) =>
  link(page, t('bankIdOpenHere')).or(page.getByRole('button', { name: t('bankIdOpenHere'), exact: true }))
const hello = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: t('greetingName', { name }) })

/** Several nodes share a simulator that is no part of them (e2e/start-nodes.ts), so their pages link to no simulated phone. */
const needsPhoneLink = () => test.skip(process.env.E2E_NODES !== undefined, 'no simulated phone in the portal')

async function goToBankId(page: Page, email: string, start = '/') {
  await page.goto(start)
  await page.locator('form[novalidate]').waitFor()
  await page.getByLabel(t('email')).fill(email)
  await page.keyboard.press('Enter')
  await expect(link(page, t('cancel'))).toBeVisible()
}

test('a person scans the code with the phone and is signed in on the computer', { tag: '@main' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const codes = codesOn(page)
  const pictures = () => codes.map((one) => qrPath(one).path)
  await goToBankId(page, emailOf('admin'), '/account')
  await expect(code(page)).toBeVisible()
  await expect(said(page)).toHaveText(t('rfa1'))
  await expect(page.getByLabel(t('email'))).toHaveAttribute('readonly', '')
  const drawn = () => code(page).locator('path').getAttribute('d')
  // The QR code matches the response, and a second later another one is drawn in the same place.
  const first = await drawn()
  await expect.poll(pictures).toContain(first)
  const place = await code(page).boundingBox()
  await expect.poll(drawn).not.toBe(first)
  await expect.poll(pictures).toContain(await drawn())
  expect(await code(page).boundingBox()).toEqual(place)
  const phone = await browser.newContext({ baseURL: baseURL ?? '', locale: 'sv-SE' })
  const app = await phone.newPage()
  await scanInApp(app, await codeOn(page))
  await expect(said(page)).toHaveText(t('rfa9'))
  await expect(code(page)).toHaveCount(0)
  await expect(openHere(page)).toHaveCount(0)
  await appIn(app).sign(numberOf('admin'))
  await expect(app.getByText('Klart. Gå tillbaka till portalens flik.')).toBeVisible()
  // The requested page.
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByLabel(t('email'))).toHaveValue(emailOf('admin'))
  await phone.close()
})

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  })

  test('a person gets the code for another device, and back, and opens the app on this one: never automatically', async ({
    page,
    context,
  }) => {
    needsPhoneLink()
    const opened: Page[] = []
    context.on('page', (other) => opened.push(other))
    await goToBankId(page, emailOf('user'))
    await expect(link(page, t('bankIdOpenHere'))).toHaveAttribute('referrerpolicy', 'origin')
    await expect(code(page)).toHaveCount(0)
    await page.getByRole('button', { name: t('bankIdShowQrCode') }).tap()
    await expect(code(page)).toBeVisible()
    await expect(said(page)).toHaveText(t('rfa1'))
    await openHere(page).tap()
    await expect(link(page, t('bankIdOpenHere'))).toBeVisible()
    await expect(code(page)).toHaveCount(0)
    expect(opened).toEqual([])
    const app = await openApp(page, context)
    await expect(said(page)).toHaveText(
      /^(Försöker starta BankID-appen\.|Söker efter BankID\..* på den här enheten\.)$/,
    )
    await appIn(app).sign(numberOf('user'))
    // The app leads back, and the first page is signed in too.
    await expect(hello(app, 'Oskar')).toBeVisible()
    await expect(hello(page, 'Oskar')).toBeVisible()
  })
})

test('a person opens BankID on the computer, cancels there, sees that, and signs in with a new order on the phone', async ({
  page,
  context,
  phone,
}) => {
  needsPhoneLink()
  await goToBankId(page, emailOf('johan'))
  const app = await openApp(page, context)
  await expect(said(page)).toHaveText(
    /^Söker efter BankID\. Säkerställ att du har ett giltigt BankID på den här datorn/,
  )
  await appIn(app).cancel()
  await expect(page.getByRole('alert')).toHaveText(t('rfa6'))
  await tryAgain(page).click()
  await expect(code(page)).toBeVisible()
  await phone.scan(page)
  await phone.cancel()
  await expect(page.getByRole('alert')).toHaveText(t('rfa6'))
  await expect(page).toHaveTitle(/^Fel: /)
  await expect(link(page, t('back'))).toBeVisible()
  await tryAgain(page).click()
  await expect(code(page)).toBeVisible()
  await expect(page).not.toHaveTitle(/^Fel: /)
  await phone.scan(page)
  await phone.identify(numberOf('johan'))
  await expect(hello(page, 'Johan')).toBeVisible()
})

test('two tabs of one sign-in show the same order, and a person who returns from the app in another tab is signed in there', async ({
  page,
  context,
  phone,
}) => {
  await test.step('both tabs end signed in', async () => {
    await goToBankId(page, emailOf('user'))
    const other = await context.newPage()
    await other.goto(`${page.url()}#bankid`)
    await expect(code(other)).toBeVisible()
    await phone.scan(page)
    await expect(said(page)).toHaveText(/^Skriv in din säkerhetskod/)
    await expect(said(other)).toHaveText(/^Skriv in din säkerhetskod/)
    await phone.identify(numberOf('user'))
    await expect(hello(page, 'Oskar')).toBeVisible()
    await expect(hello(other, 'Oskar')).toBeVisible()
    await other.close()
    await getUp(page)
  })
  await test.step('so does one that is opened after the other was closed', async () => {
    await goToBankId(page, emailOf('user'))
    await phone.scan(page)
    const address = page.url()
    await page.close()
    await phone.identify(numberOf('user'))
    const other = await context.newPage()
    // The link that the app opens on a phone: iOS opens it in a new tab.
    await other.goto(`${address}#bankid`)
    await expect(hello(other, 'Oskar')).toBeVisible()
  })
})

test('a sign-in survives expiry, cancelling, a lost network, a reload, Back and Forward, and leads to the same page', async ({
  page,
  context,
  phone,
}) => {
  const email = page.getByLabel(t('email'))
  const again = async () => {
    await page.locator('form[novalidate]').waitFor()
    await email.press('Enter')
    await expect(code(page)).toBeVisible()
  }
  await goToBankId(page, emailOf('karin'), '/account')
  await expect(code(page)).toBeVisible()
  await test.step('one that has expired starts again with the address', async () => {
    await context.clearCookies()
    await expect(page.getByRole('button', { name: t('continue') })).toBeVisible()
    await expect(email).toHaveValue(emailOf('karin'))
    await again()
  })
  await test.step('cancelling keeps the address and closes the app', async () => {
    await phone.scan(page)
    await link(page, t('cancel')).click()
    await expect(page.getByRole('button', { name: t('continue') })).toBeVisible()
    await expect(email).toHaveValue(emailOf('karin'))
    await phone.expectNothing()
    await again()
  })
  await test.step('without a network the page says so, and continues when the network is back', async () => {
    await page.route('**/bankid', (route) => route.abort())
    await expect(said(page)).toHaveText(t('bankIdOffline'))
    // An old code would not work any more, so none is shown.
    await expect(code(page)).toHaveCount(0)
    await page.unroute('**/bankid')
    await expect(said(page)).toHaveText(t('rfa1'))
  })
  await test.step('a reload, Back and Forward of the browser show the same order', async () => {
    await phone.scan(page)
    await expect(said(page)).toHaveText(/^Skriv in din säkerhetskod/)
    await page.reload()
    await expect(said(page)).toHaveText(/^Skriv in din säkerhetskod/)
    await page.goBack()
    await expect(email).toHaveValue(emailOf('karin'))
    await phone.identify(numberOf('karin'))
    await page.goForward()
    await expect(page).toHaveURL(/\/account$/)
    await expect(page.getByRole('textbox', { name: t('email') })).toHaveValue(emailOf('karin'))
  })
})

test('the keyboard alone is enough, and the focus is never lost', async ({ page, phone }) => {
  needsPhoneLink()
  await goToBankId(page, emailOf('admin'))
  await expect(code(page)).toBeVisible()
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await page.getByLabel(t('email')).focus()
  const order: string[] = []
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  expect(order).toEqual([t('bankIdOpenHere'), t('bankIdOpenPhone'), t('cancel')])
  // Enter in the field sends nothing while the user is still unknown.
  await page.getByLabel(t('email')).focus()
  await page.keyboard.press('Enter')
  await openHere(page).focus()
  await phone.scan(page)
  await expect(said(page)).toBeFocused()
  await phone.cancel()
  await expect(tryAgain(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(tryAgain(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(code(page)).toBeVisible()
  await expect(said(page)).toBeFocused()
  await phone.scan(page)
  await phone.identify(numberOf('admin'))
  await expect(hello(page, 'Helena')).toBeVisible()
})

test('nothing moves when the code appears, and the step is accessible and fits in every language', async ({
  page,
  phone,
}) => {
  await test.step('nothing moves, and the status is announced once, not every second', async () => {
    // The code needs more room than a password.
    await page.setViewportSize({ width: 1280, height: 720 })
    await noteShifts(page)
    await goToBankId(page, 'fits@havsvik.example')
    await expect(code(page)).toBeVisible()
    await expect(said(page)).toHaveText(t('rfa1'))
    await page.evaluate(() => {
      const changes: unknown[] = []
      Object.assign(window, { changes })
      const live = document.querySelectorAll('[role=status], [role=alert]')
      for (const element of live)
        new MutationObserver((found) => changes.push(...found)).observe(element, {
          subtree: true,
          childList: true,
          characterData: true,
        })
    })
    await codeOn(page)
    await codeOn(page)
    expect(await page.evaluate(() => (window as unknown as { changes: unknown[] }).changes.length)).toBe(0)
    expect(await shiftsOn(page)).toEqual([])
    await expect(page.getByRole('contentinfo')).toBeVisible()
  })
  for (const [language, name, start] of [
    ['sv', t('bankIdQrCode'), t('rfa1')],
    ['en', 'QR code for the BankID app', 'Start your BankID app.'],
    ['fi', 'QR-koodi BankID-sovellukselle', 'Käynnistä BankID-sovellus.'],
    ['fr', 'Code QR pour l’application BankID', 'Lancez votre application BankID.'],
  ] as const) {
    await page.getByRole('combobox').selectOption(language)
    await expect(page.getByRole('img', { name })).toBeVisible()
    await expect(said(page)).toHaveText(start)
    if (language === 'sv') {
      await expectAccessibleInBothThemes(page)
      await expectUsableOnPhone(page)
    }
    await expectNoSidewaysAtAnyWidth(page)
  }
  await phone.scan(page)
  await expect(said(page)).toHaveText(/^Saisissez votre code de sécurité/)
  await expectUsableAtEveryWidth(page)
  await phone.cancel()
  await expect(page.getByRole('alert')).toHaveText('L’opération a été interrompue.')
  await expectUsableAtEveryWidth(page)
})

/** Opens the simulated app with the link of the page. */
async function openApp(page: Page, context: BrowserContext): Promise<Page> {
  const opening = context.waitForEvent('page')
  await openHere(page).click()
  const app = await opening
  await expect(app.getByRole('heading', { name: 'Legitimera dig' })).toBeVisible()
  return app
}
