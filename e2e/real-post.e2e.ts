import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { acceptAndRead, expectLauncher } from './acceptance.ts'
import { expectAccessible } from './accessibility.ts'
import { type DemoEmail, demoPassword, demoPhone, people } from './people.ts'
import { expect, type PostOffice, test } from './post-office.ts'
import { t } from './texts.ts'

// The tests share one portal and one worker; each uses its own users.
test.describe.configure({ mode: 'default' })

const sixDigits = /\b[0-9]{6}\b/
const invitationLink = /\/accept-invitation\/\S+/
const chosen = 'Brun-utter-42-lampa'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const password = (page: Page) => page.locator('input[name=password]')
const code = (page: Page) => field(page, 'Kod')
const hello = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: t('greetingName', { name }) })

/** Signs in until the code from the mail is required. */
async function goToCode(page: Page, email: string, secret: string = demoPassword) {
  await page.goto('/')
  await page.locator('input[type=email]').fill(email)
  await page.keyboard.press('Enter')
  // Without JavaScript, the browser would submit the form and load the password page.
  await expect(button(page, 'Fortsätt')).toBeVisible()
  await password(page).fill(secret)
  await page.keyboard.press('Enter')
  await expect(code(page)).toBeFocused()
}

/** Requests an SMS, after the half minute that the page waits since the mail. */
async function askForSms(page: Page) {
  await page.clock.fastForward(31_000)
  const asked = page.waitForResponse('**/api/start-2fa-login')
  await button(page, t('sendBySms')).click()
  expect((await asked).status()).toBe(204)
}

test.describe('a code', () => {
  test('comes by SMS through the gateway, with the line for autofill, and signs in', async ({ page, post }) => {
    await page.clock.install()
    await goToCode(page, people.phone)
    await askForSms(page)
    await expect(page.getByRole('status').first()).toContainText(t('codeSentBySms'))
    await expect.poll(() => post.sms.taken.length).toBe(1)
    const [sms] = post.sms.taken
    expect(sms).toMatchObject({ gateway: '46elks', from: 'Vestibule', to: demoPhone })
    const digits = /#([0-9]{6})$/.exec(sms?.text ?? '')?.[1] ?? ''
    expect(sms?.text.split('\n').at(-1)).toBe(`@localhost #${digits}`)
    await code(page).pressSequentially(digits)
    await expect(hello(page, 'Mikael')).toBeVisible()
  })
})

test.describe('while the SMS gateway', () => {
  async function expectMailInstead(page: Page, post: PostOffice, email: DemoEmail, name: string) {
    await expect(page.getByText(t('smsNotSent'))).toBeVisible({ timeout: 3000 })
    await expectAccessible(page)
    const before = post.mail.received.length
    // The limit is two codes per hour. The SMS that failed does not count.
    await button(page, t('sendByEmail')).click()
    await expect(page.getByRole('status').first()).toHaveText(new RegExp(`till ${email}\\.$`))
    await code(page).pressSequentially(await post.foundIn(email, sixDigits, before))
    await expect(hello(page, name)).toBeVisible()
  }

  test('cannot be reached, mail is offered within three seconds and no attempt is counted', async ({ page, post }) => {
    await post.database.givePhone(people.reloading)
    await page.clock.install()
    await goToCode(page, people.reloading)
    await post.mailTo(people.reloading, sixDigits)
    await post.withoutSms(async () => {
      const accepted = page.waitForResponse('**/api/start-2fa-login')
      await askForSms(page)
      await accepted
      await expectMailInstead(page, post, people.reloading, 'Gunilla')
    })
  })
})

test.describe('a person invited by mail', () => {
  interface Invited {
    email: string
    organizationId: string
  }
  async function invite(post: PostOffice, organization: string, email = `nina.${randomUUID()}@example.com`) {
    const all: { name: string; organizationId: string }[] = await (
      await post.superUser.get('/api/organizations/list')
    ).json()
    const organizationId = all.find(({ name }) => name === organization)?.organizationId ?? ''
    const message = 'Välkommen! Vi ses på måndag.'
    const answer = await post.superUser.post('/api/invites', { data: { email, organizationId, message } })
    expect(answer.status()).toBe(201)
    return { email, organizationId }
  }
  async function openLink(page: Page, post: PostOffice, { email }: Invited, organization: string) {
    const mail = await post.mailTo(email, invitationLink)
    expect(mail.text).toContain('> Välkommen! Vi ses på måndag.')
    await page.goto(invitationLink.exec(mail.text)?.[0] ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Välkommen till ${organization}`)
    await field(page, 'Förnamn').fill('Nina')
    await field(page, 'Efternamn').fill('Nyström')
  }
  async function accept(page: Page) {
    await acceptAndRead(page)
    await expectLauncher(page, 'Nina')
  }

  test('chooses a password and signs in with it and with a code', async ({ page, post }) => {
    const invited = await invite(post, 'Solberga kommun')
    await openLink(page, post, invited, 'Solberga kommun')
    await field(page, 'Välj lösenord').fill(chosen)
    await field(page, 'Upprepa lösenordet').fill(chosen)
    await accept(page)
    await page.context().clearCookies()
    await goToCode(page, invited.email, chosen)
    const mail = await post.mailTo(invited.email, sixDigits)
    expect(mail).toMatchObject({
      from: 'no-reply@portalbolaget.example',
      to: [invited.email],
      user: 'portal',
      subject: 'Din inloggningskod',
    })
    const digits = sixDigits.exec(mail.text)?.[0] ?? ''
    expect(mail.subject).not.toContain(digits)
    expect(mail.html).toContain(digits)
    for (const body of [mail.text, mail.html]) expect(body).toContain('Portalbolaget')
    await code(page).pressSequentially(digits)
    await expect(hello(page, 'Nina')).toBeVisible()
  })
})
