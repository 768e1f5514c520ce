import type { Page } from '@playwright/test'
import { peopleAtOnce } from '#contract/access-reviews/access-reviews.ts'
import { expectAccessibleInBothThemes, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { demoPassword, people } from './people.ts'
import { t } from './texts.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const progress = (page: Page, done: number) => page.getByText(t('reviewProgress', { done, total: 5 }))

/** An organisation with a review of three people: Anna and Bo have two services, Cecilia one. */
async function reviewed(page: Page) {
  const word = `granskas${process.pid}${Date.now() % 1000}`
  const services = ['Planering', 'Bevakning'].map((name) => ({
    name: `${name} ${word}`,
    url: 'https://reviewed.example',
  }))
  const ids = await Promise.all(services.map((service) => api(page, 'POST', '/api/services', service)))
  const [pay = '', archive = ''] = ids.map(({ serviceId }) => serviceId)
  const { organizationId = '' } = await api(page, 'POST', '/api/organizations', {
    ...{ name: `Organisationen ${word}`, loginMethod: 'local' },
    services: [pay, archive].map((serviceId) => ({ serviceId, maxNumberOfUsers: null })),
  })
  const people = { Anna: [pay, archive], Bo: [pay, archive], Cecilia: [archive] }
  for (const [firstName, theirs] of Object.entries(people))
    await api(page, 'POST', '/api/users', {
      ...{
        email: `${firstName.toLowerCase()}.${word}@reviewed.example`,
        firstName,
        lastName: 'Ek',
        loginMethod: 'local',
        ...{ password: demoPassword, confirmNewPassword: demoPassword, unprovenReason: 'Test' },
      },
      organizations: [{ organizationId, userRole: 'regular' }],
      services: theirs.map((serviceId) => ({ organizationId, serviceId, userRole: 'regular' })),
    })
  await api(page, 'POST', `/api/organizations/${organizationId}/access-review`)
  return { organizationId, archive: `Bevakning ${word}`, pay: `Planering ${word}` }
}

test('a reviewer decides by keyboard and by filter, changes their mind, and ends nothing before finishing', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  const { organizationId, archive, pay } = await reviewed(page)
  const servicesOf = async (name: string) => {
    const { items } = await api<{ items: { firstName: string; services: unknown[] }[] }>(
      ...([page, 'GET', `/api/organizations/${organizationId}/users`] as const),
    )
    return items.find(({ firstName }) => firstName === name)?.services.length
  }
  await page.goto(`/access-reviews/${organizationId}`)
  const keep = (person: string, service: string) => button(page, t('reviewKeepFor', { person, service }))
  const takeBack = (person: string, service: string) => button(page, t('reviewTakeBackFrom', { person, service }))
  const both = t('reviewAllServicesOf', { count: 2 })

  await test.step('a decision leads to the next person, arrow keys move, and everything can be undone', async () => {
    const answered = Promise.withResolvers<void>()
    await page.route('**/access-review/decisions', async (route) => {
      await answered.promise
      await route.continue()
    })
    await keep('Anna Ek', both).press('Enter')
    // Before the first is answered, a second one is of no consequence.
    await page.keyboard.press('Enter')
    answered.resolve()
    await expect(progress(page, 2)).toBeVisible()
    await page.unroute('**/access-review/decisions')
    await expect(keep('Bo Ek', both)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(keep('Bo Ek', archive)).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(takeBack('Bo Ek', archive)).toHaveAttribute('aria-pressed', 'true')
    await expect(keep('Bo Ek', pay)).toBeFocused()
    await expectAccessibleInBothThemes(page)
    await button(page, new RegExp(`^${t('reviewUndoNothing')}: `)).click()
    await expect(takeBack('Bo Ek', archive)).toHaveAttribute('aria-pressed', 'false')
    await expect(progress(page, 2)).toBeVisible()
  })

  await test.step('what a filter leaves is decided at once, with the names first', async () => {
    await page.getByLabel(t('service'), { exact: true }).first().selectOption({ index: 1 })
    await expect(page).toHaveURL(/serviceId=/)
    await button(page, t('reviewTakeBackFilter')).click()
    await expect(dialog(page).getByRole('rowheader')).toHaveText([/^Bo Ek/, /^Cecilia Ek/])
    await expectAccessibleInBothThemes(page)
    await dialog(page)
      .getByRole('button', { name: t('reviewTakeBackCount_other', { count: 2 }) })
      .click()
    await expect(progress(page, 4)).toBeVisible()
    expect(await servicesOf('Cecilia')).toBe(1)
  })

  await test.step('only one person is taken back at once, after a question', async () => {
    await page.goto(`/access-reviews/${organizationId}?decision=takeBack`)
    await button(page, t('reviewAtOnceNamed', { person: 'Cecilia Ek' })).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('reviewAtOnceConfirm') })
      .click()
    await expect.poll(() => servicesOf('Cecilia')).toBe(0)
    expect(await servicesOf('Bo')).toBe(2)
  })

  await test.step('the end names who loses what', async () => {
    await page.goto(`/access-reviews/${organizationId}`)
    await keep('Bo Ek', pay).press('Enter')
    await expect(page.getByText(t('reviewAllDone'))).toBeVisible()
    await button(page, t('reviewFinishNow')).press('Enter')
    await expect(dialog(page).getByRole('rowheader')).toHaveText([/^Bo Ek/])
    await dialog(page)
      .getByRole('button', { name: t('reviewFinishTakeBack_one', { count: 1 }) })
      .click()
    await expect(page.getByText(t('reviewResult', { kept: 3, takenBack: 2 }))).toBeVisible()
    await expect(page.getByRole('main').getByRole('rowheader')).toHaveCount(3)
    expect(await servicesOf('Bo')).toBe(1)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSideways(page)
  })
})

