import { expectAccessible, expectAccessibleInBothThemes, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, narrow, signInByHand, test } from './fixtures.ts'
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

  const members = [{ value: (await added.json()).id }]
  await request.post('/scim/v2/Groups', { headers, data: { displayName: 'Läkare', members } })
  await page.reload()
  const group = page.getByRole('table', { name: t('scimGroups') }).getByRole('row', { name: /Läkare/ })
  await expect(group).toContainText(t('scimGroupIsNothing'))
  await group.getByRole('button', { name: t('scimGroupDecideNamed', { name: 'Läkare' }) }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: t('scimKindRole') }).check()
  await dialog.getByRole('button', { name: t('save') }).click()
  await expect(dialog.getByRole('combobox', { name: t('role') })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('combobox', { name: t('role') }).selectOption({ label: t('roleReader') })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('save') }).click()
  await expect(group).toContainText(t('scimGroupIsRole', { name: t('roleReader') }))

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

test("somebody who is added in the demo's directory is in the portal's list, and gone from it once disabled there", async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  const configs = await api<{ id: number; name: string }[]>(page, 'GET', '/api/saml-configs')
  const config = await api(page, 'GET', `/api/saml-configs/${configs.find(({ name }) => name === 'Fjällrå')?.id}`)
  const directory = String(config.url).replace(/sso$/, 'directory')
  const email = 'tove.katalog@fjallra.example'
  await page.goto(directory)
  await page.getByLabel('Förnamn', { exact: true }).first().fill('Tove')
  await page.getByLabel('Efternamn', { exact: true }).first().fill('Katalog')
  await page.getByLabel('E-postadress').fill(email)
  await page.getByRole('button', { name: 'Lägg till någon' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Skickat till portalen' })).toContainText(
    'POST /scim/v2/Users Svar: 201',
  )
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize(narrow)
  await expectNoSideways(page)
  const inPortal = await page.getByRole('link', { name: 'Se vad portalen gjorde av det' }).getAttribute('href')
  const organizationId = inPortal?.split('/').at(-1)
  const list = `/users?searchQuery=tove.katalog&organizationId=${organizationId}`
  await page.goto(list)
  await expect(page.getByRole('row', { name: /Tove/ })).toBeVisible()

  await page.goto(directory)
  await page.getByRole('button', { name: 'Inaktivera Tove Katalog' }).click()
  await expect(page.getByRole('button', { name: 'Aktivera Tove Katalog' })).toBeVisible()
  await page.goto(list)
  await expect(page.getByText(t('noUsersFoundFiltered', { searchQuery: 'tove.katalog' }))).toBeVisible()
  await page.goto(String(inPortal))
  await expect(page.getByRole('row', { name: new RegExp(email) }).first()).toContainText(t('scimDeedEnded'))
})

test('removing an admin shows what they have made; a colleague confirms the token that is left', async ({
  page,
  context,
  database,
}) => {
  const [maker, stays] = ['elsa.hallen@nyckelbo.example', 'nils.ek@nyckelbo.example'] as const
  await database.addTeam({ name: 'Nyckelbo AB', admins: [maker, stays], member: 'ida.ros@nyckelbo.example' })
  await signInByHand(page, maker)
  const { accountId = '' } = await api(page, 'GET', '/api/me')
  const [own] = await api<{ organizationId: string }[]>(page, 'GET', `/api/users/${accountId}/organizations`)
  const organizationId = own?.organizationId ?? ''
  const url = `/api/organizations/${organizationId}/directory`
  await api(page, 'POST', `${url}/tokens`, { name: 'Entra ID', days: '365' })
  await api(page, 'POST', `${url}/setup-links`, {})
  await context.clearCookies()
  await signInByHand(page, stays)

  const affected = page.getByText(t('whatTheyMadeIn', { organization: 'Nyckelbo AB' }))
  await page.goto(`/user-administration/${accountId}`)
  await page.getByRole('tab', { name: t('permissions') }).click()
  await page
    .getByRole('combobox', { name: t('roleInOrganization', { name: 'Nyckelbo AB' }) })
    .selectOption({ label: t('roleRegular') })
  await expect(affected).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('removeFromOrganization') }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(t('endsTokens', { names: 'Entra ID' }))
  await expect(question).toContainText(t('endsSetupLinks_one'))
  await expectAccessible(page)
  await question.getByRole('button', { name: t('remove') }).click()
  await expect(question).toHaveCount(0)

  await page.goto(`/organization-directory/${organizationId}`)
  const needs = page.getByText(t('scimUnconfirmed', { name: 'Entra ID' }))
  await expect(needs).toBeVisible()
  await expect(page.getByText(t('scimUnconfirmedText', { maker }))).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize(narrow)
  await expectNoSideways(page)
  await page.getByRole('button', { name: t('scimConfirmNamed', { name: 'Entra ID' }) }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('scimConfirm') })
    .click()
  await expect(needs).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Entra ID/ })).toContainText(maker)
})
