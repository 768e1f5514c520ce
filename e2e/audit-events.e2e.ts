import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t, titled } from './texts.ts'

const table = (page: Page) => page.getByRole('table', { name: t('auditEvents') })
const rows = (page: Page) => table(page).getByRole('rowheader')
/** The name of each event, without what stands beside it. */
const kinds = (page: Page) => rows(page).getByRole('link')
const sorted = (page: Page, column: string) => table(page).getByRole('columnheader', { name: column })

/** Creates and renames a service with a unique name: two events that no other test produces. */
async function renamedService(page: Page): Promise<string> {
  const name = `Granskad ${process.pid}-${Date.now()}`
  const { serviceId = '' } = await api(page, 'POST', '/api/services', { name, url: 'https://before.example' })
  await api(page, 'PUT', '/api/services', { serviceId, name, url: 'https://after.example' })
  return name
}

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('finds who changed an address of a service, and what it was before', { tag: '@main' }, async ({ page }) => {
    const name = await renamedService(page)
    await page.goto('/')
    await page.getByRole('button', { name: t('administration') }).click()
    await page.getByRole('menuitem', { name: t('auditEvents') }).click()
    await expect(page).toHaveTitle(titled(t('auditEvents')))
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('searchbox', { name: t('eventTarget') }).fill(name)
    await expect(kinds(page)).toHaveText([t('eventUpdateService'), t('eventCreateService')])
    await expect(rows(page).first()).toContainText(t('webAddress'))
    await expect(table(page).getByRole('row').filter({ hasText: name }).first()).toContainText('Siv Ledin')
    await page.getByRole('combobox', { name: t('eventKind') }).selectOption({ label: t('eventKindSignIns') })
    await expect(page.getByText(t('noEventsFound'))).toBeVisible()
    await page.getByRole('combobox', { name: t('eventKind') }).selectOption({ label: t('eventKindChanges') })
    await expect(kinds(page)).toHaveText([t('eventUpdateService'), t('eventCreateService')])
    await page.getByRole('combobox', { name: t('eventName') }).selectOption({ label: t('eventUpdateService') })
    await expect(kinds(page)).toHaveText([t('eventUpdateService')])
    await expect(page).toHaveURL(/nameFilter=updateService/)
    await expect(page).toHaveURL(/targetFilter=/)
    await table(page).getByRole('cell', { name }).click()
    const dialog = page.getByRole('dialog', { name: t('eventUpdateService') })
    await expect(dialog).toContainText(people.superUser)
    await expect(dialog.getByRole('row', { name: t('webAddress') })).toContainText('https://before.example')
    await expect(dialog.getByRole('row', { name: t('webAddress') })).toContainText('https://after.example')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(kinds(page)).toHaveText([t('eventUpdateService')])
    await page.getByRole('button', { name: t('clearFilters') }).click()
    await expect(page).toHaveURL('/audit-events')
    await expect(rows(page).first()).toBeVisible()
  })

  test('sees the last 90 days first, the whole log after one click, in any order and on any screen', async ({
    page,
  }) => {
    await test.step('the last 90 days first', async () => {
      const asked = () => page.waitForRequest((request) => new URL(request.url()).pathname === '/api/audit-events')
      const first = asked()
      await page.goto('/audit-events')
      const from = new URL((await first).url()).searchParams.get('from') ?? ''
      expect(Math.round((Date.now() - Date.parse(from)) / (24 * 60 * 60 * 1000))).toBe(90)
      const period = page.getByRole('button', { name: t('removeFilter', { filter: t('eventPeriodQuarter') }) })
      await expectAccessible(page)
      const second = asked()
      await period.click()
      expect(new URL((await second).url()).searchParams.has('from')).toBe(false)
      await expect(page).toHaveURL('/audit-events?period=all')
      await expect(period).toHaveCount(0)
      await expect(rows(page).first()).toBeVisible()
      await page.goto('/audit-events?textFilter=nothing-has-this-text')
      await page.getByRole('button', { name: t('searchWholeLog') }).click()
      await expect(page).toHaveURL(/period=all/)
      await expect(page.getByText(t('noEventsFound'))).toBeVisible()
    })
    await test.step('sorted by a column, ascending first; the newest first until then', async () => {
      await page.goto('/audit-events')
      await expect(sorted(page, t('eventTime'))).toHaveAttribute('aria-sort', 'descending')
      await page.getByRole('button', { name: t('eventActor') }).click()
      await expect(sorted(page, t('eventActor'))).toHaveAttribute('aria-sort', 'ascending')
      await expect(page).toHaveURL('/audit-events?sort=actor&sortDirection=asc')
      await page.getByRole('button', { name: t('eventActor') }).click()
      await expect(sorted(page, t('eventActor'))).toHaveAttribute('aria-sort', 'descending')
    })
    await test.step('nothing matches, and one click clears the filters', async () => {
      await page.goto('/audit-events?actorFilter=nobody-with-this-name&page=7&sort=evil&period=week')
      await expect(page.getByText(t('noEventsFound'))).toBeVisible()
      await expectAccessible(page)
      await page
        .getByRole('main')
        .getByRole('button', { name: t('clearFilters') })
        .last()
        .click()
      await expect(rows(page).first()).toBeVisible()
    })
    await test.step('on a narrow screen', async () => {
      await page.setViewportSize(narrow)
      await expectNoSideways(page)
      await expectAccessible(page)
      await rows(page).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectNoSideways(page)
    })
  })

  test('opens the history of a service in its dialog, and from there the log and the service again', async ({
    page,
  }) => {
    const name = await renamedService(page)
    await page.goto('/audit-events')
    await page.getByRole('searchbox', { name: t('searchEvents') }).fill(name)
    await expect(page).toHaveURL(/textFilter=/)
    await expect(kinds(page)).toHaveCount(2)
    await table(page).getByRole('cell', { name }).first().click()
    await page.getByRole('dialog').getByRole('link', { name }).click()
    const dialog = page.getByRole('dialog', { name: t('editService') })
    await dialog.getByRole('tab', { name: t('history') }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    await dialog.getByRole('link', { name: t('historyInLog') }).click()
    await expect(page.getByRole('button', { name: t('eventsAboutOne', { name }) })).toBeVisible()
    await expect(kinds(page)).toHaveCount(2)
    await page.getByRole('combobox', { name: t('eventPeriod') }).selectOption({ label: t('eventPeriodCustom') })
    await page.getByLabel(t('eventUntil')).fill('2020-01-01')
    await expect(page.getByText(t('noEventsFound'))).toBeVisible()
    await page.reload()
    await expect(page.getByLabel(t('eventUntil'))).toHaveValue('2020-01-01')
    await expectAccessible(page)
  })
})