test('an end that was interrupted shows how far it came, and is continued', async ({ page, signIn, database }) => {
  // A portion is a thousand statements: seconds on a busy machine.
  test.slow()
  await signIn(people.superUser)
  const word = `stor${process.pid}${Date.now() % 1000}`
  const { serviceId = '' } = await api(page, 'POST', '/api/services', { name: word, url: 'https://reviewed.example' })
  const { organizationId = '' } = await api(page, 'POST', '/api/organizations', {
    ...{ name: word, loginMethod: 'local' },
    services: [{ serviceId, maxNumberOfUsers: null }],
  })
  await database.addPeople(organizationId, serviceId, peopleAtOnce + 1)
  const path = `/api/organizations/${organizationId}/access-review`
  await api(page, 'POST', path)
  const { items } = await api<{ items: { rows: { rowId: string }[] }[] }>(page, 'GET', `${path}?all=true`)
  const rowIds = items.flatMap(({ rows }) => rows.map(({ rowId }) => rowId))
  await api(page, 'POST', `${path}/decisions`, { rowIds, from: null, decision: 'takeBack' })

  await page.goto(`/access-reviews/${organizationId}`)
  await button(page, t('reviewFinishNow')).click()
  const cut = Promise.withResolvers<void>()
  let calls = 0
  await page.route('**/access-review/finish', async (route) => {
    if (++calls === 1) return route.continue()
    await cut.promise
    await route.abort()
  })
  await dialog(page)
    .getByRole('button', { name: t('reviewFinishTakeBack_other', { count: peopleAtOnce + 1 }) })
    .click()
  const shown = t('reviewEndingProgress', { done: peopleAtOnce, total: peopleAtOnce + 1 })
  await expect(dialog(page).getByText(shown)).toBeVisible({ timeout: 60_000 })
  await expectAccessibleInBothThemes(page)
  cut.resolve()
  await expect(dialog(page).getByRole('alert')).toBeVisible()

  await page.unroute('**/access-review/finish')
  await page.goto(`/access-reviews/${organizationId}?decision=takeBack`)
  const goOn = button(page, t('reviewFinishGoOn'))
  await expect(goOn).toBeVisible()
  await expect(button(page, t('reviewUndoNothing'))).toHaveCount(0)
  await expect(button(page, t('reviewTakeBackFilter'))).toHaveCount(0)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page)
  await expectAccessibleInBothThemes(page)
  await goOn.press('Enter')
  await dialog(page)
    .getByRole('button', { name: t('reviewFinishTakeBack_one', { count: 1 }) })
    .press('Enter')
  await expect(page.getByText(t('reviewResult', { kept: 0, takenBack: peopleAtOnce + 1 }))).toBeVisible()
})

test('a super user comes from the start page to the reviews that are overdue', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/')
  await page.getByRole('link', { name: t('todoOverdueReviews_one', { count: 1 }) }).click()
  await expect(page).toHaveURL('/access-reviews?overdue=true')
  await page.getByRole('link', { name: 'Björkö Omsorg AB' }).click()
  await expect(page.getByRole('main')).toContainText(t('reviewOverdue'))
  await expect(page.getByRole('heading', { name: t('reviewers') })).toBeVisible()
})
