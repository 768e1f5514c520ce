import type { Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { expect } from './fixtures.ts'
import { test } from './invited.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const todos = (page: Page) => page.getByRole('region', { name: t('todoTitle') })
const figures = (page: Page) => page.getByRole('region', { name: t('figuresTitle') })
/** The slider that walks the days of the sign-ins. */
const days = (page: Page) => page.getByRole('slider', { name: `${t('day')}, ${t('figureSignIns')}`, exact: true })

test('a super user sees what needs doing in the whole portal, and reads the figures with the keyboard alone', async ({
  page,
  signIn,
  invite,
  database,
}) => {
  const { email } = await invite('Nordvik AB')
  await database.setInvitationMail(email, { state: 'failed', reason: 'no such mailbox' })
  await signIn(people.superUser)
  await page.goto('/')
  await expect(todos(page)).toContainText(t('wholePortal'))
  await expect(page.getByText(t('noServicesSuperUser'))).toBeVisible()
  const image = figures(page).getByRole('img', { name: new RegExp(`^${t('figureSignIns')}`) })
  await expect(image).toHaveAccessibleName(/\d/)
  await expect(days(page)).toHaveValue('29')
  await days(page).focus()
  await expect(days(page)).toHaveAttribute('aria-valuetext', new RegExp(`${t('loginMethodLocal')} [1-9]`))
  await page.keyboard.press('Home')
  await expect(days(page)).toHaveValue('0')
  await expect(days(page)).toHaveAttribute('aria-valuetext', new RegExp(`${t('loginMethodLocal')} \\d`))
  await figures(page).getByText(t('showAsTable')).first().press('Enter')
  await expect(
    figures(page)
      .getByRole('table', { name: t('figureSignIns') })
      .getByRole('row'),
  ).toHaveCount(31)
  await expectAccessibleInBothThemes(page)
  await todos(page)
    .getByRole('link', { name: /kunde inte skickas$/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('users') })).toBeVisible()
})

test('an organisation admin sees the own organisation, and the services also when the figures cannot be loaded', async ({
  page,
  signIn,
}) => {
  await signIn(people.admin)
  await page.route('**/api/organizations/*/home', (route) => route.abort('connectionfailed'))
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Journal' })).toBeVisible()
  await expect(todos(page).getByRole('alert')).toContainText(t('genericErrorMessage'))
  await page.unroute('**/api/organizations/*/home')
  await todos(page)
    .getByRole('button', { name: t('tryAgain') })
    .click()
  await expect(days(page)).toBeAttached()
  await expect(todos(page)).not.toContainText(t('wholePortal'))
  const seats = figures(page)
    .getByRole('article')
    .filter({ hasText: t('figureSeats') })
  await expect(seats).toContainText('Journal')
})
