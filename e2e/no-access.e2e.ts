import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, getUp, test } from './fixtures.ts'
import { followInside } from './follow-inside.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

// Who may call what is tested in test/access.test.ts: these are the links that a person does not see, and what the addresses
// of the screens show.

const link = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name })

async function expectNoAccess(page: Page, path: string) {
  await followInside(page, path)
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { level: 1, name: t('noAccess') })).toBeVisible()
  await expect(page.getByRole('main').getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('main').locator('iframe')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** The first organisation of the signed-in user. */
async function ownOrganization(page: Page): Promise<string> {
  const me = await api<{ accountId: string }>(page, 'GET', '/api/me')
  const [own] = await api<{ organizationId: string }[]>(page, 'GET', `/api/users/${me.accountId}/organizations`)
  return own?.organizationId ?? ''
}

test('nobody sees links to screens that they may not open, and their addresses say so', async ({ page, signIn }) => {
  const arrive = async (who: string, path: string) => {
    await getUp(page)
    await signIn(who)
    await page.goto(path)
  }
  await test.step('an organisation admin', async () => {
    await arrive(people.admin, '/services')
    await expect(page.getByRole('heading', { level: 1, name: t('noAccess') })).toBeVisible()
    await page.getByRole('button', { name: t('administration') }).click()
    await expect(page.getByRole('menuitem', { name: t('auditEvents') })).toBeVisible()
    const shown = await page.getByRole('menuitem').allTextContents()
    // Other journeys make groups and reviews of Nordvik, which are in the menu from then on.
    expect(shown.filter((one) => one !== t('groups') && one !== t('accessReview'))).toEqual([
      t('userAdministration'),
      t('ownOrganization'),
      t('accessRequests'),
      t('auditEvents'),
    ])
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    for (const path of [
      '/services/create',
      '/organization-settings',
      '/organization-settings/create',
      '/saml-configuration',
      '/saml-configuration/create',
      '/saml-configuration/1',
      '/email-templates',
      '/users',
    ])
      await expectNoAccess(page, path)
    await page
      .getByRole('main')
      .getByRole('link', { name: t('goHome') })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Astrid' }) })).toBeVisible()
  })
  await test.step('a service admin', async () => {
    await arrive(people.user, '/audit-events')
    await expect(page.getByRole('heading', { level: 1, name: t('noAccess') })).toBeVisible()
    await expect(link(page, t('userAdministration'))).toBeVisible()
    await expect(page.getByRole('button', { name: t('administration') })).toHaveCount(0)
    const organizationId = await ownOrganization(page)
    await expectNoAccess(page, `/user-administration/import/${organizationId}`)
    await followInside(page, `/user-administration/invite/${organizationId}`)
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(t('forbidden'))
    await expectAccessible(page)
  })
  await test.step('a person who administers nothing', async () => {
    await arrive(people.both, '/user-administration')
    await expect(page.getByRole('heading', { level: 1, name: t('noAccess') })).toBeVisible()
    await expect(link(page, t('userAdministration'))).toHaveCount(0)
    const organizationId = await ownOrganization(page)
    for (const child of ['invite', 'import'])
      await expectNoAccess(page, `/user-administration/${child}/${organizationId}`)
  })
})
