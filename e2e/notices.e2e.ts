import { expectAccessible } from './accessibility.ts'
import { expect, getUp, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a super user writes a notice, the organisation reads it, and it is gone once it is deleted', async ({
  page,
  signIn,
}) => {
  const as = async (who: string, path: string) => {
    await getUp(page)
    await signIn(who)
    await page.goto(path)
  }
  const text = 'Journalen är stängd i kväll.'
  await as(people.superUser, '/notices/create')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t('noticeText') }).fill(text)
  await dialog.getByRole('combobox', { name: t('noticeFor') }).selectOption({ label: 'Havsvik Bank AB' })
  await dialog.getByRole('button', { name: t('create') }).click()
  await expect(page.getByRole('row').filter({ hasText: text })).toContainText('Havsvik Bank AB')

  await as(people.user, '/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await expect(page.getByText(text)).toHaveCount(0)

  await as(people.superUser, '/notices')
  await page.getByRole('link', { name: text }).click()
  await expect(dialog.getByRole('combobox', { name: t('noticeFor') })).toHaveValue(/./)
  await dialog.getByRole('combobox', { name: t('noticeFor') }).selectOption({ label: 'Nordvik AB' })
  await dialog.getByRole('button', { name: t('save') }).click()
  await expect(dialog).toHaveCount(0)

  await as(people.user, '/')
  await expect(page.getByRole('list', { name: t('notices') })).toContainText(text)
  await expectAccessible(page)

  await as(people.superUser, '/notices')
  await page.getByRole('link', { name: text }).click()
  await dialog.getByRole('button', { name: t('delete') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('delete') })
    .click()
  await expect(page.getByText(t('noNotices'))).toBeVisible()
})
