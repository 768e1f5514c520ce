import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { countSteps, type Steps } from './count-steps.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

// The ways of everybody's first day, with what each costs. The figures stand in docs/tour.md.

const figures = ({ clicks, fields, screens }: Steps) => ({ clicks, fields: fields.size, screens: screens.size })
const newAddress = () => `forsta.${randomUUID()}@example.com`
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Opens the page anew, from which the steps are counted. */
async function beginAt(page: Page, path: string): Promise<Steps> {
  await page.goto(path)
  const steps = await countSteps(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return steps
}

test('an organisation admin brings in 40 people with five clicks', async ({ page, signIn }) => {
  await signIn(people.admin)
  const steps = await beginAt(page, '/user-administration')
  await page.getByRole('button', { name: t('moreWaysToAdd') }).click()
  await page.getByRole('menuitem', { name: t('inviteMany') }).click()
  const rows = Array.from({ length: 40 }, (_, at) => `${newAddress()};Ny;Person ${at + 1};Arkiv`)
  await page.getByRole('textbox', { name: t('importList') }).fill(rows.join('\n'))
  const main = page.getByRole('main')
  await main.getByRole('button', { name: t('importCheck') }).click()
  await main.getByRole('button', { name: t('importInvite_other', { count: 40 }) }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('importInvite_other', { count: 40 }) })
    .click()
  await expect(page.getByText('40 personer är inbjudna')).toBeVisible()
  expect(figures(steps)).toEqual({ clicks: 5, fields: 1, screens: 2 })
})

test('an auditor finds what was changed for a person, reads one change and takes the list along', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  const steps = await beginAt(page, '/')
  await page.getByRole('button', { name: t('administration') }).click()
  await page.getByRole('menuitem', { name: t('auditEvents') }).click()
  await page.getByRole('combobox', { name: t('eventKind') }).click()
  await page.getByRole('combobox', { name: t('eventKind') }).selectOption({ label: t('eventKindChanges') })
  const found = page.waitForResponse((response) => response.url().includes('targetFilter='))
  await page.getByRole('searchbox', { name: t('eventTarget') }).fill('@nordvik')
  await found
  const events = page.getByRole('table', { name: t('auditEvents') })
  await expect(events).not.toHaveAttribute('aria-busy')
  await events.getByRole('rowheader').first().getByRole('link').click()
  await expect(page.getByRole('dialog')).toContainText('@nordvik.example')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('close') })
    .last()
    .click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: t('exportUsers') }).click()
  await page.getByRole('menuitem', { name: t('exportTable') }).click()
  // Wait for the download: a browser that closes during it leaves a partial file in the working folder.
  await (await saved).path()
  expect(figures(steps)).toEqual({ clicks: 7, fields: 1, screens: 3 })
})

test('the operator takes a first customer in: organisation, service and the one who looks after its people', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  const steps = await beginAt(page, '/organization-settings')
  const [name, email] = [`Kund ${process.pid}`, newAddress()]
  await page.getByRole('link', { name: t('createOrganization') }).click()
  await page.getByRole('textbox', { name: t('name'), exact: true }).fill(name)
  await page.getByRole('button', { name: t('create'), exact: true }).click()
  const edit = dialog(page, t('editOrganization'))
  await edit.getByRole('checkbox', { name: 'Journal' }).click()
  await edit.getByRole('button', { name: t('save') }).click()
  await expect(edit).toHaveCount(0)
  const row = page.getByRole('row', { name })
  await row.getByRole('link', { name: new RegExp(t('inviteUser')) }).click()
  await page.getByRole('textbox', { name: t('email') }).fill(email)
  await page.getByRole('combobox', { name: t('role') }).click()
  await page.getByRole('combobox', { name: t('role') }).selectOption('organizationAdmin')
  await page.getByRole('button', { name: t('sendInvitation') }).click()
  await expect(page.getByText(t('invitationSent'))).toBeVisible()
  expect(figures(steps)).toEqual({ clicks: 7, fields: 2, screens: 4 })
  const [made] = (
    await api<{ items: { organizationId: string }[] }>(page, 'GET', `/api/organizations?searchQuery=${name}`)
  ).items
  await api(page, 'DELETE', `/api/organizations/${made?.organizationId}?force=true`)
})

test('on a phone an organisation admin invites a colleague', async ({ page, signIn }) => {
  await page.setViewportSize(narrow)
  await signIn(people.admin)
  const steps = await beginAt(page, '/')
  await page.getByRole('button', { name: t('openMenu') }).click()
  await page.getByRole('link', { name: t('userAdministration') }).click()
  await page.getByRole('link', { name: t('inviteUser') }).click()
  await page.getByRole('textbox', { name: t('email') }).fill(newAddress())
  await page.getByRole('button', { name: t('sendInvitation') }).click()
  await expect(page.getByText(t('invitationSent'))).toBeVisible()
  expect(figures(steps)).toEqual({ clicks: 4, fields: 1, screens: 3 })
})
