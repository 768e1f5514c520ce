import type { Page } from '@playwright/test'
import type { User } from '#contract/users/users.ts'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expectNoSidewaysAtAnyWidth, expectUsableAtEveryWidth } from './every-width.ts'
import { expect, getUp, looks, narrow } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { joinAsAdmin, test } from './invited.ts'
import { type DemoEmail, people } from './people.ts'
import { t } from './texts.ts'

/** Tests share a database and run in parallel, so each creates its own users. */
let made = 0
const ownEmail = (what: string) => `${what}-${process.pid}-${++made}@dialog.example`
const password = 'Demo-password-1'

const dialog = (page: Page) => page.getByRole('dialog').last()
const confirmation = (page: Page) => page.getByRole('alertdialog')
/** Finds the row of this user; waits while the table still shows the rows from before the search. */
const rowOf = (page: Page, email: string) => page.getByRole('row', { name: email })
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Spara' }).click()
const permissions = (page: Page) =>
  dialog(page)
    .getByRole('tab', { name: /^Behörigheter/ })
    .click()
const saved = (page: Page) => expect(page.getByText('Ändringarna är sparade')).toBeVisible()

interface Named {
  name: string
  organizationId: string
  serviceId: string
}

interface Colleague {
  also?: string[]
  services?: string[]
  ssn?: string
}

async function organizationId(page: Page, name: string): Promise<string> {
  const all: Named[] = await api(page, 'GET', '/api/organizations/list')
  return all.find((one) => one.name === name)?.organizationId ?? ''
}
async function serviceId(page: Page, name: string): Promise<string> {
  const all: Named[] = await api(page, 'GET', '/api/services')
  return all.find((one) => one.name === name)?.serviceId ?? ''
}

/** Creates a user; `page` is signed in as a super user. */
async function newPerson(page: Page, email: string, rest: object = {}): Promise<string> {
  const person = { email, firstName: 'Rut', lastName: 'Provsson', loginMethod: 'local', ...rest }
  const passwords = person.loginMethod.startsWith('local') ? { password, confirmNewPassword: password } : {}
  const vouched = { unprovenReason: 'Test' }
  const { accountId = '' } = await api(page, 'POST', '/api/users', { ...person, ...passwords, ...vouched })
  return accountId
}
/** Says why a person whose address nobody has proven gets access. */
async function vouch(page: Page): Promise<void> {
  await confirmation(page)
    .getByRole('radio', { name: t('unprovenConfirm') })
    .check()
  const reason = confirmation(page).getByRole('textbox', { name: t('unprovenReason') })
  await confirmation(page)
    .getByRole('button', { name: t('continue') })
    .click()
  await expect(reason).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await reason.fill('Hon ringde från numret som vi känner.')
  await confirmation(page)
    .getByRole('button', { name: t('continue') })
    .click()
}
const readPerson = (page: Page, accountId: string) =>
  api<User>(page, 'GET', `/api/users/${accountId}/organization/-/service/-`)

