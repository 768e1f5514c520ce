import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { api } from './api.ts'
import { expect, getUp, narrow, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { joinAsAdmin } from './invited.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const list = '/users'
const colleagues = '/user-administration'

/** Tests share a database and run in parallel, so each creates its own users. */
let made = 0
const ownWord = (what: string) => `${what}${process.pid}x${++made}x`

const table = (page: Page, name: string | RegExp = 'Användare') => page.getByRole('table', { name })
const rows = (page: Page) => page.getByRole('main').getByRole('rowheader')
const search = (page: Page) => page.getByRole('main').getByRole('searchbox')
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** The page has this path and exactly these search parameters, in any order. */
const expectAddress = (page: Page, path: string, query: Record<string, string>) =>
  expect(page).toHaveURL(
    ({ pathname, searchParams }) =>
      pathname === path &&
      searchParams.size === Object.keys(query).length &&
      Object.entries(query).every(([name, value]) => searchParams.get(name) === value),
  )

interface Found {
  items: { accountId: string; organizationId: string }[]
}
const organizationIdOf = async (page: Page, name: string) => {
  const { items } = await api<Found>(page, 'GET', `/api/organizations?searchQuery=${encodeURIComponent(name)}`)
  return items[0]?.organizationId ?? ''
}

interface NewPerson {
  firstName: string
  lastName?: string
  organizationId?: string
}

/** Creates a new user as the signed-in super user. */
async function addPerson(page: Page, { firstName, lastName = 'Listad', organizationId }: NewPerson): Promise<string> {
  const password = 'Resan-till-7-havet'
  const email = `${firstName.toLowerCase()}@listor.example`
  const organizations = organizationId ? [{ organizationId, userRole: 'regular' }] : []
  const person = { email, firstName, lastName, loginMethod: 'local', password, confirmNewPassword: password }
  await api(page, 'POST', '/api/users', { ...person, organizations })
  return email
}

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('finds people by any part of name, address or organisation, sorts, pages, and opens a user above the list', async ({
    page,
  }) => {
    await test.step('found, and left with one step back', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Administration' }).click()
      await page.getByRole('menuitem', { name: 'Användare' }).click()
      await expect(page).toHaveTitle('Användare – Vestibule')
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await search(page).fill('åsa solberga')
      await expect(rows(page)).toHaveText(['Åsa Berg'])
      await expect(page).toHaveURL(`${list}?searchQuery=%C3%A5sa+solberga`)
      await expect(table(page).getByRole('row', { name: 'Åsa Berg' })).toContainText('Solberga kommun')
      await search(page).fill('finns inte')
      await expect(page.getByText('Inga användare matchar ”finns inte”.')).toBeVisible()
      await page.getByRole('main').getByRole('button', { name: 'Rensa sökningen' }).last().click()
      await expect(rows(page)).toHaveCount(10)
      await expect(page).toHaveURL(list)
      await page.goBack()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greetingName', { name: 'Siv' }))
    })
    await test.step('another column keeps the direction, the same one reverses it', async () => {
      await page.goto(`${list}?searchQuery=nordvik.example`)
      await expect(header(page, 'E-postadress')).toHaveAttribute('aria-sort', 'ascending')
      await header(page, 'E-postadress').getByRole('button').click()
      await expect(header(page, 'E-postadress')).toHaveAttribute('aria-sort', 'descending')
      await header(page, 'Förnamn').getByRole('button').click()
      await expect(header(page, 'Förnamn')).toHaveAttribute('aria-sort', 'descending')
      const sorted = { searchQuery: 'nordvik.example', sortField: 'firstName', sortDirection: 'desc' }
      await expectAddress(page, list, sorted)
      await expect(page.locator('th[aria-sort]')).toHaveCount(1)
      await header(page, 'Förnamn').getByRole('button').click()
      await expect(header(page, 'Förnamn')).toHaveAttribute('aria-sort', 'ascending')
      await expect(rows(page).first()).toHaveText('Anna Andersson')
      await page.reload()
      await expect(rows(page).first()).toHaveText('Anna Andersson')
    })
    await test.step('invalid list parameters show the default list, and a text stays a text', async () => {
      await page.goto(`${list}?page=abc&sortField=evil&sortDirection=up`)
      await expect(header(page, 'E-postadress')).toHaveAttribute('aria-sort', 'ascending')
      await expect(page.getByText(/^1–10 av \d+$/)).toBeVisible()
      await page.goto(`${list}?searchQuery=0701234567`)
      await expect(search(page)).toHaveValue('0701234567')
      await page.goto(`${list}?page=999&searchQuery=emil`)
      await expect(page).toHaveURL(`${list}?searchQuery=emil`)
      await expect(rows(page)).toHaveText(['Emil Vikström'])
    })
    await test.step('a user is opened above a page of the list', async () => {
      await page.goto(`${list}?searchQuery=solberga.example&sortField=lastName`)
      await expect(page.getByText('1–10 av 19')).toBeVisible()
      await page.getByRole('link', { name: 'Nästa' }).click()
      await expect(page.getByText('11–19 av 19')).toBeVisible()
      const listed = page.url()
      expect(listed).toContain('page=2')
      const first = rows(page).first().getByRole('link')
      const name = (await first.textContent()) ?? ''
      await first.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name })).toBeFocused()
      expect(new URL(page.url()).search).toBe(new URL(listed).search)
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(listed)
      await expect(first).toBeFocused()
      await search(page).fill('solberga.example a')
      await expect(page).not.toHaveURL(/page=/)
    })
  })

  test('sees the rows of the last search, opens a row in a new tab with Ctrl, and selects text without opening anything', async ({
    page,
    context,
  }) => {
    await test.step('the last search, even if an earlier response arrives later', async () => {
      const answerFirst = await holdBack(page, /\/api\/users\?.*searchQuery=fjallra/)
      await page.goto(list)
      await expect(rows(page)).toHaveCount(10)
      const asked = page.waitForRequest(/searchQuery=fjallra/)
      await search(page).fill('fjallra')
      await asked
      await expect(table(page)).toHaveAttribute('aria-busy', 'true')
      await expect(rows(page)).toHaveCount(10)
      await search(page).fill('emil')
      await expect(rows(page)).toHaveText(['Emil Vikström'])
      answerFirst()
      await page.evaluate(() => fetch('/api/session-expire'))
      await expect(rows(page)).toHaveText(['Emil Vikström'])
      await expect(page).toHaveURL(`${list}?searchQuery=emil`)
    })
    await test.step('a new tab, and text that is selected', async () => {
      const link = page.getByRole('link', { name: 'Emil Vikström' })
      const beside = context.waitForEvent('page')
      await link.click({ modifiers: ['Control'] })
      // Playwright may miss what a background tab renders, so open its address again in a tab of the test.
      const opened = await beside
      await expect.poll(() => opened.url()).toMatch(/\/users\/[0-9a-f-]{36}\?searchQuery=emil$/)
      const tab = await context.newPage()
      await tab.goto(opened.url())
      await expect(dialog(tab, 'Emil Vikström')).toBeVisible()
      await tab.close()
      await expect(page).toHaveURL(`${list}?searchQuery=emil`)
      const box = await page.getByText('user@nordvik.example').boundingBox()
      if (!box) throw new Error('the address is not on the page')
      await page.mouse.move(box.x + 2, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.up()
      expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^user@n/)
      await expect(page).toHaveURL(`${list}?searchQuery=emil`)
      await page.evaluate(() => getSelection()?.removeAllRanges())
      await page.getByRole('cell', { name: 'user@nordvik.example' }).click()
      await expect(dialog(page, 'Emil Vikström')).toBeVisible()
    })
  })

  test('can distinguish users with the same name, invited users and long names, and prints the list black on white', async ({
    page,
  }) => {
    await test.step('on the screen', async () => {
      const firstName = ownWord('Wolfeschlegelsteinhausenbergerdorff')
      await page.goto(list)
      const email = await addPerson(page, { firstName, lastName: 'Längstanamnetilandetochlitetill-Andersson' })
      await page.setViewportSize({ width: 390, height: 844 })
      await search(page).fill(email)
      await expect(rows(page)).toHaveText([`${firstName} Längstanamnetilandetochlitetill-Andersson`])
      await expectNoSideways(page)
      await search(page).fill('elin.isaksson')
      await expect(page.getByRole('row', { name: 'Elin Isaksson' })).toContainText('Inbjuden')
      await page.getByRole('combobox', { name: 'Sortera efter' }).selectOption({ label: 'Efternamn: fallande' })
      const sorted = { searchQuery: 'elin.isaksson', sortField: 'lastName', sortDirection: 'desc' }
      await expectAddress(page, list, sorted)
    })
    await test.step('on paper', async () => {
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.goto(`${list}?searchQuery=emil`)
      await expect(rows(page)).toHaveText(['Emil Vikström'])
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await expect(page.getByText(page.url(), { exact: true })).toBeVisible()
      for (const gone of ['banner', 'contentinfo', 'searchbox', 'button', 'navigation'] as const)
        await expect(page.getByRole(gone)).toHaveCount(0)
      await expect(page.getByRole('columnheader', { name: 'Förnamn' })).toBeVisible()
      for (const place of [page.locator('body'), rows(page).first().getByRole('link')])
        await expect(place).toHaveCSS('color', 'oklch(0 0 0)')
      await expect(page.locator('body')).toHaveCSS('background-color', 'oklch(1 0 0)')
      await page.emulateMedia({ media: 'screen' })
      await page.getByRole('link', { name: 'Emil Vikström' }).click()
      await expect(dialog(page, 'Emil Vikström')).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('heading', { name: 'Emil Vikström' })).toBeVisible()
      await expect(table(page)).toBeHidden()
      await expect(page.getByText(page.url(), { exact: true })).toBeVisible()
    })
  })

  test('sees the users of an organisation in its dialog, and opens one above it', async ({ page }) => {
    await page.goto('/organization-settings?searchQuery=nordvik+ab')
    await page.getByRole('link', { name: 'Nordvik AB', exact: true }).click()
    const settings = dialog(page, 'Redigera organisation')
    await settings.getByRole('textbox', { name: 'Organisationsnummer' }).fill('556000-1111')
    await tab(page, 'Användare').click()
    await settings.getByRole('searchbox').fill('emil')
    await page.keyboard.press('Enter')
    await expect(settings.getByRole('rowheader')).toHaveText(['Emil Vikström'])
    await expect(page.getByText('Ändringarna är sparade')).toHaveCount(0)
    await expectAccessible(page)
    await settings.getByRole('link', { name: 'Emil Vikström' }).click()
    await expect(dialog(page, 'Emil Vikström')).toContainText('user@nordvik.example')
    await expect(page).toHaveURL(/\/organization-settings\/[^/]+\/[^/]+\?searchQuery=nordvik\+ab$/)
    const deep = page.url()
    await page.keyboard.press('Escape')
    await expect(dialog(page, 'Emil Vikström')).toHaveCount(0)
    await expect(settings.getByRole('searchbox')).toHaveValue('emil')
    await expect(settings.getByRole('link', { name: 'Emil Vikström' })).toBeFocused()
    await tab(page, 'Inställningar').click()
    await expect(settings.getByRole('textbox', { name: 'Organisationsnummer' })).toHaveValue('556000-1111')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kasta ändringarna' }).click()
    await expect(page).toHaveURL('/organization-settings?searchQuery=nordvik+ab')

    await page.goto(deep)
    await expect(dialog(page, 'Emil Vikström')).toContainText('user@nordvik.example')
    await page.keyboard.press('Escape')
    await expect(settings).toBeVisible()
    await expect(tab(page, 'Användare')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/organization-settings?searchQuery=nordvik+ab')
  })

  test('without an organisation sees a link to all users', async ({ page }) => {
    await page.goto(colleagues)
    await expect(page.getByText('Du hör inte till någon organisation.')).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Användaradministration' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Visa alla användare' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Användare')
  })
})

