import type { Page } from '@playwright/test'
import type { User } from '#contract/users.ts'
import { api } from './api.ts'
import { expect, expectAccessible, expectNoSideways, getUp, looks, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { type DemoEmail, people } from './people.ts'

/** Journeys run side by side on one database: each makes people of its own. */
let made = 0
const ownEmail = (what: string) => `${what}-${process.pid}-${++made}@dialog.example`
const password = 'Demo-password-1'

const dialog = (page: Page) => page.getByRole('dialog').last()
const confirmation = (page: Page) => page.getByRole('alertdialog')
/** What is still there from before the search is passed over. */
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

/** Somebody new; `page` is signed in as a super user and somewhere in the app. */
async function newPerson(page: Page, email: string, rest: object = {}): Promise<string> {
  const person = { email, firstName: 'Rut', lastName: 'Provsson', loginMethod: 'local', ...rest }
  const passwords = person.loginMethod.startsWith('local') ? { password, confirmNewPassword: password } : {}
  const { accountId = '' } = await api(page, 'POST', '/api/users', { ...person, ...passwords })
  return accountId
}
const readPerson = (page: Page, accountId: string) =>
  api<User>(page, 'GET', `/api/users/${accountId}/organization/-/service/-`)

/** Chooses one of many in the field with this name. */
async function add(page: Page, field: string, typed: string, option: RegExp | string = typed) {
  await page.getByRole('combobox', { name: field }).fill(typed)
  // What is found takes the place of what was offered: after that nothing moves below the pointer.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: option }).click()
}

test.describe('a super user', () => {
  test.beforeEach(async ({ page, signIn }) => {
    await signIn(people.superUser)
    await page.goto('/users')
    await expect(page.getByRole('heading', { level: 1, name: 'Användare' })).toBeVisible()
  })

  test('creates a person with organisation and services; what is missing in a tab behind is counted', async ({
    page,
  }) => {
    const email = ownEmail('ny')
    await page.getByRole('link', { name: 'Skapa användare' }).click()
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
    await expect(page.getByText('Nina Nystart är skapad')).toBeVisible()
    await expect(page).toHaveURL('/users')
    await page.getByRole('searchbox').fill(email)
    await expect(page.getByRole('row', { name: /Nina/ })).toContainText('Nordvik AB')
  })

  test('an address that somebody has is told at its field', async ({ page }) => {
    await page.goto('/users/create-user')
    await page.getByRole('textbox', { name: 'E-postadress' }).fill(people.admin)
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('A')
    await page.getByRole('textbox', { name: 'Efternamn' }).fill('B')
    await page.getByRole('radio', { name: 'Företagets inloggning' }).check()
    await expect(page.getByLabel('Upprepa lösenordet')).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    const picker = page.getByRole('combobox', { name: 'SAML-konfiguration' })
    await expect(picker).toBeFocused()
    await add(page, 'SAML-konfiguration', 'fjäll', /Fjällrå/)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('textbox', { name: 'E-postadress' })).toBeFocused()
    await expect(page.getByRole('textbox', { name: 'E-postadress' })).toHaveAccessibleDescription(
      'E-postadressen används redan.',
    )
  })

  test('edits a person by keyboard alone, and the focus returns to the row', async ({ page }) => {
    const email = ownEmail('tangent')
    await newPerson(page, email)
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

  test('makes a super user after a question, and takes it back at once', async ({ page }) => {
    const accountId = await newPerson(page, ownEmail('super'))
    await page.goto(`/users/${accountId}`)
    await permissions(page)
    const toggle = page.getByRole('switch', { name: 'Superanvändare' })
    await toggle.click()
    await expect(confirmation(page)).toContainText('Göra Rut Provsson till superanvändare?')
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

  test('gives organisations and services with roles, and takes them away', async ({ page }) => {
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

  test('is told at its field that somebody took the last seat', async ({ page }) => {
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
    await expectAccessible(page)
  })

  test('is told what another admin changed, and keeps what was typed', async ({ page }) => {
    const nordvik = await organizationId(page, 'Nordvik AB')
    const solberga = await organizationId(page, 'Solberga kommun')
    const regular = (one: string) => ({ organizationId: one, userRole: 'regular' })
    const accountId = await newPerson(page, ownEmail('krock'), { organizations: [regular(nordvik)] })
    await page.goto(`/users/${accountId}`)
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Mitt')
    await permissions(page)
    await page.getByRole('button', { name: 'Ta bort Nordvik AB' }).click()
    await api(page, 'PUT', '/api/users', {
      accountId,
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
    await expectAccessible(page)
    await save(page)
    await saved(page)
    const after = await readPerson(page, accountId)
    expect(after).toMatchObject({ firstName: 'Mitt', phoneNumber: '+46701740600' })
    expect(after.organizations).toMatchObject([{ name: 'Solberga kommun' }])
  })

  test('says that somebody was active just now, with a draft that stays', async ({ page }) => {
    const accountId = await newPerson(page, ownEmail('aktiv'))
    await page.goto(`/users/${accountId}`)
    await expect(dialog(page)).toContainText('Aldrig')
    await page.getByRole('textbox', { name: 'Efternamn' }).fill('Utkast')
    await page.getByRole('button', { name: 'Uppdatera senast aktiv' }).click()
    await expect(page.getByText('Senast aktiv är uppdaterad')).toBeVisible()
    expect((await readPerson(page, accountId)).lastActive).not.toBeNull()
    await expect(page.getByRole('textbox', { name: 'Efternamn' })).toHaveValue('Utkast')
    await save(page)
    await saved(page)
  })

  test('says that somebody was active, and saves before the dialog has heard what became of it', async ({ page }) => {
    const accountId = await newPerson(page, ownEmail('genast'))
    await page.goto(`/users/${accountId}`)
    await page.getByRole('textbox', { name: 'Efternamn' }).fill('Utkast')
    const person = `**/api/users/${accountId}/organization/-/service/-`
    const answer = await holdBack(page, person)
    const asked = page.waitForRequest(person)
    await page.getByRole('button', { name: 'Uppdatera senast aktiv' }).click()
    await asked
    await save(page)
    await expect(dialog(page).getByRole('button', { name: 'Spara' })).toHaveAttribute('aria-busy', 'true')
    answer()
    await saved(page)
    expect(await readPerson(page, accountId)).toMatchObject({ lastName: 'Utkast' })
  })

  test('sends a link to choose a new password, with a lifetime', async ({ page }) => {
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

  test('sees how far an invitation has come, and hands out services before there is a name', async ({ page }) => {
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
    await expectAccessible(page)
    await save(page)
    await saved(page)
    expect(await readPerson(page, items[0]?.accountId ?? '')).toMatchObject({
      firstName: null,
      services: [{ name: 'Arkiv' }],
    })
  })

  test('deletes a person after a question that names them, but never the own account', async ({ page }) => {
    const accountId = await newPerson(page, ownEmail('bort'), { firstName: 'Bo', lastName: 'Bort' })
    await page.goto(`/users/${accountId}`)
    await dialog(page).getByRole('button', { name: 'Ta bort', exact: true }).click()
    await expect(confirmation(page)).toContainText('Ta bort Bo Bort?')
    await expect(confirmation(page).getByRole('button', { name: 'Avbryt' })).toBeFocused()
    await expectAccessible(page)
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(page.getByText('Bo Bort är borttagen')).toBeVisible()
    await expect(page).toHaveURL('/users')
    const me = await api(page, 'GET', '/api/me')
    await page.goto(`/users/${me.accountId}`)
    await expect(dialog(page)).toHaveAccessibleName('Siv Ledin')
    await expect(dialog(page).getByRole('button', { name: 'Ta bort', exact: true })).toHaveCount(0)
    await permissions(page)
    await expect(page.getByRole('switch', { name: 'Superanvändare' })).toBeDisabled()
  })

  test('is asked before a draft is lost, whichever way it would go', async ({ page }) => {
    const email = ownEmail('utkast')
    const accountId = await newPerson(page, email)
    await page.getByRole('searchbox').fill(email)
    await rowOf(page, email).getByRole('link').click()
    await page.getByRole('textbox', { name: 'Förnamn' }).fill('Halvfärdig')
    const goBack = () => confirmation(page).getByRole('button', { name: 'Gå tillbaka' }).click()
    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => page.evaluate(() => history.back()),
      () => dialog(page).getByRole('button', { name: 'Avbryt' }).click(),
    ]
    for (const leave of ways) {
      await leave()
      await expect(confirmation(page)).toContainText('Kasta osparade ändringar?')
      await goBack()
      await expect(confirmation(page)).toHaveCount(0)
      await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Halvfärdig')
      await expect(page).toHaveURL(new RegExp(accountId))
    }
    await page.keyboard.press('Escape')
    await confirmation(page).getByRole('button', { name: 'Kasta ändringarna' }).click()
    await expect(page).toHaveURL(/\/users\?searchQuery=/)
  })

  test('opens one of an organisation’s people above the organisation, and Back closes one at a time', async ({
    page,
  }) => {
    const nordvik = await organizationId(page, 'Nordvik AB')
    const email = ownEmail('nastlad')
    const accountId = await newPerson(page, email, {
      organizations: [{ organizationId: nordvik, userRole: 'regular' }],
    })
    await page.goto(`/organization-settings/${nordvik}/${accountId}`)
    await expect(page.getByRole('dialog', { name: 'Rut Provsson' })).toBeVisible()
    await expectAccessible(page)
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

  test('on a phone goes Back from a person to the organisation, and from there to the list', async ({ page }) => {
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
    await confirmation(page).getByRole('button', { name: 'Gå tillbaka' }).click()
    await expect(confirmation(page)).toHaveCount(0)
    // The step back was taken back: the next one begins at the person again.
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

  for (const look of looks)
    test(`is well served: ${look.name}`, async ({ page }) => {
      await page.setViewportSize(look.viewport)
      const nordvik = await organizationId(page, 'Nordvik AB')
      const own = { organizationId: nordvik, userRole: 'regular' }
      const accountId = await newPerson(
        page,
        ownEmail(`mycket-lang-adress-for-en-smal-och-en-bred-skarm-${look.name}`),
        {
          lastName: 'Efternamn-som-är-ovanligt-långt-och-aldrig-tar-slut',
          organizations: [own],
          services: [{ ...own, serviceId: await serviceId(page, 'Bokning') }],
        },
      )
      const narrow = look.viewport.width < 640
      await page.goto(narrow ? `/organization-settings/${nordvik}/${accountId}` : `/users/${accountId}`)
      await expect(dialog(page)).toContainText('Senaste inloggning')
      await expectAccessible(page)
      await expectNoSideways(page)
      await permissions(page)
      await expect(page.getByRole('combobox', { name: 'Lägg till organisation' })).toBeVisible()
      await expectAccessible(page)
      await expectNoSideways(page)
      if (narrow) {
        await expect(dialog(page).getByRole('button', { name: 'Stäng' })).toBeHidden()
        await dialog(page).getByRole('button', { name: 'Tillbaka' }).click()
        await expect(page).toHaveURL(`/organization-settings/${nordvik}`)
      }
      await page.goto('/users/create-user')
      await expect(dialog(page).getByRole('textbox', { name: 'E-postadress' })).toBeFocused()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('group', { name: /saker behöver rättas/ })).toBeFocused()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
})

/** Somebody new in Nordvik, made by a super user; then another person signs in. */
async function newColleague(page: Page, signIn: (email: DemoEmail) => Promise<void>, as: DemoEmail, rest: Colleague) {
  await signIn(people.superUser)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
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
  test('changes details, role and services of a colleague, and sees the rest as text', async ({ page, signIn }) => {
    const ssn = '199912312395'
    const accountId = await newColleague(page, signIn, people.admin, { services: ['Arkiv'], ssn })
    await expect(page.getByRole('textbox', { name: 'Personnummer' })).toHaveValue('19991231-****')
    await expect(dialog(page).getByRole('radio')).toHaveCount(0)
    await expect(dialog(page)).toContainText('Inloggningsmetod')
    await expect(dialog(page).getByRole('button', { name: 'Ta bort', exact: true })).toHaveCount(0)
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

  test('removes a colleague of another organisation, whose names are not theirs to change', async ({
    page,
    signIn,
  }) => {
    await newColleague(page, signIn, people.admin, { also: ['Solberga kommun'] })
    await expect(page.getByRole('textbox', { name: 'Förnamn' })).toHaveCount(0)
    await expect(dialog(page)).toContainText('Provsson')
    await expect(dialog(page)).not.toContainText('Solberga')
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Ta bort från organisationen' }).click()
    await expect(confirmation(page)).toContainText('Ta bort Rut Provsson från Nordvik AB?')
    await confirmation(page).getByRole('button', { name: 'Ta bort' }).click()
    await expect(page.getByText('Rut Provsson är borttagen från Nordvik AB')).toBeVisible()
    await expect(page).toHaveURL('/user-administration')
  })

  test('is told what another admin changed, and keeps what was typed', async ({
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
    await other.goto('/')
    const nordvik = await organizationId(other, 'Nordvik AB')
    const theirs = { firstName: 'Deras', lastName: 'Nyström', phoneNumber: '+46701740601' }
    await api(other, 'PUT', '/api/users', { accountId, ...theirs })
    const role = { userRole: 'organizationAdmin', services: [] }
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
    await expectAccessible(page)
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

  test('is told that creating users is for others', async ({ page, signIn }) => {
    await signIn(people.admin)
    await page.goto('/user-administration/create-user')
    await expect(dialog(page)).toContainText('Bara superanvändare skapar användare.')
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/user-administration')
  })
})

test('an admin of two organisations opens somebody of the other one: is told so, and sees them there', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const name = `Tvilling ${process.pid} AB`
  const { organizationId: other } = await api(page, 'POST', '/api/organizations', { name, loginMethod: 'local' })
  const email = ownEmail('annanstans')
  const accountId = await newPerson(page, email, { organizations: [{ organizationId: other, userRole: 'regular' }] })
  await api(page, 'POST', '/api/invites', { email: people.twoPlaces, organizationId: other })
  const { items } = await api<{ items: { accountId: string }[] }>(
    page,
    'GET',
    `/api/users?searchQuery=${people.twoPlaces}`,
  )
  const role = { userRole: 'organizationAdmin', services: [] }
  await api(page, 'POST', `/api/users/${items[0]?.accountId}/organization/${other}/service`, role)
  const arkiv = await serviceId(page, 'Arkiv')
  await getUp(page)
  await signIn(people.twoPlaces)
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

  // Without the service of the tab, but a colleague all the same; and nobody at all.
  await page.goto(`/user-administration/${accountId}?tab=${arkiv}`)
  await expect(dialog(page).getByRole('textbox', { name: 'Förnamn' })).toHaveValue('Rut')
  await page.goto('/user-administration/0190f3c8-7b1a-7000-8000-00000000dead')
  await expect(dialog(page)).toContainText('Det du söker finns inte.')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: `Organisation: ${name}` }).click()
  await page.getByRole('menuitemradio', { name: 'Nordvik AB' }).click()
  await expect(page.getByText(/^Du har inga användare att administrera i Nordvik AB\./)).toBeVisible()
  await page.goto(`/user-administration/import/${other}`)
  await page.getByRole('navigation', { name: 'Var du är' }).getByRole('link').click()
  await expect(rowOf(page, email)).toBeVisible()
})

test('a service admin hands out the own service alone', async ({ page, signIn }) => {
  const accountId = await newColleague(page, signIn, people.user, { services: ['Bokning', 'Arkiv'] })
  await expect(dialog(page).getByRole('tab')).toHaveCount(0)
  await expect(dialog(page)).not.toContainText('Arkiv')
  await expect(dialog(page)).not.toContainText('Personnummer')
  const role = page.getByRole('combobox', { name: 'Roll i Bokning, Nordvik AB' })
  await role.selectOption('Tjänsteadministratör')
  await expectAccessible(page)
  await save(page)
  await saved(page)
  expect((await readPerson(page, accountId)).services).toMatchObject([{ name: 'Bokning', userRole: 'serviceAdmin' }])
})
