import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import { expectNoSidewaysAtAnyWidth, expectUsableOnPhone } from './every-width.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { codeTo } from './outbox.ts'
import { demoPassword, people, demoPhone as phoneNumber } from './people.ts'
import { t } from './texts.ts'

const password = (page: Page) => page.locator('input[name=password]')
const code = (page: Page) => page.getByLabel(/^(Kod|Code|Koodi)$/)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const hello = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: t('greetingName', { name }) })
/** Waits until JavaScript handles the form; until then the browser submits it. */
const isTakenOver = (page: Page) => expect(page.locator('form')).toHaveAttribute('novalidate')
const otherThan = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0')

async function goToPassword(page: Page, email: string, start = '/') {
  await page.goto(start)
  await page.locator('input[type=email]').fill(email)
  await page.keyboard.press('Enter')
  await expect(password(page)).toBeVisible()
}
/** Signs in until the code is required. */
async function goToCode(page: Page, email: string) {
  await goToPassword(page, email)
  await expect(button(page, t('continue'))).toBeVisible()
  await password(page).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(code(page)).toBeFocused()
}

test('a person signs in with a code from the mail', { tag: '@main' }, async ({ page, request }) => {
  await goToCode(page, people.mail)
  await expect(page.getByRole('status').first()).toHaveText(t('codeSentByEmail', { email: people.mail }))
  await expect(password(page)).toHaveAttribute('readonly', '')
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code(page)).toHaveAttribute('inputmode', 'numeric')
  await expect(button(page, t('continue'))).toHaveCount(0)
  await expect(button(page, t('signIn'))).toBeVisible()
  await expect(page.getByText(/En ny kod kan skickas om \d+ sekunder\./)).toBeVisible()
  // A user without a phone number is not offered an SMS.
  await expect(button(page, t('sendBySms'))).toHaveCount(0)
  const digits = await codeTo(request, people.mail)
  const sent: string[] = []
  page.on('request', (asked) => {
    if (asked.method() === 'POST') sent.push(new URL(asked.url()).pathname.replace(/interaction\/[^/]+/, 'interaction'))
  })
  // Many mails contain the code with a space: it can be pasted, and is submitted once, automatically.
  await page.evaluate(
    (text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      const field = document.activeElement as HTMLInputElement
      if (field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })))
        document.execCommand('insertText', false, text)
    },
    `${digits.slice(0, 3)} ${digits.slice(3)}`,
  )
  await expect(hello(page, 'Viktoria')).toBeVisible()
  expect(sent).toEqual(['/api/verify-credentials-2fa', '/interaction/login'])
})

