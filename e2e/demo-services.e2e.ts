import { expectAccessibleInBothThemes, expectNoSideways } from './accessibility.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { signInByRequest } from './sign-in-by-request.ts'
import { t } from './texts.ts'

const journal = /:\d+\/journal\/$/

test('one click on a service signs the person in there, and signing out of the portal signs out there', {
  tag: '@main',
}, async ({ page, context }) => {
  // A session of its own, because it ends here.
  const portal = process.env.E2E_URL ?? ''
  const request = await signInByRequest(portal, people.admin)
  await context.addCookies((await request.storageState()).cookies)
  await request.dispose()
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).click()
  await expect(page).toHaveURL(journal)
  const told = page.getByRole('region', { name: 'Det här fick tjänsten veta' })
  for (const fact of ['Astrid Nordin', 'admin@nordvik.example', 'Nordvik AB', 'Administratör', 'amr: pwd'])
    await expect(told).toContainText(fact)
  const service = page.url()
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize(narrow)
  await expectNoSideways(page)

  await page.goto(`${portal}/logout`)
  await page.waitForURL(`${portal}/signed-out`)
  // The portal tells the service without making the person wait for it.
  await expect(page.getByRole('region', { name: t('services') })).toHaveText(`Journal${t('serviceTold')}`, {
    timeout: 10_000,
  })
  expect((await context.request.get(service, { maxRedirects: 0 })).status()).toBe(303)
  await expectAccessibleInBothThemes(page)
  await expectNoSideways(page)
})

test('a person who signs out at a service is signed out of the portal; without the service there is no way in', async ({
  page,
}) => {
  const portal = process.env.E2E_URL ?? ''
  const request = await signInByRequest(portal, people.both)
  await page.context().addCookies((await request.storageState()).cookies)
  await request.dispose()
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).click()
  await expect(page).toHaveURL(journal)
  // A role that the service declares, and that the organisation's admin has given.
  await expect(page.getByRole('region', { name: 'Det här fick tjänsten veta' })).toContainText('Läkare')
  const service = page.url()
  await page.goto(service.replace('/journal/', '/statistik/'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('noAccessToService', { name: 'Statistik' }))

  await page.goto(service)
  await page.getByRole('button', { name: 'Logga ut' }).click()
  // The service's ID token belongs to this session, so the portal does not ask.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Du är utloggad')
  await page.goto('/')
  await page.waitForURL('**/interaction/**')
})
