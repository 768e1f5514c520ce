import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, signInByHand, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('after ten minutes a dangerous change asks for the password over its dialog, keeps what was typed, and goes on', {
  tag: '@main',
}, async ({ page, database }) => {
  // A session of its own, which this test may age.
  await signInByHand(page, people.superUser)
  const email = `confirmed-${process.pid}@dialog.example`
  const person = { email, firstName: 'Rut', lastName: 'Provsson', loginMethod: 'local' }
  const passwords = { password: 'Demo-password-1', confirmNewPassword: 'Demo-password-1' }
  const { accountId } = await api(page, 'POST', '/api/users', { ...person, ...passwords })
  await database.ageSession(page, 11)

  await page.goto(`/users/${accountId}`)
  const form = page.getByRole('dialog', { name: /Rut Provsson/ })
  await form.getByRole('textbox', { name: t('lastName') }).fill('Provsdotter')
  await form.getByRole('textbox', { name: t('phoneNumber') }).fill('+46701740608')
  await form.getByRole('button', { name: t('save') }).click()
  const question = page.getByRole('dialog', { name: t('confirmItIsYou') })
  const password = question.locator('input[name=password]')
  await expect(password).toBeFocused()
  await expectAccessible(page)

  await test.step('and a wrong password is said at its field', async () => {
    await password.fill('Wrong-password-1')
    await page.keyboard.press('Enter')
    await expect(password).toHaveAccessibleDescription(t('wrongPassword'))
  })
  await test.step('and who does not want to is back where they were', async () => {
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(form.getByRole('textbox', { name: t('lastName') })).toHaveValue('Provsdotter')
    await form.getByRole('button', { name: t('save') }).click()
  })
  await password.fill('Demo-password-1')
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(page.getByText('Ändringarna är sparade')).toBeVisible()
  const saved = await api(page, 'GET', `/api/users/${accountId}/organization/-/service/-`)
  expect(saved).toMatchObject({ lastName: 'Provsdotter', phoneNumber: '+46701740608' })

  await test.step('a file is downloaded after a proof, too', async () => {
    await database.ageSession(page, 11)
    await page.goto('/users')
    const downloads = page.waitForEvent('download')
    await page.getByRole('link', { name: t('exportUsers') }).click()
    await password.fill('Demo-password-1')
    await page.keyboard.press('Enter')
    const file = await downloads
    expect(file.suggestedFilename()).toMatch(/csv$/)
    // Wait for the download: a browser that closes during it leaves a partial file in the working folder.
    await file.path()
  })
})