test('a wrong code is an error of its field; one by SMS need not wait for the mail, but for the SMS before it', async ({
  page,
  request,
  database,
}) => {
  await page.clock.install()
  await goToCode(page, people.phone)
  const digits = await codeTo(request, people.phone)
  let loads = 0
  page.on('framenavigated', () => loads++)
  await code(page).pressSequentially(otherThan(digits))
  await expect(code(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(code(page)).toHaveAccessibleDescription(/^Koden är fel eller gäller inte längre\./)
  await expect(code(page)).toBeFocused()
  const selection = () =>
    page.evaluate(() => {
      const { selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
      return [selectionStart, selectionEnd]
    })
  expect(await selection()).toEqual([0, 6])
  await expect(password(page)).toHaveAttribute('readonly', '')
  await expect(page).toHaveTitle(/^Fel: /)
  expect(loads).toBe(0)
  await expectAccessible(page)

  await button(page, t('sendBySms')).click()
  await expect(page.getByRole('status').first()).toContainText(t('codeSentBySms'))
  await expect(code(page)).toBeFocused()
  await expect(code(page)).toHaveValue('')
  const first = await codeTo(request, phoneNumber)
  await button(page, t('sendNewCode')).click()
  await expect(page.getByText(/^Den nya koden skickas om \d+ sekunder\.$/).first()).toBeVisible()
  await database.forgetCodesSent()
  await page.clock.fastForward(31_000)
  await expect.poll(() => codeTo(request, phoneNumber)).not.toBe(first)
  await expect(code(page)).toBeFocused()
  await code(page).pressSequentially(await codeTo(request, phoneNumber))
  await expect(hello(page, 'Mikael')).toBeVisible()
})

test('a browser that can read the SMS fills in the code and signs in, and stops waiting for a replaced one', async ({
  page,
  request,
  database,
}) => {
  // Desktop browsers cannot read an SMS, so this replaces the browser API.
  await page.addInitScript(() => {
    const asked: unknown[] = []
    Object.assign(window, { OTPCredential: class {}, asked, givenUp: 0 })
    navigator.credentials.get = (options) => {
      asked.push((options as { otp?: unknown } | undefined)?.otp)
      return new Promise((arrives, fails) => {
        Object.assign(window, { smsArrives: (code: string) => arrives({ id: '', type: 'otp', code } as Credential) })
        options?.signal?.addEventListener('abort', () => {
          Object.assign(window, { givenUp: (window as unknown as { givenUp: number }).givenUp + 1 })
          fails(options.signal?.reason)
        })
      })
    }
  })
  const seen = () => page.evaluate(() => (({ asked, givenUp }) => ({ asked, givenUp }))(window as never))
  const number = await database.givePhone(people.onPhone)
  await page.clock.install()
  await goToCode(page, people.onPhone)
  // The browser does not wait for an SMS while the code comes by mail.
  expect(await seen()).toEqual({ asked: [], givenUp: 0 })
  await database.forgetCodesSent()
  await button(page, t('sendBySms')).click()
  await expect(page.getByRole('status').first()).toContainText(t('codeSentBySms'))
  await expect.poll(seen).toEqual({ asked: [{ transport: ['sms'] }], givenUp: 0 })
  const first = await codeTo(request, number)
  await button(page, t('sendNewCode')).click()
  await database.forgetCodesSent()
  await page.clock.fastForward(31_000)
  await expect.poll(seen).toEqual({ asked: [{ transport: ['sms'] }, { transport: ['sms'] }], givenUp: 1 })
  await expect.poll(() => codeTo(request, number)).not.toBe(first)
  const second = await codeTo(request, number)
  await page.evaluate(
    (digits) => (window as unknown as { smsArrives: (code: string) => void }).smsArrives(digits),
    second,
  )
  await expect(hello(page, 'Ulf')).toBeVisible()
})

test('a person who types before the script has loaded waits for the code; after five wrong ones it is no longer valid', async ({
  page,
  request,
}) => {
  const found = await holdBack(page, '**/api/authType*')
  const checked: string[] = []
  page.on('request', (asked) => {
    if (asked.method() === 'POST') checked.push(new URL(asked.url()).pathname)
  })
  await goToPassword(page, people.hasty)
  await isTakenOver(page)
  await password(page).fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  found()
  await expect(code(page)).toBeFocused()
  expect(checked).toEqual(['/api/start-2fa-login'])
  await goToCode(page, people.clumsy)
  const digits = await codeTo(request, people.clumsy)
  await button(page, t('signIn')).click()
  await expect(code(page)).toHaveAccessibleDescription(t('codeIncomplete'))
  for (let attempt = 1; attempt <= 5; attempt++) {
    const answer = page.waitForResponse('**/api/verify-credentials-2fa')
    await code(page).pressSequentially(otherThan(digits))
    await answer
    await expect(code(page)).toHaveAttribute('aria-invalid', 'true')
    await code(page).press('ControlOrMeta+A')
    if (attempt < 5) await code(page).press('Delete')
  }
  await expect(code(page)).toHaveAccessibleDescription(t('codeOver'))
  await code(page).press('Delete')
  await code(page).pressSequentially(digits)
  await expect(code(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(code(page)).toBeFocused()
})

test('after a reload the page asks for the code that was sent, and the password', async ({ page, request }) => {
  await goToCode(page, people.reloading)
  const digits = await codeTo(request, people.reloading)
  await page.reload()
  await expect(page.getByRole('status').first()).toHaveText(t('codeSentBefore'))
  await isTakenOver(page)
  await password(page).fill('not the password')
  await code(page).pressSequentially(digits)
  await expect(page.getByRole('alert')).toHaveText(t('invalidCredentials'))
  await page.reload()
  await isTakenOver(page)
  await password(page).fill(demoPassword)
  await code(page).pressSequentially(digits)
  await expect(hello(page, 'Gunilla')).toBeVisible()
})

test('the code step is accessible, fits in every language, and works by keyboard alone', async ({
  page,
  request,
  database,
}) => {
  await database.givePhone(people.byKeyboard)
  await goToCode(page, people.byKeyboard)
  for (const [language, name] of [
    ['en', 'Sign in'],
    ['fi', 'Kirjaudu sisään'],
    ['fr', 'Se connecter'],
    ['sv', t('signIn')],
  ] as const) {
    await page.getByRole('combobox').selectOption(language)
    await expect(button(page, name)).toBeVisible()
    await expectNoSidewaysAtAnyWidth(page)
  }
  await expectAccessibleInBothThemes(page)
  await expectUsableOnPhone(page)
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('name') ?? element?.getAttribute('aria-label') ?? element?.textContent
    })
  await password(page).focus()
  const order: unknown[] = []
  for (let step = 0; step < 7; step++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  expect(order).toEqual([
    t('showPassword'),
    t('forgotPassword'),
    'code',
    t('sendNewCode'),
    t('sendBySms'),
    t('signIn'),
    t('back'),
  ])
  await code(page).focus()
  await page.keyboard.type(await codeTo(request, people.byKeyboard))
  await expect(hello(page, 'Björn')).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a person signs in with plain forms', async ({ page, request }) => {
    await goToPassword(page, people.scriptless, '/login?returnTo=/')
    await expect(code(page)).toHaveCount(0)
    await password(page).fill(demoPassword)
    await button(page, t('signIn')).click()
    const digits = await codeTo(request, people.scriptless)
    // Without JavaScript, only the next page has a field for the code.
    await expect(code(page)).toBeVisible()
    await password(page).fill(demoPassword)
    await code(page).fill(otherThan(digits))
    await button(page, t('signIn')).click()
    await expect(page.getByText('Koden är fel eller gäller inte längre.')).toBeVisible()
    await password(page).fill(demoPassword)
    await code(page).fill(digits)
    await button(page, t('signIn')).click()
    await expect(page).toHaveURL(/\/$/)
    expect((await page.request.get('/api/me')).status()).toBe(200)
  })
})
