import type { Page } from '@playwright/test'
import { selfSigned } from '../test/saml/certificate.ts'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { countSteps } from './count-steps.ts'
import { expect, narrow, test } from './fixtures.ts'
import { people } from './people.ts'
import { t, titled } from './texts.ts'

/** Journeys run side by side on one database: each makes configurations of its own. */
let made = 0
const ownName = (what: string) => `${what} ${process.pid}-${++made}`
const { certificate, privateKey } = selfSigned({ name: 'idp.journey.example' })
const formOf = (name: string) => ({
  name,
  entityId: 'https://idp.journey.example/metadata',
  url: 'https://idp.journey.example/sso',
  domain: 'https://journey.example',
  certificate,
})

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const confirmation = (page: Page) => page.getByRole('alertdialog')
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('finds the configurations through the menu, sorts them in the address, and cannot delete one that an organisation uses', async ({
    page,
  }) => {
    await test.step('found through the menu, and sorted', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: t('administration') }).click()
      await page.getByRole('menuitem', { name: t('samlConfigs') }).click()
      await expect(page).toHaveURL('/saml-configuration')
      await expect(page).toHaveTitle(titled(t('samlConfigs')))
      await expect(page.getByRole('row', { name: /Fjällrå/ })).toContainText('https://fjallra.example')
      await page.getByRole('button', { name: t('domain') }).click()
      await expect(page).toHaveURL('/saml-configuration?sort=domain')
      await expect(page.getByRole('columnheader', { name: t('domain') })).toHaveAttribute('aria-sort', 'ascending')
    })
    await test.step('one in use cannot be deleted', async () => {
      await row(page, 'Fjällrå').click()
      const edit = dialog(page, t('editSamlConfig'))
      await edit.getByRole('button', { name: t('delete'), exact: true }).click()
      await confirmation(page)
        .getByRole('button', { name: t('delete'), exact: true })
        .click()
      await expect(page.getByText(t('samlConfigInUse'))).toBeVisible()
    })
    await test.step('on a narrow screen', async () => {
      await page.setViewportSize(narrow)
      await page.goto('/saml-configuration')
      await expectNoSideways(page)
      await row(page, 'Fjällrå').click()
      await page.getByRole('button', { name: t('certificateShow') }).click()
      await expect(field(page, t('certificate'))).toHaveValue(/BEGIN CERTIFICATE/)
      await expectAccessible(page)
      await expectNoSideways(page)
    })
    await test.step('the plain text Error for a configuration that is missing', async () => {
      for (const id of ['2000000000', 'none']) {
        await page.goto(`/saml-configuration/${id}`)
        await expect(page.getByRole('dialog').getByText('Error', { exact: true })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page).toHaveURL('/saml-configuration')
      }
    })
  })

  test('creates, changes and deletes a configuration by keyboard alone', async ({ page }) => {
    const name = ownName('Tangent')
    await page.goto('/saml-configuration?sortDirection=desc')
    await page.getByRole('link', { name: t('createSamlConfig') }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/saml-configuration/create?sortDirection=desc')
    await expect(page.getByRole('radio', { name: 'Microsoft Entra ID' })).toBeFocused()
    await page.keyboard.press('Space')
    await expect(field(page, t('serviceProviderAcsUrl'))).toHaveValue(/\/saml\/\d+\/acs$/)
    const { domain, entityId, url } = formOf(name)
    await field(page, t('name')).focus()
    for (const text of [name, domain, entityId, url]) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.insertText(certificate)
    await expect(dialog(page, t('createSamlConfig'))).toContainText(t('certificateValid'))
    await expect(dialog(page, t('createSamlConfig'))).toContainText('CN=idp.journey.example')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('switch', { name: t('wantAssertionsSigned') })).toBeFocused()
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(t('created', { name }))).toBeVisible()
    // What is next: its test.
    await expect(page.getByRole('heading', { level: 1, name: t('samlTestOf', { name }) })).toBeFocused()
    await expect(page.getByText(t('samlStateOff'))).toBeVisible()
    await page.goto('/saml-configuration?sortDirection=desc')
    await expect(page.getByRole('row', { name })).toContainText(t('samlConfigOff'))

    await row(page, name).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page, t('editSamlConfig'))).toBeVisible()
    await expect(page.getByRole('heading', { name: t('editSamlConfig') })).toBeFocused()
    await expect(page.getByRole('switch', { name: t('wantAssertionsSigned') })).toBeChecked()
    await page.getByRole('switch', { name: t('samlConfigActive') }).focus()
    await page.keyboard.press('Space')
    await expect(confirmation(page)).toContainText(t('samlConfigActivateTitle'))
    await confirmation(page)
      .getByRole('button', { name: t('samlConfigActivateAnyway') })
      .focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('switch', { name: t('samlConfigActive') })).toBeChecked()
    await field(page, t('domain')).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('https://annan.example')
    await page.keyboard.press('Enter')
    await expect(page.getByText(t('updated'))).toBeVisible()
    await expect(page.getByRole('row', { name })).toContainText('https://annan.example')
    await expect(page.getByRole('row', { name })).not.toContainText(t('samlConfigOff'))
    await expect(row(page, name)).toBeFocused()

    await page.keyboard.press('Enter')
    await dialog(page, t('editSamlConfig'))
      .getByRole('button', { name: t('delete'), exact: true })
      .focus()
    await page.keyboard.press('Enter')
    await expect(confirmation(page)).toContainText(t('deleteNamed', { name }))
    await expect(confirmation(page).getByRole('button', { name: t('cancel') })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText(t('deleted', { name }))).toBeVisible()
    await expect(page).toHaveURL('/saml-configuration?sortDirection=desc')
    await expect(row(page, name)).toHaveCount(0)
  })

  test('makes a configuration of OpenID Connect, and its secret is not shown again', async ({ page }) => {
    const name = ownName('Öppen')
    await page.goto('/saml-configuration/create')
    await page.getByRole('radio', { name: 'Keycloak' }).check()
    await page.getByRole('radio', { name: t('samlConfigKindOidc') }).check()
    const create = page.getByRole('button', { name: t('create'), exact: true })
    await create.click()
    await expect(page.getByRole('group', { name: t('formErrors', { count: 5 }) })).toBeFocused()
    await expectAccessible(page)
    await field(page, t('name')).fill(name)
    await field(page, t('domain')).fill('https://oppen.example')
    await field(page, t('issuer')).fill('https://login.oppen.example/.well-known/openid-configuration')
    await field(page, t('clientId')).fill('portal')
    await page.getByLabel(t('clientSecret'), { exact: true }).fill('a-secret-of-the-company')
    const redirectUri = await field(page, t('oidcRedirectUri')).inputValue()
    expect(redirectUri).toMatch(/\/company-oidc\/\d+\/callback$/)
    await create.click()
    await expect(page.getByRole('heading', { level: 1, name: t('samlTestOf', { name }) })).toBeVisible()
    await page.goto('/saml-configuration')
    await expect(page.getByRole('row', { name })).toContainText('OpenID Connect')
    await row(page, name).click()
    await expect(field(page, t('issuer'))).toHaveValue('https://login.oppen.example')
    await expect(page.locator('input[name=clientSecret]')).toHaveValue('')
    await page
      .getByRole('dialog')
      .locator('summary', { hasText: t('serviceProvider') })
      .click()
    await expect(field(page, t('oidcRedirectUri'))).toHaveValue(redirectUri)
    await page.setViewportSize(narrow)
    await expectNoSideways(page)
    await expectAccessible(page)
    // Nobody answers at that address.
    await page.getByRole('button', { name: t('samlTestBegin') }).click()
    await expect(page.getByText(t('issuerNotReadable'))).toBeVisible()
  })

  test('sees on the fields what is wrong, and fills the form in with the metadata of the identity provider', async ({
    page,
  }) => {
    await test.step('what is wrong, and that a private key does not belong there', async () => {
      await page.goto('/saml-configuration/create')
      await page.getByRole('radio', { name: 'Okta' }).check()
      const create = page.getByRole('button', { name: t('create'), exact: true })
      await create.click()
      await expect(page.getByRole('group', { name: t('formErrors', { count: 5 }) })).toBeFocused()
      const { name, domain, entityId, url } = formOf(ownName('Fel'))
      await field(page, t('name')).fill(name)
      await field(page, t('domain')).fill(domain)
      await field(page, t('entityId')).fill(entityId)
      await field(page, t('samlUrl')).fill(url)
      const text = field(page, t('certificate'))
      await text.fill(privateKey)
      await create.click()
      await expect(text).toHaveAccessibleDescription(new RegExp(t('privateKeyGiven').slice(0, 20)))
      await text.fill(`${certificate.slice(0, 400)}`)
      await expect(dialog(page, t('createSamlConfig'))).toContainText(t('certificateUnreadable'))
      await create.click()
      await expect(text).toHaveAccessibleDescription(new RegExp(t('certificateNotUsable').slice(0, 20)))
      await page.route('**/api/saml-configs', (route) => route.fulfill({ status: 500, body: 'broken' }))
      await text.fill(certificate)
      await create.click()
      await expect(dialog(page, t('createSamlConfig')).getByRole('alert')).toHaveText(t('genericErrorMessage'))
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(confirmation(page)).toContainText(t('discardChangesTitle'))
      await confirmation(page)
        .getByRole('button', { name: t('discardChanges') })
        .click()
      await expect(page).toHaveURL('/saml-configuration')
    })
    await test.step('the metadata of the identity provider', async () => {
      await page.getByRole('link', { name: t('createSamlConfig') }).click()
      await page.getByRole('radio', { name: 'Okta' }).check()
      await field(page, t('metadata')).fill('none')
      await page.getByRole('button', { name: t('readMetadata') }).click()
      await expect(field(page, t('metadata'))).toHaveAccessibleDescription(
        new RegExp(t('metadataNotReadable').slice(0, 20)),
      )
      const { entityId, url } = formOf('')
      const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor>
        <KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
        ${certificate.replaceAll(/-----[^-]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
        <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}"/>
        </IDPSSODescriptor></EntityDescriptor>`
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'idp.xml', mimeType: 'application/xml', buffer: Buffer.from(metadata) })
      await expect(dialog(page, t('createSamlConfig'))).toContainText(t('metadataRead'))
      await expect(field(page, t('entityId'))).toHaveValue(entityId)
      await expect(field(page, t('samlUrl'))).toHaveValue(url)
      await expect(dialog(page, t('createSamlConfig'))).toContainText('CN=idp.journey.example')
      await page.getByRole('button', { name: t('certificateShow') }).click()
      await expect(field(page, t('certificate'))).toHaveValue(certificate)
    })
  })

  test('lets the IT of an organisation prepare a sign-in by a link, and approves it', async ({ page, browser }) => {
    const name = ownName('Länk')
    const organization = { name, loginMethod: 'local' }
    const { organizationId } = await api(page, 'POST', '/api/organizations', organization)
    const { url } = await api(page, 'POST', '/api/saml-setups', { organizationId, directory: true })
    const configs = await api<{ id: number; name: string }[]>(page, 'GET', '/api/saml-configs')
    const fjallra = configs.find((one) => one.name === 'Fjällrå')?.id
    const demo = await api(page, 'GET', `/api/saml-configs/${fjallra}`)
    const metadata = await (await fetch(String(demo.url).replace(/sso$/, 'metadata'))).text()

    const it = await (await browser.newContext({ locale: 'sv' })).newPage()
    await it.goto(String(url))
    await expect(it.getByRole('heading', { level: 1 })).toHaveText(t('setupTitle', { name }))
    await it.getByRole('radio', { name: t('samlConfigKindOidc') }).check()
    await field(it, t('issuer')).fill('https://login.journey.example')
    await field(it, t('clientId')).fill('portal')
    await it.getByRole('button', { name: t('setupProviderGive') }).click()
    await expect(it.getByLabel(t('clientSecret'), { exact: true })).toHaveAccessibleDescription(t('required'))
    await it.getByLabel(t('clientSecret'), { exact: true }).fill('a-secret-of-the-company')
    await it.getByRole('button', { name: t('setupProviderGive') }).click()
    await expect(it.getByText(t('setupProviderGiven', { issuer: 'https://login.journey.example' }))).toBeVisible()
    await expectAccessible(it)
    // What they give last is the draft.
    await it.getByRole('radio', { name: t('samlConfigKindSaml') }).check()
    await field(it, t('metadata')).fill(metadata)
    await it.getByRole('button', { name: t('readMetadata') }).click()
    // Until then the draft is the one before.
    await expect(it.getByRole('heading', { name: t('setupMetadataRead') })).toBeVisible()
    await it.getByRole('button', { name: t('samlTestBegin') }).click()
    await it.getByRole('button', { name: /admin@fjallra/ }).click()
    await expect(it.getByText(t('samlTestPassed'))).toBeVisible()
    await expect(it.getByText(t('samlTestReceived'))).toBeVisible()
    await expectAccessible(it)
    await it.setViewportSize(narrow)
    await expectNoSideways(it)
    await it.getByRole('button', { name: t('setupHandIn') }).click()
    await expect(it.getByText(t('setupHandedInText'))).toBeVisible()
    await test.step('connects the directory, and sees that it has called', async () => {
      await it.getByRole('radio', { name: 'Okta', exact: true }).last().check()
      await it.getByRole('button', { name: t('scimCreateToken') }).click()
      const token = await field(it, t('scimToken')).inputValue()
      await expect(it.getByText(t('setupDirectoryWaiting', { name: 'Okta' }))).toBeVisible()
      await expectAccessible(it)
      await expectNoSideways(it)
      const asked = await it.request.get('/scim/v2/Users?startIndex=1&count=2', {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(asked.status()).toBe(200)
      const called = new RegExp(t('setupDirectoryCalled', { name: 'Okta', time: '.*' }))
      await expect(it.getByText(called)).toBeVisible({ timeout: 10_000 })
    })
    await it.context().close()

    await page.goto('/saml-configuration')
    await row(page, name).click()
    const review = dialog(page, t('setupReview'))
    await expect(review).toContainText(t('setupTestPassed'))
    await expectAccessible(page)
    await field(page, t('domain')).fill('https://it.journey.example')
    await page.getByRole('checkbox', { name: t('setupSameIssuerRight') }).check()
    await review.getByRole('button', { name: t('setupApprove') }).click()
    await expect(page.getByText(t('created', { name }))).toBeVisible()
    await api(page, 'DELETE', `/api/organizations/${organizationId}?force=true`)
  })

  test('prepares the sign-in of an organisation from its dialog, tests it, and is back there, with nine clicks at most', async ({
    page,
  }) => {
    const name = ownName('Första')
    const organization = { name, loginMethod: 'local' }
    const { organizationId } = await api(page, 'POST', '/api/organizations', organization)
    const configs = await api<{ id: number; name: string }[]>(page, 'GET', '/api/saml-configs')
    const demo = await api(page, 'GET', `/api/saml-configs/${configs.find((one) => one.name === 'Fjällrå')?.id}`)
    const edit = dialog(page, t('editOrganization'))
    await test.step('what is typed in the dialog stays while the sign-in is begun, and left', async () => {
      await page.goto(`/organization-settings/${organizationId}`)
      await field(page, t('name')).fill(`${name} AB`)
      await page.getByRole('link', { name: t('signInDoItMyself') }).click()
      await expect(dialog(page, t('createSamlConfig'))).toContainText(name)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog(page, t('createSamlConfig'))).toHaveCount(0)
      await expect(field(page, t('name'))).toHaveValue(`${name} AB`)
      await page.getByRole('link', { name: t('signInSendLink') }).click()
      await dialog(page, t('createSetupLink'))
        .getByRole('button', { name: t('create') })
        .click()
      await expect(field(page, t('setupLink'))).toHaveValue(/\/saml-setup\//)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(edit).toContainText(t('setupLinkOfOrganization'))
      await expect(field(page, t('name'))).toHaveValue(`${name} AB`)
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
    })
    await test.step('nine clicks', async () => {
      const steps = await countSteps(page)
      await page.goto(`/organization-settings?searchQuery=${encodeURIComponent(name)}`)
      await row(page, `${name} AB`).click()
      await page.getByRole('link', { name: t('signInDoItMyself') }).click()
      await page.getByRole('radio', { name: 'Microsoft Entra ID' }).click()
      await field(page, t('metadataAddress')).fill(String(demo.url).replace(/sso$/, 'metadata'))
      await page.getByRole('button', { name: t('fetchMetadata') }).click()
      await expect(field(page, t('samlUrl'))).toHaveValue(String(demo.url))
      await field(page, t('domain')).fill('https://forsta.journey.example')
      await page.getByRole('button', { name: t('create'), exact: true }).click()
      await page.getByRole('button', { name: t('samlTestBegin') }).click()
      // At the identity provider.
      await page.getByRole('button', { name: /admin@fjallra/ }).click()
      await expect(page.getByText(t('samlTestPassed'))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: t('samlSwitchOnAndBack', { name: `${name} AB` }) }).click()
      await expect(edit).toContainText(t('signInChosenText'))
      await expectAccessible(page)
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
      expect(await api(page, 'GET', `/api/organizations/${organizationId}`)).toMatchObject({ loginMethod: 'saml' })
      // As docs/tour.md says.
      expect({ clicks: steps.clicks, fields: steps.fields.size, screens: steps.screens.size }).toEqual({
        clicks: 8,
        fields: 2,
        screens: 4,
      })
    })
    await api(page, 'DELETE', `/api/organizations/${organizationId}?force=true`)
  })

  test('prepares the sign-in of an organisation from the list, too: it is chosen in the form, and the way ends there, with nine clicks at most', async ({
    page,
  }) => {
    const name = ownName('Andra')
    const organization = { name, loginMethod: 'local' }
    const { organizationId } = await api(page, 'POST', '/api/organizations', organization)
    const configs = await api<{ id: number; name: string }[]>(page, 'GET', '/api/saml-configs')
    const demo = await api(page, 'GET', `/api/saml-configs/${configs.find((one) => one.name === 'Fjällrå')?.id}`)
    const choice = page.getByRole('combobox', { name: `${t('organization')} ${t('optional')}` })
    const option = page.getByRole('option', { name })
    await test.step('by keyboard and on a narrow screen: one that has a sign-in cannot be chosen, and what is typed stays', async () => {
      await page.goto('/saml-configuration/create')
      await page.getByRole('radio', { name: 'Okta' }).check()
      await field(page, t('name')).fill('Egen')
      await choice.focus()
      await page.keyboard.type('Fjällrå AB')
      await expect(page.getByRole('option', { name: 'Fjällrå AB' })).toContainText(t('organizationHasConfig'))
      await expect(page.getByRole('option', { name: 'Fjällrå AB' })).toHaveAttribute('aria-disabled', 'true')
      await page.setViewportSize(narrow)
      await expectAccessible(page)
      await expectNoSideways(page)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(name)
      await expect(option).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(choice).toHaveValue(name)
      await expect(field(page, t('name'))).toHaveValue('Egen')
      await page.getByRole('radio', { name: t('samlConfigKindOidc') }).check()
      await expect(choice).toHaveValue(name)
      // Nothing was typed there.
      await expect(field(page, t('name'))).toHaveValue(name)
      await page.getByRole('button', { name: t('clearChoice') }).click()
      await expect(field(page, t('name'))).toHaveValue('')
      await page.getByRole('radio', { name: t('samlConfigKindSaml') }).check()
      await expect(choice).toHaveValue('')
      await expect(field(page, t('name'))).toHaveValue('Egen')
      await expectAccessible(page)
      await expectNoSideways(page)
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.getByRole('button', { name: t('cancel'), exact: true }).click()
      await confirmation(page)
        .getByRole('button', { name: t('discardChanges') })
        .click()
      await expect(dialog(page, t('createSamlConfig'))).toHaveCount(0)
    })
    await test.step('nine clicks', async () => {
      const steps = await countSteps(page)
      await page.goto('/saml-configuration')
      await page.getByRole('link', { name: t('createSamlConfig') }).click()
      await page.getByRole('radio', { name: 'Microsoft Entra ID' }).click()
      await field(page, t('metadataAddress')).fill(String(demo.url).replace(/sso$/, 'metadata'))
      await page.getByRole('button', { name: t('fetchMetadata') }).click()
      await expect(field(page, t('samlUrl'))).toHaveValue(String(demo.url))
      await choice.fill(name)
      await option.click()
      await expect(field(page, t('name'))).toHaveValue(name)
      await field(page, t('domain')).fill('https://andra.journey.example')
      await page.getByRole('button', { name: t('create'), exact: true }).click()
      await page.getByRole('button', { name: t('samlTestBegin') }).click()
      // At the identity provider.
      await page.getByRole('button', { name: /admin@fjallra/ }).click()
      await expect(page.getByText(t('samlTestPassed'))).toBeVisible()
      await page.getByRole('button', { name: t('samlSwitchOnAndBack', { name }) }).click()
      await expect(dialog(page, t('editOrganization'))).toContainText(t('signInChosenText'))
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
      expect(await api(page, 'GET', `/api/organizations/${organizationId}`)).toMatchObject({ loginMethod: 'saml' })
      // As docs/tour.md says.
      expect({ clicks: steps.clicks, fields: steps.fields.size, screens: steps.screens.size }).toEqual({
        clicks: 8,
        fields: 3,
        screens: 5,
      })
    })
    await api(page, 'DELETE', `/api/organizations/${organizationId}?force=true`)
  })

  test('sees what another super user changed, and tries a configuration with values that are not saved', async ({
    page,
  }) => {
    await test.step('a change by another is decided field by field', async () => {
      const name = ownName('Krock')
      const { id } = await api<{ id: number }>(page, 'POST', '/api/saml-configs', formOf(name))
      await page.goto(`/saml-configuration/${id}`)
      await field(page, t('name')).fill(`${name} min`)
      await api(page, 'PUT', '/api/saml-configs', { ...formOf(`${name} deras`), id, requestSigningEnabled: true })
      await page.getByRole('button', { name: t('save') }).click()
      const notice = page.getByRole('alert')
      await expect(notice).toContainText(t('theirValue', { value: `${name} deras` }))
      await expect(notice).toContainText(t('theirValue', { value: t('switchedOn') }))
      await expect(field(page, t('name'))).toHaveValue(`${name} min`)
      await expect(page.getByRole('switch', { name: t('requestSigningEnabled') })).toBeChecked()
      await page.getByRole('button', { name: t('save') }).click()
      await expect(page.getByText(t('updated'))).toBeVisible()
      await expect(row(page, `${name} min`)).toBeVisible()
    })
    await test.step('tried with values that are not saved, and what is wrong and what is right', async () => {
      await page.goto('/saml-configuration')
      await row(page, 'Fjällrå').click()
      const saved = await field(page, t('entityId')).inputValue()
      const tried = async () => {
        const opened = page.waitForEvent('popup')
        await page.getByRole('button', { name: t('samlTestBegin') }).click()
        const tab = await opened
        await tab.getByRole('button', { name: /Åsa Dahl/ }).click()
        await expect(tab.getByRole('heading', { level: 1, name: t('samlTestOf', { name: 'Fjällrå' }) })).toBeVisible()
        return tab
      }
      await field(page, t('entityId')).fill('https://other.example')
      const wrong = await tried()
      await expect(wrong.locator('main')).toContainText(t('samlTestFailed'))
      await expect(wrong.getByRole('listitem').filter({ hasText: t('samlTestIssuer') })).toContainText(
        t('samlAdviceIssuer'),
      )
      await page
        .getByRole('dialog')
        .locator('summary', { hasText: t('serviceProvider') })
        .click()
      await page.getByRole('combobox', { name: t('samlGuide') }).selectOption('Okta')
      const acsUrl = await field(page, t('serviceProviderAcsUrl')).inputValue()
      await expect(dialog(page, t('editSamlConfig'))).toContainText(`Single sign-on URL: ${acsUrl}`)
      await field(page, t('entityId')).fill(saved)
      const right = await tried()
      await expect(right.locator('main')).toContainText(t('samlTestPassed'))
      await expect(right.locator('main')).toContainText(t('samlTestPersonFound', { email: people.returning }))
      await expectAccessible(right)
      await right
        .getByRole('navigation', { name: t('breadcrumb') })
        .getByRole('link', { name: 'Fjällrå' })
        .click()
      await expect(dialog(right, t('editSamlConfig'))).toBeVisible()
      // Still the super user.
      expect((await api<{ email: string }>(right, 'GET', '/api/me')).email).toBe(people.superUser)
    })
  })
})
