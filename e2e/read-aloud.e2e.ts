import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { tokenIn, test as withInvitations } from './invited.ts'
import { codeTo, resetLinkTo } from './outbox.ts'
import { demoPassword, people } from './people.ts'
import { type Language, type Reader, readerOf } from './read-aloud.ts'

/** What a screen reader says on the way through ten things that people do: `npm run read-aloud` keeps it as text. */
const test = withInvitations.extend<{
  language: Language
  reader: Reader
  /** A person of this organisation, with this sign-in method, who speaks the language. @returns the address */
  personOf: (organization: string, loginMethod?: 'local' | 'local2FA') => Promise<string>
}>({
  language: ['sv', { option: true }],
  personOf: async ({ invite, superUser, language }, use) => {
    await use(async (organization, loginMethod = 'local') => {
      const { email, path } = await invite(organization)
      const secrets = { password: demoPassword, confirmNewPassword: demoPassword, token: tokenIn(path) }
      const response = await superUser.post('/api/invites/accept', {
        data: { email, firstName: 'Nina', lastName: 'Nyström', loginMethod, ...secrets },
        headers: { 'accept-language': language, cookie: '' },
      })
      expect(response.status(), await response.text()).toBe(204)
      return email
    })
  },
  reader: async ({ page, context, baseURL, language }, use, { title }) => {
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }])
    const reader = await readerOf(page, language)
    await use(reader)
    reader.announced()
    reader.write(`test-results/read-aloud/${title.replaceAll(/[^a-z]+/g, '-')}.${language}.txt`)
    expect(reader.faults).toEqual([])
  },
})

