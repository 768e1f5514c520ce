import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { codeTo, mailsTo } from './outbox.ts'
import { demoPassword, people } from './people.ts'
import { t } from './texts.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function signOut(page: Page): Promise<void> {
  // What the page still asks would lead to the sign-in by itself.
  await page.waitForLoadState('networkidle')
  await page.request.post('/logout', { headers: { 'sec-fetch-site': 'same-origin' }, form: {} })
}

const account = (page: Page) => page.getByRole('heading', { level: 1, name: t('accountSettings') })

async function provePassword(page: Page, email: string) {
  await page.goto('/login?returnTo=/account')
  await page.locator('input[type=email]').fill(email)
  await page.keyboard.press('Enter')
  await expect(button(page, t('continue'))).toBeVisible()
  await page.locator('input[name=password]').fill(demoPassword)
  await page.keyboard.press('Enter')
}

/** Signs in with password and code, and opens the account page. @returns the code */
async function signInStrongly(page: Page, email: string): Promise<string> {
  await provePassword(page, email)
  const code = await codeTo(page.request, email)
  await page.getByLabel(t('code')).fill(code)
  await expect(page.getByRole('heading', { name: t('passkeys') })).toBeVisible()
  return code
}

test('a person adds a passkey, signs in with it, from the button and from autofill, and removes it', {
  tag: '@main',
}, async ({ page }) => {
  const device = await addAuthenticator(page)
  await test.step('adding it', async () => {
    await signInStrongly(page, people.withPasskey)
    await button(page, t('addPasskey')).click()
    await expect(page.getByText(t('passkeyAdded')).first()).toBeVisible()
    await expect(page.getByText(t('passkeyNeverUsed'))).toBeVisible()
    expect((await mailsTo(page.request, people.withPasskey))[0]).toContain('passkey')
    await expectAccessible(page)
  })
  await test.step('without verification nobody gets in, and the page says nothing loud', async () => {
    await signOut(page)
    await device.verifyNobody()
    await page.goto('/login')
    await button(page, t('signInWithPasskey')).click()
    await expect(page.getByText(t('passkeyUnused'))).toBeVisible()
    await expect(button(page, t('signInWithPasskey'))).toBeEnabled()
    await expect(page).toHaveURL(/\/interaction\//)
    await expect(page.getByRole('alert')).toHaveText('')
    await expectAccessible(page)
    // Leaves first: the page offers the passkey in autofill again and again.
    await page.goto('/privacy')
    await device.verifyEverybody()
  })
  await test.step('the button', async () => {
    // Otherwise autofill would answer before the button is pressed.
    await device.answerNever()
    await page.goto('/login?returnTo=/account')
    await device.asked()
    await device.answerAtOnce()
    await button(page, t('signInWithPasskey')).click()
    await expect(page).toHaveURL(/\/account$/)
    await expect(page.getByText(/Senast använd .*Chrome/)).toBeVisible()
  })
  await test.step('autofill', async () => {
    await signOut(page)
    await page.goto('/login?returnTo=/account')
    // Nothing is pressed: the person chose the passkey in the list of the field.
    await expect(account(page)).toBeVisible()
  })
  await test.step('removed here, it is gone from the device, too', async () => {
    const { passkeys } = await (await page.request.get('/api/profile/passkeys')).json()
    await button(page, t('passkeyRemoveNamed', { name: passkeys[0].name })).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('remove'), exact: true })
      .click()
    await expect(page.getByText(t('passkeyRemoved')).first()).toBeVisible()
    await expect.poll(device.keys).toEqual([])
  })
  await test.step('a copy, whose counter went back, lets nobody in and ends the passkey', async () => {
    await button(page, t('addPasskey')).click()
    await expect(page.getByText(t('passkeyAdded')).first()).toBeVisible()
    // The mails about adding and removing may come late.
    const mails = async () =>
      (await mailsTo(page.request, people.withPasskey)).filter((text) => text.includes('spärrades')).length
    const before = await mails()
    await signOut(page)
    await device.turnBack()
    // Autofill answers with the copy.
    await page.goto('/login?returnTo=/account')
    await page.waitForURL(/error=passkeyRefused/)
    await page.goto('/privacy')
    expect((await page.request.get('/api/me')).status()).toBe(401)
    await expect.poll(mails).toBe(before + 1)
  })
})