test.describe('an organisation admin', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.admin))

  test('has a tab for all users and one for each service, by keyboard alone, invites from the list, and can use it on a narrow screen', async ({
    page,
  }) => {
    await test.step('by keyboard alone', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: t('administration') }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.getByRole('menuitem', { name: t('userAdministration') }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expect(page.getByRole('main').getByText('Nordvik AB', { exact: true })).toBeVisible()
      await expect(tab(page, 'Alla användare')).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('row', { name: 'Astrid Nordin' })).toContainText('BokningFaktura+5')
      await tab(page, 'Alla användare').focus()
      await page.keyboard.press('ArrowRight')
      await expect(tab(page, 'Arkiv')).toBeFocused()
      await expect(page).toHaveURL(/\?tab=[0-9a-f-]{36}$/)
      await expect(table(page, 'Användare: Arkiv')).toBeVisible()
      await expect(rows(page).filter({ hasText: 'Astrid' })).toHaveCount(0)
      await page.reload()
      await expect(tab(page, 'Arkiv')).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Tab')
      await search(page).focus()
      await page.keyboard.type('bodil')
      await expect(rows(page)).toHaveText(['Bodil Sandberg'])
      await page.getByRole('link', { name: 'Bodil Sandberg' }).focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page, 'Bodil Sandberg')).toContainText('both@nordvik.example')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('link', { name: 'Bodil Sandberg' })).toBeFocused()
      await page.goBack()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greetingName', { name: 'Astrid' }))
    })
    await test.step('an invitation returns to the same list', async () => {
      await page.goto(`${colleagues}?sortField=lastName`)
      await page.getByRole('link', { name: t('inviteUser') }).click()
      await expect(page).toHaveURL(/\/user-administration\/invite\/[^/]+\?sortField=lastName$/)
      await expect(page.getByRole('dialog')).toContainText('Nordvik AB')
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(`${colleagues}?sortField=lastName`)
      await expect(page.getByRole('link', { name: 'Skapa användare' })).toHaveCount(0)
      await page.getByRole('button', { name: 'Fler sätt att lägga till' }).click()
      await page.getByRole('menuitem', { name: 'Bjud in flera' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bjud in flera')
      await page.goBack()
      await expect(page).toHaveURL(`${colleagues}?sortField=lastName`)
    })
    await test.step('on a narrow screen', async () => {
      await page.setViewportSize(narrow)
      await page.goto(colleagues)
      await expect(rows(page)).toHaveCount(10)
      await expectNoSideways(page)
      await tab(page, 'Bokning').click()
      await expect(table(page, 'Användare: Bokning')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Ge tillgång' }).click()
      await expect(dialog(page, 'Ge tillgång till Bokning')).toBeVisible()
      await expectNoSideways(page)
    })
  })
})

