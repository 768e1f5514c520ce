import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { countSteps } from './count-steps.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

test('a super user lets a service sign people in, and gives its developer the values', async ({ page, signIn }) => {
  await signIn(people.superUser)
  const name = `Inloggad ${process.pid}`
  const { serviceId = '' } = await api(page, 'POST', '/api/services', { name, url: 'https://inloggad.example' })
  await page.goto(`/services/${serviceId}`)
  await expect(page.getByRole('dialog')).toContainText(t('signInNone'))
  await page.getByRole('link', { name: t('openServiceSignIn') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('signInToService', { name }) })).toBeVisible()
  const main = page.locator('main')
  const tab = (key: 'connectTab' | 'developersAndTryTab' | 'signOutsTab' | 'advancedTab') =>
    main.getByRole('tab', { name: t(key) })
  // Each tab has a part of the form, with the button; the others are hidden.
  const save = () => main.getByRole('button', { name: t('save') }).click()
  await tab('developersAndTryTab').click()
  await expect(main).toContainText(t('noClientYet'))

  await tab('connectTab').click()
  await main.getByRole('radio', { name: t('clientKindWeb') }).check()
  const redirect = main.getByRole('textbox', { name: t('redirectUris'), exact: true })
  await redirect.fill('https://inloggad.example/#callback')
  await tab('advancedTab').click()
  await main.getByRole('switch', { name: t('pkceRequired') }).uncheck()
  await expect(main.getByText(t('pkceOffWarning'))).toBeVisible()
  await main.getByRole('switch', { name: t('pkceRequired') }).check()
  await save()
  // The tab of the mistake opens, and its field has the focus.
  await expect(redirect).toBeFocused()
  await expect(redirect).toHaveAccessibleDescription(new RegExp(t('clientAddressFragment')))
  await redirect.fill('https://inloggad.example/callback')
  await save()

  const secretDialog = page.getByRole('dialog', { name: t('newSecretTitle') })
  const secret = await secretDialog.getByRole('textbox', { name: t('clientSecret') }).inputValue()
  expect(secret).toHaveLength(43)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(secretDialog).toHaveCount(0)
  await expect(main).toContainText(t('signInNobodyYet'))
  await expect(main.getByRole('button', { name: t('tryIt') })).toBeFocused()
  await expectAccessible(page)

  await main.getByRole('button', { name: t('makeSecret') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('makeSecret') })
    .click()
  await expect(secretDialog.getByRole('textbox', { name: t('clientSecret') })).not.toHaveValue(secret)
  await page.keyboard.press('Escape')
  await main.getByRole('button', { name: t('endOldSecret') }).click()
  await expect(main.getByRole('button', { name: t('endOldSecret') })).toHaveCount(0)

  // From the top of the page, whichever tab is open.
  await main.getByRole('button', { name: t('tryIt') }).click()
  await expect(main).toContainText(t('tryHasPassed'))
  await expect(main).toContainText(t('tryWithoutService'))
  await expect(main.getByRole('textbox', { name: t('clientId') })).toHaveValue(/^inloggad-/)
  await main.getByRole('combobox', { name: t('snippet') }).selectOption('Apache (mod_auth_openidc)')
  await expect(main).toContainText('OIDCRedirectURI https://inloggad.example/callback')
  await main.getByText(t('tryChange')).click()
  await main.getByRole('textbox', { name: t('tryRedirectUri') }).fill('https://inloggad.example/callback/')
  await page.keyboard.press('Enter')
  await expect(main).toContainText(t('tryAdviceRedirectUri'))
  await expectAccessible(page)
  await tab('signOutsTab').click()
  await main.getByRole('textbox', { name: t('backchannelLogoutUri') }).fill('https://inloggad.example/logout')
  await page.keyboard.press('Enter')
  await expect(main).toContainText(t('signOutsEmpty'))
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await expectNoSideways(page)

  // Without a kind the service is a link again, once that is confirmed.
  await tab('connectTab').click()
  await main.getByRole('radio', { name: new RegExp(`^${t('clientKindNone')}`) }).check()
  await save()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('remove') })
    .click()
  await expect(main).toContainText(t('signInNone'))
  await expect(main.getByRole('radio', { name: new RegExp(`^${t('clientKindNone')}`) })).toBeChecked()
})

test('from the list of services to a passed trial a super user clicks six times at most', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/services')
  const steps = await countSteps(page)
  await page.goto('/services')
  await page.getByRole('link', { name: t('createService') }).click()
  await page.getByRole('textbox', { name: t('name'), exact: true }).fill(`Första ${process.pid}`)
  await page.getByRole('textbox', { name: t('webAddress') }).fill('https://forsta.example')
  await page.getByRole('radio', { name: t('clientKindWeb') }).click()
  await page.getByRole('button', { name: t('create'), exact: true }).click()
  await page.getByRole('textbox', { name: t('redirectUris'), exact: true }).fill('https://forsta.example/callback')
  await page.getByRole('button', { name: t('save') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('close') })
    .last()
    .click()
  await page.getByRole('button', { name: t('tryIt') }).click()
  await expect(page.getByText(t('tryHasPassed'))).toBeVisible()
  // As docs/tour.md says.
  expect({ clicks: steps.clicks, fields: steps.fields.size, screens: steps.screens.size }).toEqual({
    clicks: 6,
    fields: 3,
    screens: 3,
  })
})
