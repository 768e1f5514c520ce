import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

/** Counted from today's date in Sweden: the clock there changes in between. */
function inDays(days: number): string {
  const day = new Date(new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Stockholm' }))
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

test('somebody gets a last day; the list and the person say so, and one click extends it', async ({ page, signIn }) => {
  await signIn(people.superUser)
  const name = `Konsultbolaget ${process.pid}`
  const email = `konsult-${process.pid}@dialog.example`
  const { organizationId = '' } = await api(page, 'POST', '/api/organizations', {
    name,
    loginMethod: 'local',
    services: [],
  })
  const { accountId = '' } = await api(page, 'POST', '/api/users', {
    ...{ email, firstName: 'Kim', lastName: 'Konsult', loginMethod: 'local' },
    ...{ password: 'Demo-password-1', confirmNewPassword: 'Demo-password-1' },
    organizations: [{ organizationId, userRole: 'regular' }],
  })
  const dialog = page.getByRole('dialog')
  const lastDay = dialog.getByLabel(`${t('membership')}: sista dag`)
  await page.goto(`/users/${accountId}`)
  await dialog.getByRole('tab', { name: t('permissions') }).click()
  await expect(lastDay).toBeHidden()
  await dialog.getByText(t('period')).click()
  await lastDay.fill(inDays(5))
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('save') }).click()
  await expect(page.getByText('Ändringarna är sparade')).toBeVisible()
  await page.goto(`/users?searchQuery=${email}&status=accessEnds`)
  await expect(page.getByRole('row', { name: email })).toContainText('Till och med')
  await page.getByRole('link', { name: /Kim/ }).click()
  await expect(dialog).toContainText('Sista dagen med tillgång är')
  await expectNoSideways(page)
  await dialog.getByRole('button', { name: t('extendAccess') }).click()
  await expect(page.getByText(t('accessExtended'))).toBeVisible()
  await expect(dialog).not.toContainText('Sista dagen med tillgång är')
  await dialog.getByRole('tab', { name: t('permissions') }).click()
  await expect(lastDay).toHaveValue(inDays(180))

  // A role beside the membership ends by itself, and goes on by the same click.
  const ownRoles = `/api/users/${accountId}/organization/${organizationId}/roles`
  await api(page, 'POST', ownRoles, { roles: [{ role: 'reader', validUntil: inDays(3) }] })
  await page.reload()
  await expect(dialog).toContainText('Sista dagen med tillgång är')
  await dialog.getByRole('button', { name: t('extendAccess') }).click()
  await expect(page.getByText(t('accessExtended'))).toBeVisible()
  await expect(dialog).not.toContainText('Sista dagen med tillgång är')
})