test.describe('a service admin', () => {
  test('sees the users of the service, assigns it by email address and removes it, but no other service', async ({
    page,
    signIn,
  }) => {
    await test.step('assigned and removed', async () => {
      const firstName = ownWord('Tillfalle')
      await signIn(people.superUser)
      const email = await addPerson(page, { firstName, organizationId: await organizationIdOf(page, 'Nordvik AB') })
      await getUp(page)
      await signIn(people.user)
      await page.goto('/')
      await page.getByRole('link', { name: 'Användaradministration' }).click()
      await expect(page.getByRole('tab')).toHaveText(['Bokning'])
      await expect(tab(page, 'Bokning')).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('link', { name: t('inviteUser') })).toHaveCount(0)
      await expect(page.getByRole('row', { name: 'Astrid Nordin' })).not.toContainText('Journal')

      await page.getByRole('link', { name: 'Ge tillgång' }).focus()
      await page.keyboard.press('Enter')
      const address = page.getByRole('textbox', { name: 'E-postadress' })
      await expect(address).toBeFocused()
      await page.keyboard.type('ingen@nordvik.example')
      await page.keyboard.press('Enter')
      await expect(address).toHaveAccessibleDescription(/Ingen i organisationen har den adressen\./)
      await expect(address).toBeFocused()
      await page.keyboard.press('Escape')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t('goBackToForm') })
        .click()
      await address.fill(email)
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText(`${email} har fått tillgång till Bokning`)).toBeVisible()
      await expect(page).toHaveURL(colleagues)

      await search(page).fill(firstName)
      await expect(rows(page)).toHaveText([`${firstName} Listad`])
      await page.getByRole('button', { name: `Ta bort tillgången till Bokning för ${firstName} Listad` }).click()
      const question = page.getByRole('alertdialog')
      await expect(question.getByRole('button', { name: 'Avbryt' })).toBeFocused()
      await question.getByRole('button', { name: 'Ta bort tillgång' }).click()
      await expect(page.getByText(`${firstName} Listad har inte längre tillgång till Bokning`)).toBeVisible()
      await expect(page.getByText(`Inga användare matchar ”${firstName}”.`)).toBeVisible()
    })
    await test.step('another service by its address', async () => {
      await signIn(people.admin)
      await page.goto(colleagues)
      await tab(page, 'Journal').click()
      await expect(page).toHaveURL(/tab=/)
      const journal = page.url()
      await getUp(page)
      await signIn(people.user)
      await page.goto(journal)
      await expect(page.getByRole('tab')).toHaveText(['Bokning'])
      await expect(table(page, 'Användare: Bokning')).toBeVisible()
      await page.goto(journal.replace('?tab=', '/hand-out/'))
      await expect(table(page, 'Användare: Bokning')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
  })
})