const arrived = (page: Page) => page.locator('#main h1').waitFor()
/** Until nothing is loading. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}
async function goToPassword(page: Page, email: string, { t }: Reader): Promise<void> {
  await page.goto('/')
  await page.locator('form[novalidate]').waitFor()
  await page.getByLabel(t('email'), { exact: true }).fill(email)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]:not([readonly])').waitFor()
}

for (const language of ['sv', 'en'] as const)
  test.describe(`read aloud in ${language}`, () => {
    test.use({ language, locale: language === 'sv' ? 'sv-SE' : 'en-GB' })

    test('sign in with a password', async ({ page, reader, personOf }) => {
      const email = await personOf('Nordvik AB')
      await page.goto('/')
      await page.locator('form[novalidate]').waitFor()
      const first = await reader.screen('the address')
      expect(first).toContainEqual(expect.stringContaining(`textbox "${reader.t('email')}"`))
      await goToPassword(page, email, reader)
      await reader.screen('the password')
      await page.locator('input[name=password]').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText(reader.t('invalidCredentials')).first().waitFor()
      await reader.screen('a wrong password')
      expect(reader.announced().join()).toContain(reader.t('invalidCredentials'))
      await page.locator('input[name=password]').fill(demoPassword)
      await page.keyboard.press('Enter')
      const greeting = reader.t('greetingName', { name: 'Nina' })
      await page.getByRole('heading', { level: 1, name: greeting }).waitFor()
      await settled(page)
      expect(await reader.screen('the overview')).toContain(`heading 1 "${greeting}"`)
    })

    test('sign in with a code from the mail', async ({ page, reader, personOf }) => {
      const email = await personOf('Solberga kommun', 'local2FA')
      await goToPassword(page, email, reader)
      await page.locator('input[name=password]').fill(demoPassword)
      await page.keyboard.press('Enter')
      const code = page.getByLabel(reader.t('code'), { exact: true })
      await expect(code).toBeFocused()
      await reader.screen('the code')
      expect(reader.announced().join()).toContain(reader.t('codeSentByEmail', { email }))
      await code.fill('000000')
      await page.getByText(reader.t('invalidCode')).first().waitFor()
      await reader.screen('a wrong code')
      expect(reader.announced().join()).toContain(reader.t('invalidCode'))
      await code.fill(await codeTo(page.request, email))
      await arrived(page)
    })

    test('sign in with BankID', async ({ page, reader }) => {
      await page.goto('/')
      await page.locator('form[novalidate]').waitFor()
      await page.getByLabel(reader.t('email'), { exact: true }).fill('admin@havsvik.example')
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: reader.t('bankIdQrCode') }).waitFor()
      const lines = await reader.screen('the code to scan')
      expect(lines).toContainEqual(expect.stringContaining(`image "${reader.t('bankIdQrCode')}"`))
      // It changes each second, and that is not said again and again.
      await page.waitForTimeout(2500)
      expect(reader.announced().filter((text) => text === reader.t('rfa1')).length).toBeLessThan(2)
    })

    test('choose another password with a mailed link', async ({ page, reader, personOf }) => {
      const email = await personOf('Nordvik AB')
      await page.goto('/reset-password')
      await expect(page.getByLabel(reader.t('email'))).toBeFocused()
      await reader.screen('the address')
      await page.getByLabel(reader.t('email')).fill(email)
      await page.getByRole('button', { name: reader.t('resetPasswordSend'), exact: true }).click()
      await expect(page.getByRole('status').filter({ hasText: reader.t('resetPasswordSent') })).toBeVisible()
      await reader.screen('the mail is sent')
      await page.goto(await resetLinkTo(page.request, email))
      await page.getByLabel(reader.t('newPassword'), { exact: true }).fill('short')
      await page.keyboard.press('Enter')
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      const wrong = await reader.screen('too short a password')
      expect(wrong.filter((line) => line.includes('invalid')).length).toBeGreaterThan(0)
    })

    test('accept an invitation', async ({ page, reader, invite }) => {
      const { email, path } = await invite('Nordvik AB')
      await page.goto(path)
      await settled(page)
      const lines = await reader.screen('the invitation')
      expect(lines.join('\n')).toContain('Nordvik AB')
      expect(lines.join('\n')).toContain(reader.t('email'))
      await page.getByRole('button', { name: reader.t('acceptInvitation') }).click()
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await reader.screen('fields that are empty')
      expect(email).toBeTruthy()
    })

    test('see the own services', async ({ page, reader, signIn }) => {
      await signIn(people.user)
      await page.goto('/')
      await settled(page)
      const lines = await reader.screen('the overview')
      for (const service of ['Bokning', 'Journal'])
        expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^link "${service}`)))
      await page.getByRole('button', { name: reader.t('accountMenuName', { name: 'Emil' }) }).click()
      await page.getByRole('menu').waitFor()
      await reader.screen('the account menu')
    })

    test('change the own account', async ({ page, reader, personOf, signIn }) => {
      await signIn(await personOf('Nordvik AB'))
      await page.goto('/account')
      await settled(page)
      await reader.screen('the own details')
      await page.getByRole('textbox', { name: reader.t('firstName') }).fill('')
      await page.getByRole('button', { name: reader.t('save'), exact: true }).click()
      await expect(page.locator('[aria-invalid=true]')).toBeVisible()
      await reader.screen('a name that is missing')
      await page.getByRole('textbox', { name: reader.t('firstName') }).fill('Ninni')
      await page.keyboard.press('Enter')
      await expect(page.getByText(reader.t('updated'))).toBeVisible()
      await expect.poll(() => reader.announced().join()).toContain(reader.t('updated'))
    })

    test('invite a colleague', async ({ page, reader, signIn }) => {
      await signIn(people.admin)
      await page.goto('/user-administration')
      await settled(page)
      const list = await reader.screen('the people')
      expect(list).toContainEqual(expect.stringMatching(/^table "/))
      await page.getByRole('link', { name: reader.t('inviteUser') }).click()
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused()
      const dialog = await reader.screen('the invitation')
      expect(dialog).toContainEqual(expect.stringContaining(`dialog "${reader.t('inviteUser')}"`))
      await page.keyboard.press('Control+Enter')
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await reader.screen('an address that is missing')
    })

    test('look after a colleague', async ({ page, reader, signIn }) => {
      await signIn(people.admin)
      await page.goto('/user-administration')
      await settled(page)
      await page.getByRole('rowheader').getByRole('link').first().click()
      await page.getByRole('dialog').getByRole('tab').first().waitFor()
      await settled(page)
      const details = await reader.screen('the person')
      expect(details.filter((line) => line.startsWith('tab ')).length).toBeGreaterThan(1)
      for (const tab of (await page.getByRole('dialog').getByRole('tab').all()).slice(1)) {
        await tab.click()
        await settled(page)
        await reader.screen(`the tab ${await tab.textContent()}`)
      }
    })

    test('read the audit log', async ({ page, reader, signIn }) => {
      await signIn(people.superUser)
      await page.goto('/audit-events')
      await settled(page)
      const log = await reader.screen('the log')
      expect(log.filter((line) => line.startsWith('columnheader ')).length).toBeGreaterThan(2)
      await page.getByRole('table').getByRole('rowheader').first().click()
      await page.getByRole('dialog').waitFor()
      await settled(page)
      await reader.screen('an event')
    })
  })
