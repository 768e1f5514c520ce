import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a super user lets a service sign people in, and gives its developer the values', async ({ page, signIn }) => {
  await signIn(people.superUser)
  const name = `Inloggad ${process.pid}`
  const { serviceId = '' } = await api(page, 'POST', '/api/services', { name, url: 'https://inloggad.example' })
  await page.goto(`/services/${serviceId}`)
  const dialog = page.getByRole('dialog', { name: t('editService') })
  const tab = (key: 'signInTab' | 'developersTab' | 'service') => dialog.getByRole('tab', { name: t(key), exact: true })
  await tab('developersTab').click()
  await expect(dialog).toContainText(t('noClientYet'))

  await tab('signInTab').click()
  await dialog.getByRole('radio', { name: t('clientKindWeb') }).check()
  const redirect = dialog.getByRole('textbox', { name: t('redirectUris') })
  await redirect.fill('https://inloggad.example/#callback')
  await dialog.getByRole('button', { name: t('save') }).click()
  await expect(redirect).toHaveAccessibleDescription(new RegExp(t('clientAddressFragment')))
  await redirect.fill('https://inloggad.example/callback')
  await dialog.getByRole('switch', { name: t('pkceRequired') }).uncheck()
  await expect(dialog.getByRole('status')).toContainText(t('pkceOffWarning'))
  await dialog.getByRole('switch', { name: t('pkceRequired') }).check()
  await dialog.getByRole('button', { name: t('save') }).click()

  const secretDialog = page.getByRole('dialog', { name: t('newSecretTitle') })
  const secret = await secretDialog.getByRole('textbox', { name: t('clientSecret') }).inputValue()
  expect(secret).toHaveLength(43)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(secretDialog).toHaveCount(0)
  await expectAccessible(page)

  await dialog.getByRole('button', { name: t('makeSecret') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('makeSecret') })
    .click()
  await expect(secretDialog.getByRole('textbox', { name: t('clientSecret') })).not.toHaveValue(secret)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: t('endOldSecret') }).click()
  await expect(dialog.getByRole('button', { name: t('endOldSecret') })).toHaveCount(0)

  await tab('developersTab').click()
  await expect(dialog.getByRole('textbox', { name: t('clientId') })).toHaveValue(/^inloggad-/)
  await dialog.getByRole('combobox', { name: t('snippet') }).selectOption('Apache (mod_auth_openidc)')
  await expect(dialog).toContainText('OIDCRedirectURI https://inloggad.example/callback')
  await expectAccessible(page)

  await dialog.getByRole('tab', { name: t('tryTab') }).click()
  await dialog.getByRole('button', { name: t('tryIt') }).click()
  await expect(dialog).toContainText(t('tryAdviceNoService'))
  await dialog.getByRole('textbox', { name: t('tryRedirectUri') }).fill('https://inloggad.example/callback/')
  await dialog.getByRole('button', { name: t('tryIt') }).click()
  await expect(dialog).toContainText(t('tryAdviceRedirectUri'))
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await expectNoSideways(page)

  // Without a kind the service is a link again, once that is confirmed.
  await tab('signInTab').click()
  await dialog.getByRole('radio', { name: new RegExp(`^${t('clientKindNone')}`) }).check()
  await dialog.getByRole('button', { name: t('save') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('remove') })
    .click()
  await expect(dialog.getByRole('radio', { name: new RegExp(`^${t('clientKindNone')}`) })).toBeChecked()
  await tab('developersTab').click()
  await expect(dialog).toContainText(t('noClientYet'))
})
