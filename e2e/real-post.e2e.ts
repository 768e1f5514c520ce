import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { acceptAndRead, expectSignIn } from './acceptance.ts'
import { expectAccessible } from './accessibility.ts'
import { comeBackTo, signInByHand } from './fixtures.ts'
import { type DemoEmail, demoPassword, demoPhone, people } from './people.ts'
import { expect, type PostOffice, test } from './post-office.ts'
import { t } from './texts.ts'

// The tests share one portal and one worker; each uses its own users.
test.describe.configure({ mode: 'default' })

const sixDigits = /\b[0-9]{6}\b/
const resetLink = /\/reset-password\/[\w-]{43}/
const invitationLink = /\/accept-invitation\/\S+/
const chosen = 'Brun-utter-42-lampa'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const password = (page: Page) => page.locator('input[name=password]')
const code = (page: Page) => field(page, 'Kod')
const hello = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: t('greetingName', { name }) })
/** Sent without the page, which may redirect to the page for ended sessions. */
const statusOfMe = async (page: Page) => (await page.request.get('/api/me')).status()

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
  test('comes by mail from the company, to the user’s address only, and signs in', async ({ page, post }) => {
    await goToCode(page, people.mail)
    const mail = await post.mailTo(people.mail, sixDigits)
    expect(mail).toMatchObject({
      from: 'no-reply@portalbolaget.example',
      to: [people.mail],
      user: 'portal',
      subject: 'Din inloggningskod',
    })
    const digits = sixDigits.exec(mail.text)?.[0] ?? ''
    expect(mail.subject).not.toContain(digits)
    expect(mail.html).toContain(digits)
    for (const body of [mail.text, mail.html]) expect(body).toContain('Portalbolaget')
    await code(page).pressSequentially(digits)
    await expect(hello(page, 'Viktoria')).toBeVisible()
  })

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

  for (const [what, fault, email, name] of [
    ['says nothing', 'silence', people.clumsy, 'William'],
    ['hangs up', 'hang up', people.resetting, 'David'],
    ['is broken', { status: 500, body: 'Internal Server Error' }, people.scriptless, 'Elin'],
  ] as const)
    test(`${what}, mail is offered within three seconds and no attempt is counted`, async ({ page, post }) => {
      await post.database.givePhone(email)
      await page.clock.install()
      await goToCode(page, email)
      await post.mailTo(email, sixDigits)
      post.sms.failNext(fault)
      const accepted = page.waitForResponse('**/api/start-2fa-login')
      await askForSms(page)
      await accepted
      await expectMailInstead(page, post, email, name)
    })

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

