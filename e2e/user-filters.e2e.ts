import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const rows = (page: Page) => page.getByRole('main').getByRole('rowheader')
const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name })
const chips = (page: Page) => page.getByRole('list', { name: t('filtersInForce') }).getByRole('listitem')
const dialog = (page: Page) => page.getByRole('dialog')

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('filters the list, sees which filters are in force, and takes them away one by one', async ({ page }) => {
    await page.goto('/users?status=nonsense&lastActiveBefore=tomorrow&role=king')
    await expect(rows(page)).toHaveCount(10)
    await expect(chips(page)).toHaveCount(0)
    await button(page, t('filter')).click()
    await page.getByLabel(t('role')).selectOption(t('superUser'))
    await expect(rows(page)).toHaveText([/^Siv /])
    await page.getByLabel(t('userStatus')).selectOption(t('passive'))
    await expect(page.getByText(t('noUsersFiltered'))).toBeVisible()
    await expect(page).toHaveURL('/users?role=superUser&status=passive')
    await expectAccessibleInBothThemes(page)
    await page
      .getByRole('button', { name: t('removeFilter', { filter: `${t('userStatus')}: ${t('passive')}` }) })
      .click()
    await expect(rows(page)).toHaveText([/^Siv /])
    await page.reload()
    await expect(rows(page)).toHaveText([/^Siv /])
    await button(page, t('clearFilters')).click()
    await expect(rows(page)).toHaveCount(10)
    await expect(page).toHaveURL('/users')
    await button(page, t('filter')).click()
    await page.getByLabel(t('lastActiveBefore')).fill('2020-01-01')
    await expect(page).toHaveURL('/users?lastActiveBefore=2020-01-01')
  })

  test('chooses columns, which this browser remembers', async ({ page }) => {
    const header = page.getByRole('columnheader', { name: t('loginMethod') })
    await page.goto('/users?searchQuery=admin@nordvik.example')
    await expect(rows(page)).toHaveCount(1)
    await expect(header).toHaveCount(0)
    await button(page, t('columns')).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: t('loginMethod') }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: t('email') }).press('Enter')
    await page.keyboard.press('Escape')
    await expect(button(page, t('columns'))).toBeFocused()
    await expect(header).toBeVisible()
    await page.reload()
    await expect(header).toBeVisible()
    await expect(page.getByRole('columnheader', { name: t('email') })).toHaveCount(0)
    await expect(page.getByRole('row', { name: 'Astrid' })).toContainText(t('roleOrganizationAdmin'))
  })

  test('acts on a selection of several pages, sees what becomes of each, and exports the list', async ({ page }) => {
    const word = `urval${process.pid}`
    const { organizationId } = await api<{ organizationId: string }>(page, 'POST', '/api/organizations', {
      name: `${word} AB`,
      loginMethod: 'local',
    })
    for (let number = 0; number < 11; number++)
      await api(page, 'POST', '/api/users', {
        email: `${word}.${number}@urval.example`,
        firstName: '=1+1',
        lastName: `Nummer ${number}`,
        loginMethod: 'local',
        password: 'Resan-till-7-havet',
        confirmNewPassword: 'Resan-till-7-havet',
        organizations: [{ organizationId, userRole: 'regular' }],
      })
    await api(page, 'POST', '/api/invites', { email: `${word}.bjuden@urval.example`, organizationId })
    await page.goto(`/users?organizationId=${organizationId}`)
    await expect(rows(page)).toHaveCount(10)
    await expect(chips(page).first()).toHaveText(`${t('organization')}: ${word} AB`)
    await page.getByRole('checkbox', { name: t('selectPage') }).check()
    await page.getByRole('link', { name: t('nextPage') }).click()
    await expect(rows(page)).toHaveCount(2)
    await page.getByRole('checkbox', { name: t('selectPage') }).check()
    await button(page, t('selectionActions')).press('Enter')
    await page.getByRole('menuitem', { name: t('updateLastActive') }).press('Enter')
    await expect(dialog(page).getByRole('status')).toContainText(`${t('bulkIncluded')}: 11`)
    await expect(dialog(page).getByRole('row', { name: `${word}.bjuden` })).toContainText(t('bulkInvited'))
    await expectAccessible(page)
    await dialog(page)
      .getByRole('button', { name: t('updateLastActive') })
      .click()
    await expect(dialog(page).getByRole('status')).toContainText(`${t('bulkDone')}: 11`)
    await dialog(page)
      .getByRole('button', { name: t('close') })
      .last()
      .click()
    await expect(button(page, t('selectionActions'))).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await page.setViewportSize(narrow)
    await page.goto(`/users?organizationId=${organizationId}&status=pending`)
    await page.getByRole('checkbox', { name: t('selectPerson', { name: `${word}.bjuden@urval.example` }) }).check()
    await expectNoSideways(page)
    await expectAccessible(page)
    await button(page, t('selectionActions')).click()
    await page.getByRole('menuitem', { name: t('removeFromOrganization') }).click()
    await dialog(page)
      .getByRole('button', { name: t('removeFromOrganization') })
      .click()
    await expect(dialog(page).getByRole('status')).toContainText(`${t('bulkDone')}: 1`)
    await dialog(page)
      .getByRole('button', { name: t('close') })
      .last()
      .click()
    await expect(page.getByText(t('noUsersFiltered'))).toBeVisible()

    await page.goto(`/users?organizationId=${organizationId}`)
    await button(page, t('filter')).click()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('link', { name: t('exportUsers') }).click()
    const file = await downloaded
    expect(file.suggestedFilename()).toContain(`${word} AB`)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(12)
    expect(lines[1]).toContain(`${word}.0@urval.example;'=1+1;Nummer 0;`)
  })
})
