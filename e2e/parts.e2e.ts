import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { t } from './texts.ts'

test('an admin names who looks after a group and a service; they find it, and put a colleague in it', async ({
  page,
  signIn,
  database,
}) => {
  const name = `Delarna ${process.pid}`
  const address = (who: string) => `${who}-${process.pid}@delarna.example`
  const [admin, colleague, leader] = [address('adam'), address('kim'), address('lena')]
  await database.addTeam({ name, admins: [admin, colleague], member: leader })
  const serviceId = await database.offerRequestable(name, `Mätare ${process.pid}`)
  await signIn(admin)
  const { accountId = '' } = await api(page, 'GET', '/api/me')
  const [own] = await api<{ organizationId: string }[]>(page, 'GET', `/api/users/${accountId}/organizations`)
  const { groupId = '' } = await api(page, 'POST', '/api/groups', {
    ...{ organizationId: own?.organizationId, name: 'Mätareet', services: [{ serviceId }] },
  })

  const dialog = page.getByRole('dialog').last()
  await test.step('both are named by address, on the page of the group and of the service', async () => {
    await page.goto(`/groups/${groupId}`)
    await page.getByRole('button', { name: t('nameGroupAdmin') }).click()
    await dialog.getByRole('textbox', { name: t('email') }).fill(leader)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('save') }).click()
    await expect(page.getByRole('listitem').filter({ hasText: leader })).toBeVisible()
    await expectNoSideways(page)
    await page.goto(`/user-administration?tab=${serviceId}`)
    await page.getByRole('button', { name: t('nameServiceOwner') }).click()
    await dialog.getByRole('textbox', { name: t('email') }).fill(leader)
    await dialog.getByRole('button', { name: t('save') }).click()
    await expect(page.getByRole('listitem').filter({ hasText: leader })).toBeVisible()
    await expectAccessible(page)
  })

  await page.context().clearCookies()
  await signIn(leader)
  await test.step('who looks after the group sees it, and puts a colleague in it', async () => {
    await page.goto('/groups')
    await page.getByRole('link', { name: 'Mätareet' }).click()
    await expect(page.getByText(t('groupEmpty'))).toBeVisible()
    await expect(page.getByRole('link', { name: t('editGroup') })).toBeHidden()
    await page.getByRole('button', { name: t('addPersonToGroup') }).click()
    await dialog.getByRole('textbox', { name: t('email') }).fill(colleague)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('addPersonToGroup') }).click()
    await expect(page.getByRole('row').filter({ hasText: colleague })).toContainText(t('groupByHand'))
  })

  await test.step('the service has its people, among them the colleague, on a page of its own', async () => {
    await page.goto('/user-administration')
    await expect(page.getByRole('row').filter({ hasText: colleague })).toBeVisible()
    await expect(page.getByRole('button', { name: t('nameServiceOwner') })).toBeHidden()
  })
})