test('a forgotten password is reset by mail; a code is still required', async ({ page, browser, post }) => {
  const email = people.byKeyboard
  const elsewhere = await browser.newContext({ baseURL: post.portal.url, locale: 'sv-SE' })
  const other = await elsewhere.newPage()
  await goToCode(other, email)
  await code(other).pressSequentially(await post.foundIn(email, sixDigits))
  await expect(hello(other, 'Björn')).toBeVisible()

  await page.goto('/reset-password')
  await expect(field(page, 'E-postadress')).toBeFocused()
  await field(page, 'E-postadress').fill(email)
  await button(page, 'Skicka länk').click()
  await expect(page.getByRole('status')).toContainText(t('resetPasswordSent'))
  await page.goto(await post.foundIn(email, resetLink))
  await field(page, 'Nytt lösenord').fill(chosen)
  await field(page, 'Bekräfta nytt lösenord').fill(chosen)
  await button(page, 'Spara').click()
  await expect(page.getByRole('status').first()).toContainText(t('newPasswordSaved'))
  expect(await statusOfMe(other)).toBe(401)
  expect((await post.mailTo(email, /Lösenordet till ditt konto byttes/)).subject).toBe('Ditt lösenord har bytts')
  await elsewhere.close()

  const before = post.mail.received.length
  await goToCode(page, email, chosen)
  await code(page).pressSequentially(await post.foundIn(email, sixDigits, before))
  await expect(hello(page, 'Björn')).toBeVisible()
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
    await expectSignIn(page)
  }

  test('chooses a password and signs in with it', async ({ page, post }) => {
    const invited = await invite(post, 'Nordvik AB')
    await openLink(page, post, invited, 'Nordvik AB')
    await field(page, 'Välj lösenord').fill(chosen)
    await field(page, 'Upprepa lösenordet').fill(chosen)
    await accept(page)
    await page.locator('input[type=email]').fill(invited.email)
    await page.keyboard.press('Enter')
    await password(page).fill(chosen)
    await page.keyboard.press('Enter')
    await expect(hello(page, 'Nina')).toBeVisible()
  })

  test('chooses a password and signs in with it and with a code', async ({ page, post }) => {
    const invited = await invite(post, 'Solberga kommun')
    await openLink(page, post, invited, 'Solberga kommun')
    await field(page, 'Välj lösenord').fill(chosen)
    await field(page, 'Upprepa lösenordet').fill(chosen)
    await accept(page)
    await goToCode(page, invited.email, chosen)
    await code(page).pressSequentially(await post.foundIn(invited.email, sixDigits))
    await expect(hello(page, 'Nina')).toBeVisible()
  })

  for (const [organization, ssn] of [
    ['Havsvik Bank AB', '201701122382'],
    ['Fjällrå AB', '191212121212'],
  ] as const)
    test(`enters the personal number that the first sign-in must prove: ${organization}`, async ({ page, post }) => {
      const invited = await invite(post, organization)
      await openLink(page, post, invited, organization)
      await expect(page.locator('input[type=password]')).toHaveCount(0)
      await field(page, 'Personnummer').fill(ssn)
      await accept(page)
      // The link is used; the account waits for the first sign-in.
      const address = `/api/invites/${invited.email}/user/${invited.organizationId}/delivery`
      const delivery = async () => (await post.superUser.get(address)).json()
      await expect.poll(delivery).toMatchObject({ accepted: true, delivery: null })
      await page.goto(await post.foundIn(invited.email, invitationLink))
      await expect(page.getByRole('alert')).toContainText('Inbjudan gäller inte längre.')
    })

  test('who has an account gets the same mail, and becomes a member on acceptance', async ({ page, post }) => {
    await invite(post, 'Havsvik Bank AB', people.colleague)
    await signInByHand(page, people.colleague)
    await page.goto(await post.foundIn(people.colleague, invitationLink))
    const organizations = () =>
      page.evaluate(async () => {
        const { accountId } = await (await fetch('/api/me')).json()
        const all: { name: string }[] = await (await fetch(`/api/users/${accountId}/organizations`)).json()
        return all.map(({ name }) => name)
      })
    await expect(page.getByText(t('invitedAsYou', { email: people.colleague }))).toBeVisible()
    expect(await organizations()).toEqual(['Nordvik AB'])
    await page.getByRole('button', { name: t('accept'), exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('invitationAccepted'))
    expect(await organizations()).toEqual(['Havsvik Bank AB', 'Nordvik AB'])
  })

  test('whose mailbox rejects the mail: the inviter sees why, and resends it', async ({ post }) => {
    const email = `nobody.${randomUUID()}@example.com`
    post.mail.refused.add(email)
    const { organizationId } = await invite(post, 'Nordvik AB', email)
    const delivery = async () =>
      (await post.superUser.get(`/api/invites/${email}/user/${organizationId}/delivery`)).json()
    await expect.poll(delivery).toMatchObject({ delivery: 'failed', reason: 'SMTP RCPT TO 550' })
    post.mail.refused.delete(email)
    const data = { email, organizationId }
    expect((await post.superUser.post('/api/invites/resend-invite', { data })).status()).toBe(204)
    await expect.poll(delivery).toMatchObject({ delivery: 'sent', reason: null })
    await post.mailTo(email, invitationLink)
  })
})

test('a changed password and a changed phone number notify the owner, and another browser is signed out', async ({
  page,
  browser,
  post,
}) => {
  const email = people.careful
  await signInByHand(page, email, '/account')
  const elsewhere = await browser.newContext({ baseURL: post.portal.url, locale: 'sv-SE' })
  const other = await elsewhere.newPage()
  await signInByHand(other, email)

  await page.getByRole('textbox', { name: 'Telefonnummer' }).fill('+46701740699')
  await button(page, 'Spara').click()
  await page.getByRole('dialog').getByLabel('Lösenord', { exact: true }).fill(demoPassword)
  await button(page, 'Bekräfta').click()
  expect((await post.mailTo(email, /Telefonnummer/)).text).not.toContain('1740699')

  await page.getByRole('tab', { name: 'Lösenord' }).click()
  await field(page, 'Nuvarande lösenord').fill(demoPassword)
  await field(page, 'Nytt lösenord').fill(chosen)
  await field(page, 'Bekräfta nytt lösenord').fill(chosen)
  const expired = other.waitForURL('**/session-expired', { timeout: 20_000 })
  const changed = page.waitForResponse('**/api/profile/password')
  await button(page, 'Byt lösenord').click()
  expect((await changed).status()).toBe(204)
  expect(await statusOfMe(other)).toBe(401)
  await post.mailTo(email, /Lösenordet till ditt konto byttes/)
  await comeBackTo(other)
  await expired
  expect(await statusOfMe(page)).toBe(200)
  await elsewhere.close()
})
