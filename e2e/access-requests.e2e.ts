import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, getUp } from './fixtures.ts'
import { test } from './invited.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a member asks for a service, is refused with a reason, asks again and gets it', async ({
  page,
  signIn,
  database,
  newPerson,
}) => {
  const email = await newPerson()
  const service = `Stämpelklocka ${process.pid}`
  const serviceId = await database.offerRequestable('Nordvik AB', service)
  const names = { person: 'Nina Nyström', service }
  const as = async (who: string, path: string) => {
    await getUp(page)
    await signIn(who)
    await page.goto(path)
  }

  await as(email, `/launch/${serviceId}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('noAccessToService', { name: service }))
  await page.goto('/launch/01900000-0000-7000-8000-00000000dead')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('noSuchService'))
  await page.goto('/')
  const card = page.getByRole('listitem').filter({ hasText: service })
  await card.getByRole('button', { name: t('requestAccessTo', { name: service }) }).click()
  await expect(card.getByRole('button', { name: t('accessRequested') })).toBeVisible()
  await expectAccessible(page)

  await as(people.admin, '/access-requests')
  await page.getByRole('button', { name: t('refuseAccessTo', names) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t('refusalReason') }).fill('Börjar först i maj')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('refuse') }).click()
  await expect(page.getByRole('button', { name: t('refuseAccessTo', names) })).toHaveCount(0)

  await as(email, '/')
  await expect(card).toContainText(t('accessRefused', { reason: 'Börjar först i maj' }))
  await card.getByRole('button', { name: t('requestAgain') }).click()
  await expect(card.getByRole('button', { name: t('accessRequested') })).toBeVisible()

  await as(people.admin, '/access-requests')
  await page.getByRole('button', { name: t('giveAccessTo', names) }).click()
  await expect(page.getByText(t('accessGiven', names))).toBeVisible()

  await as(email, '/')
  await expect(page.getByRole('list', { name: t('services') }).getByRole('link')).toHaveText([service])
  await as(people.superUser, '/')
  await api(page, 'DELETE', `/api/services/${serviceId}?force=true`)
})
