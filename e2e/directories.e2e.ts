import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('an organisation connects its directory, and sees what it sends', async ({ page, signIn, request }) => {
  await signIn(people.superUser)
  const { organizationId } = await api(page, 'POST', '/api/organizations', { name: 'Katalog AB', loginMethod: 'local' })
  await page.goto(`/organization-directory/${organizationId}`)
  await expect(page.getByText(t('scimNoTokens'))).toBeVisible()

  await page.getByRole('button', { name: t('scimCreateToken') }).click()
  await page.getByRole('textbox', { name: t('scimTokenName') }).fill('Entra ID')
  await page.getByRole('button', { name: t('create') }).click()
  await expect(page.getByText(t('scimTokenOnce'))).toBeVisible()
  const token = await page
    .getByRole('dialog')
    .getByRole('textbox', { name: t('scimToken') })
    .inputValue()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('close') })
    .last()
    .click()
  await expect(page.getByRole('row', { name: /Entra ID/ })).toBeVisible()

  const headers = { authorization: `Bearer ${token}` }
  const userName = 'vilja@elsewhere.example'
  const added = await request.post('/scim/v2/Users', { headers, data: { userName, favouriteColour: 'blue' } })
  expect(added.status()).toBe(201)
  await page.reload()
  const row = page.getByRole('row', { name: new RegExp(userName) })
  await expect(row).toContainText(t('scimDeedInvited'))
  await expect(row).toContainText(`favouriteColour: ${t('scimReasonUnknown')}`)

  await page.getByRole('button', { name: t('createSetupLink') }).click()
  const link = page.getByRole('dialog', { name: t('directoryLinks') })
  await expect(link.getByRole('textbox', { name: t('setupLink') })).toHaveValue(/\/saml-setup\//)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('setupRevoke') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('setupRevoke') })
    .click()
  await expect(page.getByRole('button', { name: t('setupRevoke') })).toHaveCount(0)

  await page.getByRole('combobox', { name: t('scimGuide') }).selectOption('Okta')
  await expect(page.getByText('SCIM connector base URL')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: t('scimRevokeNamed', { name: 'Entra ID' }) }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('scimRevoke') })
    .click()
  await expect(page.getByText(t('scimNoTokens'))).toBeVisible()
  expect((await request.get('/scim/v2/Users', { headers })).status()).toBe(401)
})