test('an admin of one organisation who belongs to two sees the selected organisation', async ({ page, signIn }) => {
  const name = ownWord('Överby')
  await signIn(people.superUser)
  const { organizationId } = await api<{ organizationId: string }>(page, 'POST', '/api/organizations', {
    name,
    loginMethod: 'local',
  })
  await joinAsAdmin(page, signIn, { email: people.twoPlaces, organizationId })
  await page.goto(colleagues)
  await expect(page.getByText(/^Du har inga användare att administrera i Nordvik AB\./)).toBeVisible()
  await page.getByRole('button', { name: 'Organisation: Nordvik AB' }).click()
  await page.getByRole('menuitemradio', { name }).click()
  await expect(page.getByRole('main').getByText(name, { exact: true })).toBeVisible()
  await expect(rows(page)).toHaveText(['Henrik Johansson'])
  await page.goto(`${colleagues}?searchQuery=henrik&sortField=firstName`)
  await expect(rows(page)).toHaveText(['Henrik Johansson'])
  await page.getByRole('button', { name: `Organisation: ${name}` }).click()
  await page.getByRole('menuitemradio', { name: 'Nordvik AB' }).click()
  await expect(page).toHaveURL(colleagues)
  await expect(page.getByRole('table')).toHaveCount(0)
})
