import type { Page } from '@playwright/test'
import { fromBase32, stepAt, totp } from '../server/credentials/factors/totp.ts'
import { demoAppSecret } from '../server/demo/demo-data.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { demoPassword, people } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { t } from './texts.ts'

let database: PortalDatabase
test.beforeAll(async () => {
  database = await openPortalDatabase()
})
test.afterAll(() => database?.close())

const password = (page: Page) => page.locator('input[name=password]')
const code = (page: Page) => page.getByLabel(t('code'), { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const hello = (page: Page) => page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Birgit' }) })
/** The code of the next step: the present one may have been used by the last try. */
const codeOf = (secret: string, later = 0) => totp(fromBase32(secret), stepAt(new Date()) + later)

async function goToCode(page: Page) {
  await page.goto('/')
  await page.locator('input[type=email]').fill(people.withApp)
  await page.keyboard.press('Enter')
  await expect(button(page, t('continue'))).toBeVisible()
  await password(page).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(code(page)).toBeFocused()
}

test('a person signs in with an app, keeps recovery codes, and changes the app', async ({ page }) => {
  let recoveryCode = ''
  let secondCode = ''

  await test.step('the app is asked for first, and the other ways are a click away', async () => {
    await goToCode(page)
    await expect(page.getByText(t('codeFromApp'))).toBeVisible()
    await expect(button(page, t('sendByEmail'))).toBeVisible()
    await expect(button(page, t('sendNewCode'))).toHaveCount(0)
    await expectAccessible(page)
    await code(page).pressSequentially(codeOf(demoAppSecret))
    await expect(hello(page)).toBeVisible()
  })

  await test.step('recovery codes are shown once, to be saved as a file', async () => {
    await page.goto('/account')
    await button(page, t('createRecoveryCodes')).click()
    const dialog = page.getByRole('dialog', { name: t('recoveryCodesTitle') })
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await expectAccessible(page)
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, t('saveAsFile')).click()])
    expect(download.suggestedFilename()).toBe(`${t('recoveryCodes')}.txt`)
    recoveryCode = (await dialog.getByRole('listitem').first().textContent()) ?? ''
    secondCode = (await dialog.getByRole('listitem').nth(1).textContent()) ?? ''
    await dialog
      .getByRole('button', { name: t('close') })
      .last()
      .click()
    await expect(page.getByText(t('recoveryCodesLeft_other', { count: 10 }))).toBeVisible()
  })

  await test.step('one of them signs in', async () => {
    await page.context().clearCookies()
    await goToCode(page)
    await button(page, t('useRecoveryCode')).click()
    await page.getByLabel(t('recoveryCode'), { exact: true }).fill(recoveryCode.toLowerCase())
    await page.keyboard.press('Enter')
    await expect(hello(page)).toBeVisible()
  })

  await test.step('a lost app is replaced with a recovery code, once the last proof is too old', async () => {
    await page.goto('/account')
    await database.ageSignIns(people.withApp, 11)
    await button(page, t('replaceApp')).click()
    await page
      .getByRole('dialog', { name: t('confirmItIsYou') })
      .locator('input[type=password]')
      .fill(demoPassword)
    await page.keyboard.press('Enter')
    await button(page, t('useRecoveryCode')).click()
    await expectAccessible(page)
    await page.getByLabel(t('recoveryCode'), { exact: true }).fill(secondCode)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: t('addAppTitle') })
    const key = (await dialog.getByLabel(t('addAppKey')).inputValue()).replaceAll(' ', '')
    await code(page).pressSequentially(codeOf(key))
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the app is removed, which offers to sign out other devices, and another one added by its key', async () => {
    await button(page, t('removeApp')).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('removeApp') })
      .click()
    const offer = page.getByRole('alertdialog', { name: t('signOutOtherDevicesTitle') })
    await expect(offer.getByText(t('signOutAfterRemoval'))).toBeVisible()
    await expectAccessible(page)
    await offer.getByRole('button', { name: t('signOut') }).click()
    await expect(page.getByText(t('otherDevicesSignedOut'))).toBeVisible()
    await button(page, t('addApp')).click()
    const dialog = page.getByRole('dialog', { name: t('addAppTitle') })
    await expect(dialog.getByRole('img', { name: t('addAppQrCode') })).toBeVisible()
    await expectAccessible(page)
    const key = (await dialog.getByLabel(t('addAppKey')).inputValue()).replaceAll(' ', '')
    await code(page).pressSequentially(codeOf(key))
    await expect(dialog).toHaveCount(0)
    await expect(button(page, t('removeApp'))).toBeVisible()
  })
})