/** Chooses an option in the combobox with this name. */
async function add(page: Page, field: string, typed: string, option: RegExp | string = typed) {
  await page.getByRole('combobox', { name: field }).fill(typed)
  // Wait for the search result, so that the options no longer move.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: option }).click()
}

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('creates a user with organisation and services; the other tab shows its number of errors', {
    tag: '@main',
  }, async ({ page }) => {
    const email = ownEmail('ny')
    await page.goto('/users')
    await expect(page.getByRole('heading', { level: 1, name: t('users') })).toBeVisible()
    await page.getByRole('link', { name: t('createUser') }).click()
    await expect(page).toHaveURL('/users/create-user')
    await expect(page.getByRole('textbox', { name: 'E-postadress' })).toBeFocused()
    await page.getByRole('textbox', { name: 'E-postadress' }).fill(email)
    await permissions(page)
    await add(page, 'Lägg till organisation', 'Nordvik', /Nordvik AB/)
    await expect(page.getByRole('combobox', { name: 'Roll i Nordvik AB' })).toHaveValue('regular')
    await add(page, 'Lägg till organisation', 'Nordvik', /Nordvik AB/)
    await expect(dialog(page)).toContainText('Organisationen är redan tillagd.')
    await add(page, 'Lägg till tjänst i Nordvik AB', 'Arkiv')
    await expect(page.getByRole('combobox', { name: 'Roll i Arkiv, Nordvik AB' })).toHaveValue('regular')
    await add(page, 'Lägg till tjänst i Nordvik AB', 'Arkiv')
    await expect(dialog(page)).toContainText('Tjänsten är redan tillagd.')
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Skapa' }).click()
    await expect(dialog(page).getByRole('tab', { name: 'Allmänt' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('group', { name: /saker behöver rättas/ })).toBeFocused()
    await permissions(page)
    await expect(dialog(page).getByRole('tab', { name: /Allmänt/ })).toContainText('3 fel')
    await page.getByRole('link', { name: /^Förnamn/ }).click()
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toBeFocused()
    await page.keyboard.type('Nina')
    await page.getByRole('textbox', { name: 'Efternamn' }).fill('Nystart')
    await page.getByLabel('Lösenord', { exact: true }).last().fill('Ett-riktigt-bra-1')
    await expect(dialog(page)).toContainText('5 av 5 krav är uppfyllda.')
    await page.getByLabel('Upprepa lösenordet').fill('Ett-riktigt-bra-2')
    await dialog(page).getByRole('button', { name: 'Skapa' }).click()
    await expect(page.getByLabel('Upprepa lösenordet')).toBeFocused()
    await page.getByLabel('Upprepa lösenordet').fill('Ett-riktigt-bra-1')
    await dialog(page).getByRole('button', { name: 'Skapa' }).click()
    await expect(page.getByText(t('created', { name: 'Nina Nystart' }))).toBeVisible()
    await expect(page).toHaveURL('/users')
    await page.getByRole('searchbox').fill(email)
    await expect(page.getByRole('row', { name: /Nina/ })).toContainText('Nordvik AB')
  })

  test('sees at their fields that an address is taken, and that a super user cannot use SAML', async ({ page }) => {
    await test.step('an address that is taken', async () => {
      await page.goto('/users/create-user')
      await page.getByRole('textbox', { name: 'E-postadress' }).fill(people.admin)
      await page.getByRole('textbox', { name: 'Förnamn' }).fill('A')
      await page.getByRole('textbox', { name: 'Efternamn' }).fill('B')
      await page.getByRole('radio', { name: t('loginMethodSaml') }).check()
      await expect(page.getByLabel('Upprepa lösenordet')).toHaveCount(0)
      await page.keyboard.press('Control+Enter')
      const picker = page.getByRole('combobox', { name: t('samlConfig') })
      await expect(picker).toBeFocused()
      await add(page, t('samlConfig'), 'fjäll', /Fjällrå/)
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('textbox', { name: 'E-postadress' })).toBeFocused()
      await expect(page.getByRole('textbox', { name: 'E-postadress' })).toHaveAccessibleDescription(
        'E-postadressen används redan.',
      )
    })
    await test.step('a super user with SAML', async () => {
      const accountId = await newPerson(page, ownEmail('saml'), { superUser: true })
      await page.goto(`/users/${accountId}`)
      await page.getByRole('combobox', { name: t('loginMethod') }).selectOption('saml')
      await page.getByRole('combobox', { name: t('samlConfig') }).click()
      await page.getByRole('option').first().click()
      await save(page)
      await expect(page.getByRole('combobox', { name: 'Inloggningsmetod' })).toHaveAccessibleDescription(
        /En superanvändare, .* kan inte använda organisationens inloggning\./,
      )
      await expectAccessible(page)
    })
  })

  test('edits a user by keyboard alone, and the focus returns to the row', { tag: '@main' }, async ({ page }) => {
    const email = ownEmail('tangent')
    await newPerson(page, email)
    await page.goto('/users')
    await page.getByRole('searchbox').fill(email)
    await rowOf(page, email).getByRole('link').focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveAccessibleName('Rut Provsson')
    await expect(dialog(page)).toContainText(email)
    await expect(page.getByRole('heading', { name: 'Rut Provsson' })).toBeFocused()
    const address = page.getByRole('textbox', { name: 'E-postadress' })
    await expect(address).toHaveAttribute('readonly', '')
    await expect(address).toHaveAccessibleDescription('E-postadressen kan inte ändras.')
    const firstName = page.getByRole('textbox', { name: 'Förnamn' })
    for (let step = 0; step < 8 && !(await firstName.evaluate((one) => one === document.activeElement)); step++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Ruth')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const number = page.getByRole('textbox', { name: 'Personnummer' })
    await expect(number).toBeFocused()
    await page.keyboard.type('191212121213')
    await page.keyboard.press('Control+Enter')
    await expect(number).toHaveAttribute('aria-invalid', 'true')
    await expect(number).toBeFocused()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await expect(number).not.toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Control+Enter')
    await saved(page)
    await expect(page.getByRole('table').getByRole('link', { name: 'Ruth' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveAccessibleName('Ruth Provsson')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/users\?searchQuery=/)
    await expect(page.getByRole('table').getByRole('link', { name: 'Ruth' })).toBeFocused()
  })

  test('makes a user a super user after a confirmation, and undoes it without one', async ({
    page,
    newPerson: newProven,
  }) => {
    const email = await newProven()
    const { items } = await api<{ items: { accountId: string }[] }>(page, 'GET', `/api/users?searchQuery=${email}`)
    const accountId = items[0]?.accountId ?? ''
    await page.goto(`/users/${accountId}`)
    await permissions(page)
    const toggle = page.getByRole('switch', { name: 'Superanvändare' })
    await toggle.click()
    await expect(confirmation(page)).toContainText(t('makeSuperUserTitle', { name: 'Nina Nyström' }))
    await expectAccessible(page)
    await confirmation(page).getByRole('button', { name: 'Avbryt' }).click()
    await expect(toggle).not.toBeChecked()
    await toggle.click()
    await confirmation(page).getByRole('button', { name: 'Gör till superanvändare' }).click()
    await expect(toggle).toBeChecked()
    await save(page)
    await saved(page)
    expect((await readPerson(page, accountId)).superUser).toBe(true)
    await page.goto(`/users/${accountId}`)
    await permissions(page)
    await toggle.click()
    await expect(confirmation(page)).toHaveCount(0)
    await save(page)
    await saved(page)
    expect((await readPerson(page, accountId)).superUser).toBe(false)
  })

  test('adds organisations and services with roles, and removes them, once the address is proven or somebody vouches for it', async ({
    page,
  }) => {
    await test.step('somebody vouches', async () => {
      const accountId = await newPerson(page, ownEmail('roller'))
      await page.goto(`/users/${accountId}`)
      await permissions(page)
      await expect(dialog(page)).toContainText('Personen tillhör ingen organisation än.')
      await add(page, 'Lägg till organisation', '212000-0003', /Solberga kommun/)
      await page.getByRole('combobox', { name: 'Roll i Solberga kommun' }).selectOption('Administratör')
      await add(page, 'Lägg till tjänst i Solberga kommun', 'Bokning')
      await page.getByRole('combobox', { name: 'Roll i Bokning, Solberga kommun' }).selectOption('Tjänsteadministratör')
      await add(page, 'Lägg till organisation', 'Nordvik', /Nordvik AB/)
      await save(page)
      await vouch(page)
      await saved(page)
      expect(await readPerson(page, accountId)).toMatchObject({
        organizations: [
          { name: 'Nordvik AB', userRole: 'regular' },
          { name: 'Solberga kommun', userRole: 'organizationAdmin' },
        ],
        services: [{ name: 'Bokning', organizationName: 'Solberga kommun', userRole: 'serviceAdmin' }],
      })
      await page.goto(`/users/${accountId}`)
      await permissions(page)
      await page.getByRole('button', { name: 'Ta bort Nordvik AB' }).click()
      await expect(page.getByRole('combobox', { name: 'Lägg till organisation' })).toBeFocused()
      await page.getByRole('button', { name: 'Ta bort Bokning, Solberga kommun' }).click()
      await save(page)
      await saved(page)
      const after = await readPerson(page, accountId)
      expect([after.organizations.length, after.services]).toEqual([1, []])
    })
    await test.step('an invitation instead', async () => {
      const email = ownEmail('obekraftad')
      const accountId = await newPerson(page, email)
      await page.goto(`/users/${accountId}`)
      await expect(dialog(page)).toContainText(t('addressUnprovenText', { email }))
      await permissions(page)
      await add(page, 'Lägg till organisation', 'Nordvik', /Nordvik AB/)
      await save(page)
      await expect(confirmation(page)).toContainText(t('addressUnprovenText', { email }))
      await expectAccessible(page)
      await confirmation(page)
        .getByRole('button', { name: t('continue') })
        .click()
      await saved(page)
      expect(await readPerson(page, accountId)).toMatchObject({ emailProven: false, organizations: [] })
      const mails = async () =>
        (await (await page.request.get('/dev/outbox', { headers: { accept: 'application/json' } })).json()) as {
          to: string
        }[]
      await expect.poll(async () => (await mails()).some(({ to }) => to === email)).toBe(true)
    })
  })

  test('sees at the service that another admin took the last seat', async ({ page }) => {
    const made = await api(page, 'POST', '/api/organizations', {
      name: `Platslös ${process.pid}`,
      loginMethod: 'local',
      services: [{ serviceId: await serviceId(page, 'Lön'), maxNumberOfUsers: 1 }],
    })
    const membership = { organizations: [{ organizationId: made.organizationId, userRole: 'regular' }] }
    const accountId = await newPerson(page, ownEmail('sist'), membership)
    await page.goto(`/users/${accountId}`)
    await permissions(page)
    await add(page, `Lägg till tjänst i ${made.name}`, 'Lön')
    await newPerson(page, ownEmail('först'.replace('ö', 'o')), {
      ...membership,
      services: [{ ...membership.organizations[0], serviceId: await serviceId(page, 'Lön') }],
    })
    await dialog(page).getByRole('tab', { name: 'Allmänt' }).click()
    await save(page)
    const role = page.getByRole('combobox', { name: `Roll i Lön, ${made.name}` })
    await expect(role).toBeFocused()
    await expect(role).toHaveAccessibleDescription('Det finns inga lediga platser i tjänsten.')
  })

  test('sees what another admin changed, and keeps the draft', async ({ page }) => {
    const nordvik = await organizationId(page, 'Nordvik AB')
    const solberga = await organizationId(page, 'Solberga kommun')
    const regular = (one: string) => ({ organizationId: one, userRole: 'regular' })
    const accountId = await newPerson(page, ownEmail('krock'), { organizations: [regular(nordvik)] })
    await page.goto(`/users/${accountId}`)
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Mitt')
    // A history is only read.
    await dialog(page)
      .getByRole('tab', { name: t('history') })
      .click()
    await expect(dialog(page).getByRole('button', { name: t('save') })).toHaveCount(0)
    await permissions(page)
    await page.getByRole('button', { name: 'Ta bort Nordvik AB' }).click()
    await api(page, 'PUT', '/api/users', {
      accountId,
      unprovenReason: 'Known to the help desk',
      firstName: 'Deras',
      phoneNumber: '+46701740600',
      organizations: [regular(nordvik), regular(solberga)],
    })
    await save(page)
    const notice = page.getByRole('alert')
    await expect(notice).toContainText('Ändrat till: Deras')
    await expect(notice).toContainText('Du har skrivit: Mitt')
    await expect(notice).toContainText('Ändrat till: +46701740600')
    await expect(notice).toContainText('Solberga kommun')
    await save(page)
    await saved(page)
    const after = await readPerson(page, accountId)
    expect(after).toMatchObject({ firstName: 'Mitt', phoneNumber: '+46701740600' })
    expect(after.organizations).toMatchObject([{ name: 'Solberga kommun' }])
  })

  test('marks a user as active while the draft stays, and sends a link to choose a new password, with a lifetime', async ({
    page,
  }) => {
    await test.step('a link', async () => {
      const email = ownEmail('glomsk')
      const accountId = await newPerson(page, email)
      await page.goto(`/users/${accountId}`)
      await page.getByRole('button', { name: 'Återställ lösenord' }).click()
      const hours = page.getByRole('textbox', { name: 'Länken gäller i' })
      await expect(hours).toHaveValue('10')
      await expect(hours).toBeFocused()
      await expectAccessible(page)
      await hours.fill('169')
      await page.keyboard.press('Enter')
      await expect(hours).toHaveAccessibleDescription(/Ange ett giltigt tal/)
      await hours.fill('24')
      await page.keyboard.press('Enter')
      await expect(page.getByText(`Länken är skickad till ${email}`)).toBeVisible()
      await expect(page).toHaveURL(`/users/${accountId}`)
    })
    await test.step('active, and the draft stays', async () => {
      const accountId = await newPerson(page, ownEmail('aktiv'))
      await page.goto(`/users/${accountId}`)
      await expect(dialog(page)).toContainText('Aldrig')
      await page.getByRole('textbox', { name: 'Efternamn' }).fill('Utkast')
      await page.getByRole('button', { name: t('updateLastActive') }).click()
      await expect(page.getByText(t('lastActiveUpdated'))).toBeVisible()
      expect((await readPerson(page, accountId)).lastActive).not.toBeNull()
      await expect(page.getByRole('textbox', { name: 'Efternamn' })).toHaveValue('Utkast')
      await save(page)
      await saved(page)
    })
    await test.step('active, and saved before the dialog has the new version', async () => {
      const accountId = await newPerson(page, ownEmail('genast'))
      await page.goto(`/users/${accountId}`)
      await page.getByRole('textbox', { name: 'Efternamn' }).fill('Utkast')
      const person = `**/api/users/${accountId}/organization/-/service/-`
      const answer = await holdBack(page, person)
      const asked = page.waitForRequest(person)
      await page.getByRole('button', { name: t('updateLastActive') }).click()
      await asked
      await save(page)
      await expect(dialog(page).getByRole('button', { name: 'Spara' })).toHaveAttribute('aria-busy', 'true')
      answer()
      await saved(page)
      expect(await readPerson(page, accountId)).toMatchObject({ lastName: 'Utkast' })
    })
  })

  test('sees the delivery status of an invitation, and assigns services before there is a name', async ({ page }) => {
    const email = ownEmail('inbjuden')
    await api(page, 'POST', '/api/invites', { email, organizationId: await organizationId(page, 'Nordvik AB') })
    const { items } = await api<{ items: { accountId: string }[] }>(
      page,
      'GET',
      `/api/users?searchQuery=${encodeURIComponent(email)}`,
    )
    await page.goto(`/users/${items[0]?.accountId}`)
    await expect(dialog(page)).toHaveAccessibleName(email)
    await expect(dialog(page)).toContainText('Inbjuden')
    await expect(dialog(page).getByRole('textbox', { name: 'Länk till inbjudan' })).toHaveValue(/accept-invitation/)
    await expect(dialog(page).getByRole('button', { name: 'Återställ lösenord' })).toHaveCount(0)
    await permissions(page)
    await add(page, 'Lägg till tjänst i Nordvik AB', 'Arkiv')
    await save(page)
    await saved(page)
    expect(await readPerson(page, items[0]?.accountId ?? '')).toMatchObject({
      firstName: null,
      services: [{ name: 'Arkiv' }],
    })
  })

  test('deletes a user after a confirmation with the name, but never the own account', async ({ page }) => {
    const accountId = await newPerson(page, ownEmail('bort'), { firstName: 'Bo', lastName: 'Bort' })
    await page.goto(`/users/${accountId}`)
    await dialog(page)
      .getByRole('button', { name: t('delete'), exact: true })
      .click()
    await expect(confirmation(page)).toContainText(t('deleteNamed', { name: 'Bo Bort' }))
    await expect(confirmation(page).getByRole('button', { name: 'Avbryt' })).toBeFocused()
    await confirmation(page)
      .getByRole('button', { name: t('delete') })
      .click()
    await expect(page.getByText(t('deleted', { name: 'Bo Bort' }))).toBeVisible()
    await expect(page).toHaveURL('/users')
    const me = await api(page, 'GET', '/api/me')
    await page.goto(`/users/${me.accountId}`)
    await expect(dialog(page)).toHaveAccessibleName('Siv Ledin')
    await expect(dialog(page).getByRole('button', { name: t('delete'), exact: true })).toHaveCount(0)
    await permissions(page)
    await expect(page.getByRole('switch', { name: 'Superanvändare' })).toBeDisabled()
  })

  test('opens a user above the organisation, and Back closes one dialog at a time, on a phone too', async ({
    page,
  }) => {
    await test.step('on a wide screen', async () => {
      const nordvik = await organizationId(page, 'Nordvik AB')
      const email = ownEmail('nastlad')
      const accountId = await newPerson(page, email, {
        organizations: [{ organizationId: nordvik, userRole: 'regular' }],
      })
      await page.goto(`/organization-settings/${nordvik}/${accountId}`)
      await expect(page.getByRole('dialog', { name: 'Rut Provsson' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(`/organization-settings/${nordvik}`)
      await expect(page.getByRole('dialog', { name: 'Redigera organisation' })).toBeVisible()
      await page.getByRole('searchbox', { name: 'Sök på namn eller e-postadress' }).fill(email)
      await rowOf(page, email).getByRole('link').click()
      await expect(page.getByRole('dialog', { name: 'Rut Provsson' })).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('dialog', { name: 'Rut Provsson' })).toHaveCount(0)
      await expect(page.getByRole('dialog', { name: 'Redigera organisation' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/organization-settings')
    })
    await test.step('on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      const nordvik = await organizationId(page, 'Nordvik AB')
      const email = ownEmail('mobil')
      const membership = { organizationId: nordvik, userRole: 'regular' }
      const accountId = await newPerson(page, email, { organizations: [membership] })
      const list = '/organization-settings?searchQuery=nordvik'
      const organization = page.getByRole('dialog', { name: 'Redigera organisation' })
      const person = page.getByRole('dialog', { name: 'Rut Provsson' })
      await page.goto(list)
      await page.getByRole('link', { name: 'Nordvik AB', exact: true }).click()
      await organization.getByRole('tab', { name: 'Användare' }).click()
      await organization.getByRole('searchbox').fill(email)
      await rowOf(page, email).getByRole('link').click()
      await expect(person.getByRole('textbox', { name: 'Förnamn' })).toBeVisible()
      await expect(person.getByRole('button', { name: 'Tillbaka' })).toBeVisible()

      await person.getByRole('textbox', { name: 'Förnamn' }).fill('Halvfärdig')
      await page.goBack()
      await expect(confirmation(page)).toContainText('Kasta osparade ändringar?')
      await confirmation(page)
        .getByRole('button', { name: t('goBackToForm') })
        .click()
      await expect(confirmation(page)).toHaveCount(0)
      // The navigation was undone, so the next step back starts from the user again.
      await expect(page).toHaveURL(`/organization-settings/${nordvik}/${accountId}?searchQuery=nordvik`)
      await expect(person.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Halvfärdig')
      await page.goBack()
      await confirmation(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
      await expect(person).toHaveCount(0)
      await expect(page).toHaveURL(`/organization-settings/${nordvik}?searchQuery=nordvik`)
      await expect(organization.getByRole('searchbox')).toHaveValue(email)
      await expect(rowOf(page, email).getByRole('link')).toBeFocused()

      await page.goBack()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL(list)
      await expect(page.getByRole('searchbox')).toHaveValue('nordvik')
      await page.goForward()
      await expect(organization).toBeVisible()
      await expect(person).toHaveCount(0)
    })
  })

  test('can use it at every width', async ({ page }) => {
    const nordvik = await organizationId(page, 'Nordvik AB')
    const own = { organizationId: nordvik, userRole: 'regular' }
    const accountId = await newPerson(page, ownEmail('mycket-lang-adress-for-en-smal-och-en-bred-skarm'), {
      lastName: 'Efternamn-som-är-ovanligt-långt-och-aldrig-tar-slut',
      organizations: [own],
      services: [{ ...own, serviceId: await serviceId(page, 'Bokning') }],
    })
    await page.goto(`/organization-settings/${nordvik}/${accountId}`)
    await expect(dialog(page)).toContainText('Senaste inloggning')
    await expectNoSidewaysAtAnyWidth(page)
    await permissions(page)
    await expect(page.getByRole('combobox', { name: 'Lägg till organisation' })).toBeVisible()
    await expectUsableAtEveryWidth(page)
    await page.setViewportSize(narrow)
    await expect(dialog(page).getByRole('button', { name: 'Stäng' })).toBeHidden()
    await dialog(page).getByRole('button', { name: 'Tillbaka' }).click()
    await expect(page).toHaveURL(`/organization-settings/${nordvik}`)
    await page.goto('/users/create-user')
    await expect(dialog(page).getByRole('textbox', { name: 'E-postadress' })).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('group', { name: /saker behöver rättas/ })).toBeFocused()
    await page.setViewportSize(looks[0].viewport)
    await expectUsableAtEveryWidth(page)
  })
})

/** A super user creates a user in Nordvik; then another user signs in. */
async function newColleague(page: Page, signIn: (email: DemoEmail) => Promise<void>, as: DemoEmail, rest: Colleague) {
  await signIn(people.superUser)
  const memberships = ['Nordvik AB', ...(rest.also ?? [])]
  const organizations = await Promise.all(
    memberships.map(async (name) => ({ organizationId: await organizationId(page, name), userRole: 'regular' })),
  )
  const services = await Promise.all(
    (rest.services ?? []).map(async (name) => ({ ...organizations[0], serviceId: await serviceId(page, name) })),
  )
  const ssn = rest.ssn ?? null
  const accountId = await newPerson(page, ownEmail('kollega'), { organizations, services, ssn })
  await getUp(page)
  await signIn(as)
  await page.goto(`/user-administration/${accountId}`)
  await expect(page.getByRole('dialog', { name: 'Rut Provsson' })).toBeVisible()
  return accountId
}

test.describe('an organisation admin', () => {
  test('changes details, role and services of a colleague, and sees the rest as text', { tag: '@main' }, async ({
    page,
    signIn,
  }) => {
    const ssn = '199912312395'
    const accountId = await newColleague(page, signIn, people.admin, { services: ['Arkiv'], ssn })
    await expect(page.getByRole('textbox', { name: 'Personnummer' })).toHaveValue('19991231-****')
    await expect(dialog(page).getByRole('combobox', { name: t('loginMethod') })).toHaveCount(0)
    await expect(dialog(page)).toContainText('Inloggningsmetod')
    await expect(dialog(page).getByRole('button', { name: t('delete'), exact: true })).toHaveCount(0)
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Ruth')
    await permissions(page)
    await expect(page.getByRole('switch')).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Lägg till organisation' })).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Roll i Nordvik AB' }).selectOption('Administratör')
    await page.getByRole('button', { name: 'Ta bort Arkiv, Nordvik AB' }).click()
    await add(page, 'Lägg till tjänst i Nordvik AB', 'Bokning')
    await expectAccessible(page)
    await save(page)
    await saved(page)
    expect(await readPerson(page, accountId)).toMatchObject({
      firstName: 'Ruth',
      ssn: '19991231-****',
      organizations: [{ userRole: 'organizationAdmin' }],
      services: [{ name: 'Bokning' }],
    })
  })

  test('removes a user who also belongs to another organisation, and cannot change the names', async ({
    page,
    signIn,
  }) => {
    await newColleague(page, signIn, people.admin, { also: ['Solberga kommun'] })
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveCount(0)
    await expect(dialog(page)).toContainText('Provsson')
    await expect(dialog(page)).not.toContainText('Solberga')
    // Values that concern other organisations too are left out, not shown as empty.
    for (const term of [t('ssn'), t('phoneNumber'), t('lastLogin'), t('preferredLanguage')])
      await expect(dialog(page).getByText(term, { exact: true })).toHaveCount(0)
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Ta bort från organisationen' }).click()
    await expect(confirmation(page)).toContainText('Ta bort Rut Provsson från Nordvik AB?')
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(
      page.getByText(t('removeFromOrganizationDone', { name: 'Rut Provsson', organization: 'Nordvik AB' })),
    ).toBeVisible()
    await expect(page).toHaveURL('/user-administration')
  })

  test('sees what another admin changed, and keeps the draft', async ({
    page,
    signIn,
    browser,
    baseURL,
    sessionOf,
  }) => {
    const accountId = await newColleague(page, signIn, people.admin, { services: ['Arkiv'] })
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Mitt')
    await permissions(page)
    await add(page, 'Lägg till tjänst i Nordvik AB', 'Bokning')

    const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
    await elsewhere.addCookies(await sessionOf(people.superUser))
    const other = await elsewhere.newPage()
    const nordvik = await organizationId(other, 'Nordvik AB')
    const theirs = { firstName: 'Deras', lastName: 'Nyström', phoneNumber: '+46701740601' }
    await api(other, 'PUT', '/api/users', { accountId, ...theirs })
    const role = { userRole: 'organizationAdmin', services: [], unprovenReason: 'Known to the help desk' }
    await api(other, 'POST', `/api/users/${accountId}/organization/${nordvik}/service`, role)

    const refused = page.waitForResponse((response) => response.status() === 409)
    await save(page)
    expect(await (await refused).json()).toMatchObject({ message: 'changedByOthers' })
    const notice = page.getByRole('alert')
    await expect(notice).toContainText('Ändrat till: Deras')
    await expect(notice).toContainText('Du har skrivit: Mitt')
    await expect(notice).toContainText('Ändrat till: Nyström')
    await expect(notice).toContainText('Ändrat till: +46701740601')
    await expect(notice).toContainText('Ändrat till: Administratör')
    await expect(notice).toContainText('Arkiv, Nordvik AB')
    await expect(notice).not.toContainText('Bokning')
    expect(await readPerson(other, accountId)).toMatchObject({ ...theirs, services: [] })
    await expect(page.getByRole('combobox', { name: 'Roll i Bokning, Nordvik AB' })).toHaveValue('regular')
    await dialog(page).getByRole('tab', { name: 'Allmänt' }).click()
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Mitt')
    await expect(page.getByRole('textbox', { name: 'Efternamn' })).toHaveValue('Nyström')
    await save(page)
    await saved(page)
    expect(await readPerson(other, accountId)).toMatchObject({
      ...theirs,
      firstName: 'Mitt',
      organizations: [{ name: 'Nordvik AB', userRole: 'organizationAdmin' }],
      services: [{ name: 'Bokning' }],
    })
    await elsewhere.close()
  })

  test('sees that only super users create users', async ({ page, signIn }) => {
    await signIn(people.admin)
    await page.goto('/user-administration/create-user')
    await expect(dialog(page)).toContainText(t('createUserForSuperUsers'))
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/user-administration')
  })
})

test('an admin of two organisations opens a user of the other one, and follows the link there', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  const name = `Tvilling ${process.pid} AB`
  const { organizationId: other = '' } = await api(page, 'POST', '/api/organizations', { name, loginMethod: 'local' })
  const email = ownEmail('annanstans')
  const accountId = await newPerson(page, email, { organizations: [{ organizationId: other, userRole: 'regular' }] })
  const arkiv = await serviceId(page, 'Arkiv')
  await joinAsAdmin(page, signIn, { email: people.twoPlaces, organizationId: other })
  await page.goto(`/user-administration/${accountId}`)
  await expect(dialog(page)).toHaveAccessibleName('Rut Provsson')
  await expect(dialog(page)).toContainText('Personen är inte med i Nordvik AB.')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSideways(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog(page)
    .getByRole('link', { name: `Byt till ${name}` })
    .click()
  await expect(dialog(page).getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Rut')
  await expect(page).toHaveURL(`/user-administration/${accountId}`)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/user-administration')
  await expect(page.getByRole('button', { name: `Organisation: ${name}` })).toBeVisible()
  await expect(rowOf(page, email)).toBeVisible()

  // A user without the service of the tab who belongs to the organisation; then a user who does not exist.
  await page.goto(`/user-administration/${accountId}?tab=${arkiv}`)
  await expect(dialog(page).getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Rut')
  await page.goto('/user-administration/0190f3c8-7b1a-7000-8000-00000000dead')
  await expect(dialog(page)).toContainText('Det du söker finns inte.')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: `Organisation: ${name}` }).click()
  await page.getByRole('menuitemradio', { name: 'Nordvik AB' }).click()
  await expect(page.getByText(/^Du har inga användare att administrera i Nordvik AB\./)).toBeVisible()
  await page.goto(`/user-administration/import/${other}`)
  await page
    .getByRole('navigation', { name: t('breadcrumb') })
    .getByRole('link')
    .click()
  await expect(rowOf(page, email)).toBeVisible()
})

test('a service admin assigns only the own service, and appoints no admins', async ({ page, signIn }) => {
  const accountId = await newColleague(page, signIn, people.user, { services: ['Bokning', 'Arkiv'] })
  await expect(dialog(page).getByRole('tab')).toHaveCount(0)
  await expect(dialog(page)).not.toContainText('Arkiv')
  await expect(dialog(page)).not.toContainText('Personnummer')
  await expect(page.getByRole('combobox', { name: 'Roll i Bokning, Nordvik AB' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Ta bort Bokning, Nordvik AB' }).click()
  await save(page)
  await saved(page)
  // Without the service, the admin can no longer see the user.
  await page.goto(`/user-administration/${accountId}`)
  await expect(dialog(page)).toContainText('Det du söker finns inte.')
})
