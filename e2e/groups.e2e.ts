import { expect, getUp, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('an admin makes a group, puts somebody in, finds them by it, and is told what ends with it', async ({
  page,
  signIn,
}) => {
  await getUp(page)
  await signIn(people.regionAdmin)
  const dialog = page.getByRole('dialog').last()

  await test.step('it is created with a service, and opens, because people come next', async () => {
    await page.goto('/groups')
    await page.getByRole('link', { name: t('createGroup') }).click()
    await dialog.getByRole('textbox', { name: t('name') }).fill('Ekonomi')
    await dialog.getByRole('checkbox', { name: 'Bokning' }).check()
    await dialog.getByRole('button', { name: t('create') }).click()
    await expect(page.getByRole('heading', { name: 'Ekonomi' })).toBeVisible()
    await expect(page.getByText(t('groupEmpty'))).toBeVisible()
  })

  await test.step('people are found and put in', async () => {
    await page.getByRole('button', { name: t('addToGroup') }).click()
    await dialog.getByRole('searchbox').fill('agnes.alm@alvdal')
    await dialog.getByRole('checkbox', { name: /Agnes Alm/ }).check()
    await dialog.getByRole('button', { name: t('addToGroupCount_one', { count: 1 }) }).click()
    await expect(page.getByRole('row').filter({ hasText: 'agnes.alm@alvdal' })).toContainText(t('groupByHand'))
  })

  await test.step('the dialog of the person says so, and the list is filtered by it', async () => {
    await page.goto('/user-administration')
    await page.getByRole('button', { name: t('filter') }).click()
    await page.getByRole('combobox', { name: t('group') }).selectOption({ label: 'Ekonomi' })
    await expect(page.getByRole('row').filter({ hasText: '@' })).toHaveCount(1)
    await page.getByRole('link', { name: 'Agnes' }).click()
    await dialog.getByRole('tab', { name: t('permissions') }).click()
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Ekonomi' })).toContainText('Bokning')
  })

  await test.step('before it is deleted, it names who loses what', async () => {
    await page.goto('/groups')
    await page.getByRole('link', { name: 'Ekonomi' }).click()
    await page.getByRole('link', { name: t('editGroup') }).click()
    await dialog.getByRole('button', { name: t('delete') }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(t('deleteGroupText_one', { count: 1 }))
    await question.getByRole('button', { name: t('delete') }).click()
    await expect(page.getByText(t('noGroups'))).toBeVisible()
  })
})
