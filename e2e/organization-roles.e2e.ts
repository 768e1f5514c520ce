import { expect, getUp, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('an admin makes a role in words, gives it to a person for a time, and an auditor finds nothing to change', async ({
  page,
  signIn,
}) => {
  const dialog = page.getByRole('dialog').last()
  const named = { person: 'Cecilia Olofsson', name: 'Nordvik AB' }
  await signIn(people.admin)

  await test.step('the role is made on the page that a person leads to', async () => {
    await page.goto('/user-administration?searchQuery=cecilia.olofsson@nordvik')
    await page.getByRole('link', { name: 'Cecilia' }).click()
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await dialog.getByText(t('moreRoles'), { exact: true }).click()
    await dialog.getByRole('button', { name: t('moreRolesNamed', named) }).click()
    await dialog.getByRole('link', { name: t('aboutRoles') }).click()
    await page.getByRole('link', { name: t('createOrganizationRole') }).click()
    await dialog.getByRole('button', { name: t('create') }).click()
    await expect(dialog.getByText(t('choosePermission')).first()).toBeVisible()
    await dialog.getByRole('textbox', { name: t('roleName') }).fill('Receptionist')
    await dialog.getByRole('checkbox', { name: t('permissionInvitePeople') }).check()
    await expect(dialog.getByRole('checkbox', { name: t('permissionReadPeople') })).toBeChecked()
    await dialog.getByRole('button', { name: t('create') }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Receptionist' })).toContainText(t('permissionInvitePeople'))
  })

  await test.step('and given, with a last day', async () => {
    await page.goto('/user-administration?searchQuery=cecilia.olofsson@nordvik')
    await page.getByRole('link', { name: 'Cecilia' }).click()
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await dialog.getByText(t('moreRoles'), { exact: true }).click()
    await dialog.getByRole('button', { name: t('moreRolesNamed', named) }).click()
    const roles = page.getByRole('dialog', { name: t('moreRolesNamed', named) })
    await roles.getByRole('checkbox', { name: 'Receptionist' }).check()
    await roles.getByLabel(t('lastDay')).fill('2099-12-31')
    await roles.getByRole('button', { name: t('save') }).click()
    await expect(roles).toHaveCount(0)
    await expect(dialog.getByText('Receptionist')).toBeVisible()
    await page.goto('/user-administration?searchQuery=nordvik')
    await page.getByRole('button', { name: t('filter') }).click()
    await page.getByRole('combobox', { name: t('role') }).selectOption({ label: 'Receptionist' })
    const row = page.getByRole('row').filter({ hasText: 'cecilia.olofsson@nordvik' })
    await expect(row.getByText('Receptionist')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
  })

  await test.step('an auditor reads people, one person and the log, without a button that changes something', async () => {
    await getUp(page)
    await signIn(people.auditor)
    await page.goto('/user-administration?searchQuery=admin@alvdal')
    await page.getByRole('link', { name: 'Elsa' }).click()
    await expect(dialog.getByRole('heading', { name: 'Elsa Hedlund' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: t('save') })).toHaveCount(0)
    await expect(dialog.locator('input:not([readonly]), textarea, select')).toHaveCount(0)
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await expect(dialog.getByRole('combobox')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('link', { name: t('inviteUser') })).toHaveCount(0)
    await expect(page.getByRole('checkbox', { name: /Elsa/ })).toHaveCount(0)
  })

  await test.step('nothing is asked of the auditor, who reads the rules without a form', async () => {
    await page.goto('/my-organization')
    await page.getByRole('link', { name: t('signInRules') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('signInRules') })).toBeVisible()
    await expect(page.getByText(t('signInRulesNone'))).toBeVisible()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: t('services'), exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: t('todoTitle') })).toHaveCount(0)
  })
})
