import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, getUp, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a super user declares a role of a service, and an admin gives it to a person and to several', async ({
  page,
  signIn,
}) => {
  const as = async (who: string, path: string) => {
    await getUp(page)
    await signIn(who)
    await page.goto(path)
  }
  await as(people.superUser, '/services')
  const services = await api<{ serviceId: string; name: string }[]>(page, 'GET', '/api/services')
  const { serviceId = '' } = services.find(({ name }) => name === 'Bokning') ?? {}
  const dialog = page.getByRole('dialog').last()

  await test.step('it is created from the page that the dialog of the service leads to', async () => {
    await page.goto(`/services/${serviceId}`)
    await page.getByRole('link', { name: t('openServiceRoles') }).click()
    await expect(page.getByText(t('serviceRolesNone'))).toBeVisible()
    await page.getByRole('link', { name: t('createServiceRole') }).click()
    await dialog.getByRole('textbox', { name: t('roleNameSv') }).fill('Lokalvärd')
    await dialog.getByRole('textbox', { name: t('roleKey') }).fill('host')
    await dialog.getByRole('button', { name: t('create') }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Lokalvärd' })).toContainText('host')
    await page.getByRole('link', { name: 'Lokalvärd' }).click()
    await dialog.getByRole('spinbutton', { name: t('maxPeople') }).fill('1')
    await dialog.getByRole('button', { name: t('save') }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Lokalvärd' }).getByRole('cell', { name: '1' })).toBeVisible()
  })

  await test.step('a file declares all roles at once, after it has said what it does', async () => {
    await page.goto(`/services/${serviceId}/roles`)
    const address = await page.getByRole('link', { name: t('rolesExport') }).getAttribute('href')
    const { roles } = await (await page.request.get(`/api/services/${serviceId}/roles`)).json()
    const exported = decodeURIComponent(String(address).slice(String(address).indexOf(',') + 1))
    expect(JSON.parse(exported)).toEqual({ roles })
    await page.getByRole('link', { name: t('rolesImport') }).click()
    const choose = (list: object) =>
      dialog.locator('input[type=file]').setInputFiles({
        ...{ name: 'roles.json', mimeType: 'application/json' },
        buffer: Buffer.from(JSON.stringify(list)),
      })
    await choose({ roles: [...roles, { key: 'cleaner' }, { key: 'host', nameSv: 'Värd' }] })
    await expect(dialog.getByRole('alert')).toContainText(
      `${t('rolesImportRowNamed', { row: 2, key: 'cleaner' })}, ${t('roleNameSv')}: ${t('required')}`,
    )
    await expectAccessible(page)
    await choose({
      roles: [
        { ...roles[0], nameEn: 'Host' },
        { key: 'cleaner', nameSv: 'Städare' },
      ],
    })
    await expect(dialog.getByRole('row').filter({ hasText: 'Städare' })).toContainText(t('rolesImportAdded'))
    await expect(dialog.getByRole('row').filter({ hasText: 'Lokalvärd' })).toContainText(
      t('rolesImportChanged', { fields: t('roleNameEn') }),
    )
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('rolesImport') }).click()
    await expect(page.getByText(t('rolesImportDone')).first()).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Städare' })).toContainText('cleaner')
  })

  await test.step('an admin gives it in the dialog of a person', async () => {
    await as(people.admin, '/user-administration?searchQuery=user@nordvik')
    await page.getByRole('link', { name: 'Emil' }).click()
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await dialog
      .getByRole('button', { name: t('rolesInServiceNamed', { name: 'Bokning', organization: 'Nordvik AB' }) })
      .click()
    const roles = page.getByRole('dialog', {
      name: t('rolesInServiceNamed', { name: 'Bokning', organization: 'Nordvik AB' }),
    })
    await roles.getByRole('checkbox', { name: 'Lokalvärd' }).check()
    await roles.getByText(t('period'), { exact: true }).click()
    await roles.getByLabel(`Lokalvärd: ${t('lastDay').toLocaleLowerCase()}`).fill('2099-12-31')
    await expectAccessible(page)
    await roles.getByRole('button', { name: t('save') }).click()
    await expect(roles).toHaveCount(0)
    await expect(page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Lokalvärd (– 31' })).toBeVisible()
  })

  await test.step('in bulk, the people beyond the limit are named before anything happens', async () => {
    await page.goto('/user-administration?searchQuery=admin@nordvik')
    await page.getByRole('checkbox', { name: /Astrid/ }).check()
    await page.getByRole('button', { name: t('selectionActions') }).click()
    await page.getByRole('menuitem', { name: t('bulkAssignRole') }).click()
    await dialog.getByRole('combobox', { name: t('role') }).selectOption({ label: 'Lokalvärd' })
    await expect(dialog).toContainText(t('serviceRoleFull'))
  })
})