test('a security key helps after the password, is not added twice, and one that is gone leaves another way', async ({
  page,
  database,
}) => {
  const email = people.withSecurityKey
  const device = await addAuthenticator(page, { hasUserVerification: false })
  const firstCode = await signInStrongly(page, email)
  await button(page, t('addSecurityKey')).click()
  await expect(page.getByText(t('passkeyAdded')).first()).toBeVisible()
  await test.step('who has no recovery codes is offered some', async () => {
    await expect(page.getByRole('alertdialog', { name: t('recoveryCodesOfferTitle') })).toBeVisible()
    await expectAccessible(page)
    await button(page, t('notNow')).click()
  })
  await test.step('the same one again is refused in clear words', async () => {
    await button(page, t('addSecurityKey')).click()
    // It is the strongest factor of the account now.
    const question = page.getByRole('dialog', { name: t('confirmItIsYou') })
    await question.getByRole('button', { name: t('usePasskey'), exact: true }).click()
    await expect(page.getByRole('alert').getByText(t('passkeyExists'))).toBeVisible()
    expect(await device.keys()).toHaveLength(1)
  })
  await test.step('it is the second step', async () => {
    await signOut(page)
    await provePassword(page, email)
    await expect(page.getByText(t('passkeyAsked'))).toBeVisible()
    await button(page, t('usePasskey')).click()
    await expect(account(page)).toBeVisible()
    const me = await (await page.request.get('/api/me')).json()
    expect(me).toMatchObject({ signedInWith: 'passwordAndPasskey' })
  })
  await test.step('once it is gone, the page says so, and a code by mail is one click away', async () => {
    await signOut(page)
    await device.forgetAll()
    await provePassword(page, email)
    await expect(page.getByText(t('passkeyAsked'))).toBeVisible()
    await button(page, t('usePasskey')).click()
    await expect(page.getByText(t('passkeyUnused'))).toBeVisible()
    await expectAccessible(page)
    await database.forgetCodesSent()
    await button(page, t('sendByEmail')).click()
    await page.getByLabel(t('code'), { exact: true }).fill(await codeTo(page.request, email, firstCode))
    await expect(account(page)).toBeVisible()
  })
})

/** What password managers and older browsers make of a key. */
const strangers = {
  'a plain object': () => {
    const plain = (key: Credential | null) => {
      const { id, rawId, type, response } = key as PublicKeyCredential
      const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } =
        response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
      const said = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle, transports: null }
      return { id, rawId, type, response: said, authenticatorAttachment: '' } as unknown as Credential
    }
    const { credentials } = navigator
    const [create, get] = [credentials.create.bind(credentials), credentials.get.bind(credentials)]
    credentials.create = async (options) => plain(await create(options))
    credentials.get = async (options) => plain(await get(options))
  },
  'a key whose toJSON throws': () => {
    PublicKeyCredential.prototype.toJSON = () => {
      throw new TypeError('Illegal invocation')
    }
  },
  'a browser without the conversions': () => {
    const browser = PublicKeyCredential as Partial<typeof PublicKeyCredential>
    delete browser.parseCreationOptionsFromJSON
    delete browser.parseRequestOptionsFromJSON
    delete (browser.prototype as Partial<PublicKeyCredential>).toJSON
  },
}

test('a key of a password manager, or of an older browser, is added, and signs in', async ({ page }) => {
  const device = await addAuthenticator(page)
  await signInStrongly(page, people.withAnyPasskey)
  for (const [stranger, patch] of Object.entries(strangers))
    await test.step(stranger, async () => {
      const script = await page.addInitScript(patch)
      await device.forgetAll()
      await page.goto('/account')
      await button(page, t('addPasskey')).click()
      await expect(page.getByText(t('passkeyAdded')).first()).toBeVisible()
      await signOut(page)
      // Autofill answers.
      await page.goto('/login?returnTo=/account')
      await expect(account(page)).toBeVisible()
      await script.dispose()
    })
})
