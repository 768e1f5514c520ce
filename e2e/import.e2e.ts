import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expectUsableAtEveryWidth } from './every-width.ts'
import { expect, test } from './fixtures.ts'
import { invitationTo, mailsTo } from './outbox.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

const newAddress = () => `ny.${randomUUID()}@example.com`

const list = (page: Page) => page.getByRole('textbox', { name: 'Personer' })
const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name })
const check = (page: Page) => button(page, /^Kontrollera/)
const preview = (page: Page) => page.getByRole('table', { name: 'Så här blir det' })
const result = (page: Page) => page.getByRole('table', { name: 'Så här gick det' })
const confirmation = (page: Page) => page.getByRole('alertdialog')
const file = (page: Page) => page.locator('input[type=file]')

/** Opens the import into the user's own organisation through the menu and the list. */
async function openImport(page: Page) {
  await page.goto('/user-administration')
  await page.getByRole('link', { name: t('inviteUser') }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Bjud in flera' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bjud in flera')
  await expect(list(page)).toBeVisible()
}

test.describe('an organisation admin', () => {
  test.beforeEach(async ({ page, signIn }) => {
    await signIn(people.admin)
    await openImport(page)
  })

  test('sees the outcome of every row, invites the valid ones, corrects the others, and returns to the list of users', {
    tag: '@main',
  }, async ({ page }) => {
    await test.step('names of services are inserted where the caret stands', async () => {
      await list(page).fill('ny@example.com;Bo;Ek;')
      await button(page, 'Arkiv').click()
      await button(page, 'Bokning').click()
      await expect(list(page)).toHaveValue('ny@example.com;Bo;Ek;Arkiv|Bokning')
      await expect(list(page)).toBeFocused()
    })
    await test.step('the valid rows are invited', async () => {
      const [good, admin, wrong] = [newAddress(), newAddress(), newAddress()]
      await list(page).fill(
        [
          'E-post;Förnamn;Efternamn;Tjänster;Roll;Telefon',
          `${good};Åsa;Öberg;"Arkiv;Bokning";;0701740605`,
          `${admin};"Anna ""Ann""\nMaria";Berg;;Administratör`,
          `${good.toUpperCase()};Åsa;Öberg`,
          `${people.colleague};Anna;Andersson`,
          `${wrong};Bo;Ek;Lönn;chef`,
          'ingen adress;Eva;Dahl',
          ';;;;;',
        ].join('\r\n'),
      )
      await check(page).click()
      await expect(page.getByRole('heading', { level: 2, name: 'Så här blir det' })).toBeFocused()
      const rows = preview(page).getByRole('row')
      await expect(rows.nth(1)).toBeInViewport()
      await expect(rows).toHaveCount(7)
      await expect(rows.nth(1)).toContainText(/Åsa Öberg.*Arkiv, Bokning.*Användare.*Bjuds in/)
      await expect(rows.nth(2)).toContainText(/Anna "Ann"\s+Maria Berg.*Administratör.*Bjuds in/)
      await expect(rows.nth(3)).toContainText('Dubblett')
      await expect(rows.nth(4)).toContainText('Redan med')
      await expect(rows.nth(5)).toContainText(/Behöver rättas.*Roll: Värdet är inte giltigt/)
      await expect(rows.nth(6)).toContainText(/Behöver rättas.*E-postadress: Ange en giltig e-postadress/)
      await expect(page.getByText('Bjuds in: 2')).toBeVisible()
      await expect(page.getByText('Kolumner som inte används: Telefon.')).toBeVisible()
      expect(await mailsTo(page.request, good)).toEqual([])

      await page.getByRole('checkbox', { name: 'Visa bara de 4 rader som inte bjuds in' }).check()
      await expect(rows).toHaveCount(5)
      await button(page, 'Bjud in 2 personer').click()
      await expect(confirmation(page)).toContainText('Bjuda in 2 personer till Nordvik AB?')
      await expect(confirmation(page)).toContainText('4 rader lämnas utanför.')
      await confirmation(page).getByRole('button', { name: 'Bjud in 2 personer' }).click()
      await expect(page.getByRole('heading', { level: 2, name: 'Så här gick det' })).toBeFocused()
      await expect(page.getByText('2 personer är inbjudna')).toBeVisible()
      await expect(result(page).getByRole('row', { name: admin })).toContainText('Inbjuden')
      await invitationTo(page.request, good)
      await invitationTo(page.request, admin)

      await expect(list(page)).toHaveValue(
        `E-post;Förnamn;Efternamn;Tjänster;Roll;Telefon\n${wrong};Bo;Ek;Lönn;chef\ningen adress;Eva;Dahl`,
      )
    })
    await test.step('a row is corrected as its error says', async () => {
      const address = newAddress()
      const rows = preview(page).getByRole('row')
      await list(page).fill(`E-post;Tjänster\n${address};Lönn`)
      await check(page).click()
      await expect(rows.nth(1)).toContainText('Lönn: Organisationen har inte den tjänsten.')
      await expect(button(page, /^Bjud in/)).toHaveCount(0)
      await list(page).fill(`E-post;Tjänster\n${address};bokning`)
      await expect(page.getByText('Listan har ändrats.')).toBeVisible()
      await button(page, 'Kontrollera igen').click()
      await button(page, 'Bjud in 1 person').click()
      await confirmation(page).getByRole('button', { name: 'Bjud in 1 person' }).click()
      await expect(page.getByText('1 person är inbjuden')).toBeVisible()
      await expect(list(page)).toHaveValue('')
      await page.getByRole('status').getByRole('link', { name: 'Användaradministration' }).click()
      await expect(page).toHaveURL('/user-administration')
    })
  })

  test('imports by keyboard alone', async ({ page }) => {
    const address = newAddress()
    await list(page).focus()
    await page.keyboard.type(address)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('switch', { name: t('importConsultants') })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('combobox', { name: t('invitationLanguage') })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(check(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: 'Så här blir det' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(button(page, 'Bjud in 1 person')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(confirmation(page).getByRole('button', { name: 'Bjud in 1 person' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: 'Så här gick det' })).toBeFocused()
    await invitationTo(page.request, address)
  })

  test('fills in the template, chooses a file of an older Excel, and sees what is wrong with a list that cannot be read', async ({
    page,
  }) => {
    await test.step('the template is downloaded, filled in and imported', async () => {
      const waiting = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Hämta en mall' }).click()
      const download = await waiting
      expect(download.suggestedFilename()).toBe('inbjudningar.csv')
      const template = await readFile(await download.path(), 'utf8')
      expect(template).toMatch(/^\ufeffE-postadress;Förnamn;Efternamn;Tjänster;Roll\r\n/)
      const filled = template.replace('name@example.com', newAddress())
      await file(page).setInputFiles({ name: 'mall.csv', mimeType: 'text/csv', buffer: Buffer.from(filled) })
      await check(page).click()
      await expect(preview(page).getByRole('row').nth(1)).toContainText(/Arkiv, Bokning.*Användare.*Bjuds in/)
    })
    await test.step('a file of an older Excel replaces the typed list after a question', async () => {
      const text = 'E-post;Förnamn;Efternamn\r\nasa@example.com;Åsa;Öberg\r\n'
      await list(page).fill('bo@example.com')
      await file(page).setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
      await expect(confirmation(page)).toContainText('Ersätta listan?')
      await confirmation(page).getByRole('button', { name: 'Avbryt' }).click()
      await expect(confirmation(page)).toHaveCount(0)
      await expect(list(page)).toHaveValue('bo@example.com')
      await file(page).setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
      await confirmation(page).getByRole('button', { name: 'Ersätt' }).click()
      await expect(list(page)).toHaveValue(text.replaceAll('\r\n', '\n'))
      await check(page).click()
      await expect(preview(page).getByRole('row', { name: /asa@example\.com/ })).toContainText('Åsa Öberg')
    })
    await test.step('a list that cannot be read stays, with what is wrong', async () => {
      const expectRefused = async (text: RegExp) => {
        await expect(list(page)).toHaveAccessibleDescription(text)
        await expect(list(page)).toHaveAttribute('aria-invalid', 'true')
      }
      await list(page).fill('')
      await check(page).click()
      await expectRefused(/Fyll i det här fältet/)
      await expect(list(page)).toBeFocused()
      await expect(page).toHaveTitle(/^Fel: /)
      await expectAccessible(page)
      const rows = Array.from({ length: 501 }, (_, index) => `person.${index}@example.com`).join('\n')
      for (const [text, problem] of [
        ['E-post;Förnamn', /rubrikrad men inga personer/],
        ['Förnamn;Efternamn\nBo;Ek', /saknar en kolumn för e-postadress/],
        ['bo@example.com;"Bo\nasa@example.com', /citattecken som börjar på rad 1/],
        [rows, /Listan har 501 rader\. Bjud in högst 500 åt gången/],
      ] as const) {
        await list(page).fill(text)
        await check(page).click()
        await expectRefused(problem)
        await expect(list(page)).toHaveValue(text)
      }
      const tooLarge = Buffer.alloc(10 * 1024 * 1024, 'a@example.com\n')
      await file(page).setInputFiles({ name: 'stor.csv', mimeType: 'text/csv', buffer: tooLarge })
      await expectRefused(/Filen är för stor/)
      const binary = Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0])
      await file(page).setInputFiles({ name: 'lista.xlsx', mimeType: 'text/csv', buffer: binary })
      await expectRefused(/Det är ingen CSV-fil/)
      await expect(list(page)).toHaveValue(rows)
    })
  })

  test('keeps the list when a request is refused or fails, and a retry invites once', async ({ page }) => {
    const address = newAddress()
    await list(page).fill(`${address}\nfel`)
    await check(page).click()
    await button(page, 'Bjud in 1 person').click()
    const tooMany = {
      status: 429,
      headers: { 'retry-after': '3600' },
      json: { message: 'tooManyImported', requestId: 'journey' },
    }
    let tries = 0
    await page.route('**/api/invites/bulk', async (route) => {
      tries++
      if (tries === 1) return route.fulfill(tooMany)
      if (tries > 2) return route.continue()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await confirmation(page).getByRole('button', { name: 'Bjud in 1 person' }).click()
    await expect(confirmation(page).getByRole('alert')).toHaveText(
      'Du har bjudit in många personer på kort tid. Ingen i listan har bjudits in. Du kan försöka igen om 60 minuter.',
    )
    await expectAccessible(page)
    await confirmation(page).getByRole('button', { name: 'Avbryt' }).click()
    await expect(confirmation(page)).toHaveCount(0)
    await expect(list(page)).toHaveValue(`${address}\nfel`)
    await expect(result(page)).toHaveCount(0)
    await button(page, 'Bjud in 1 person').click()
    await confirmation(page).getByRole('button', { name: 'Bjud in 1 person' }).click()
    await expect(confirmation(page).getByRole('alert')).toHaveText('Något gick fel. Försök igen.')
    await confirmation(page).getByRole('button', { name: 'Bjud in 1 person' }).click()
    await expect(result(page).getByRole('row', { name: address })).toContainText('Inbjuden')
    await expect(list(page)).toHaveValue('fel')
    await invitationTo(page.request, address)
    expect(await mailsTo(page.request, address)).toHaveLength(1)
    await expect(confirmation(page)).toHaveCount(0)

    await page.getByRole('navigation').getByRole('link', { name: 'Översikt' }).click()
    await expect(confirmation(page)).toContainText('Kasta osparade ändringar?')
    await confirmation(page)
      .getByRole('button', { name: t('goBackToForm') })
      .click()
    await expect(list(page)).toHaveValue('fel')
  })

  test('can use it at every width', async ({ page }) => {
    const long = `${'mycket.lang.adress.'.repeat(3)}@example.com`
    await list(page).fill(
      `bo@example.com;Bo;Ek;Arkiv|Bokning\n${long};${'Namn'.repeat(20)};Ek;Lönn\n${people.colleague}\nfel;Eva;Dahl`,
    )
    await check(page).click()
    await expect(preview(page).getByRole('row')).toHaveCount(5)
    await expectUsableAtEveryWidth(page)
    await button(page, 'Bjud in 1 person').click()
    await expect(confirmation(page)).toBeVisible()
    await expectUsableAtEveryWidth(page)
    await page.keyboard.press('Escape')
    await expect(confirmation(page)).toHaveCount(0)
  })
})

test('a super user returns to where the import started: the list of organisations, with the same search and order', async ({
  page,
  signIn,
}) => {
  await signIn(people.superUser)
  const organizations = '/organization-settings?sortDirection=desc&searchQuery=nordvik'
  await page.goto(organizations)
  await page.getByRole('link', { name: t('addUserTo', { name: 'Nordvik AB' }) }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Bjud in flera' }).click()
  const address = newAddress()
  await list(page).fill(address)
  await check(page).click()
  await button(page, 'Bjud in 1 person').click()
  await confirmation(page).getByRole('button', { name: 'Bjud in 1 person' }).click()
  await expect(result(page).getByRole('row', { name: address })).toContainText('Inbjuden')
  // The heading of the result has the focus, so the header covers the top of the page: scroll up.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page)
  await page.getByRole('status').getByRole('link', { name: 'Organisationer' }).click()
  await expect(page).toHaveURL(/\/organization-settings\?.*searchQuery=nordvik/)
  await expect(page).toHaveURL(/sortDirection=desc/)
  await expect(page.getByRole('heading', { level: 1, name: 'Organisationer' })).toBeVisible()
  await page.goBack()
  const path = new URL(page.url()).pathname

  // Opened directly: the super user belongs to no organisation, so the link leads to the list of organisations.
  const other = await page.context().newPage()
  await other.goto(path)
  await other
    .getByRole('navigation', { name: t('breadcrumb') })
    .getByRole('link')
    .click()
  await expect(other).toHaveURL('/organization-settings')
})
