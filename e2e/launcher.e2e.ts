import { expect, expectAccessible, expectNoSideways, looks, test } from './fixtures.ts'
import { people } from './people.ts'

test('a person sees the services of the chosen organisation, each as a link', async ({ page, signIn }) => {
  await signIn(people.user)
  await page.goto('/')
  await expect(page).toHaveTitle('Översikt – Vestibule')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Emil' })).toBeVisible()
  await expect(page.getByRole('main').getByText('Nordvik AB')).toBeVisible()
  const services = page.getByRole('list', { name: 'Tjänster' }).getByRole('link')
  await expect(services).toHaveText(['Bokning', 'Journal'])
  await expect(services.first()).toHaveAttribute('href', 'https://bokning.vestibule.example')
  await expect(page.getByText('bokning.vestibule.example')).toBeVisible()
})

test('another organisation is another list, and the choice outlasts the visit', async ({ page, signIn }) => {
  await signIn(people.both)
  await page.goto('/')
  const services = page.getByRole('list', { name: 'Tjänster' }).getByRole('link')
  await expect(services).toHaveText(['Arkiv', 'Journal'])
  await page.getByRole('button', { name: 'Organisation: Nordvik AB' }).click()
  await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
  await expect(services).toHaveText(['Bokning'])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Organisation: Solberga kommun' })).toBeVisible()
  await expect(services).toHaveText(['Bokning'])
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({
    currentOrganizationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('an older stored choice is taken over under its new name', async ({ page, signIn }) => {
  await signIn(people.both)
  await page.goto('/')
  await page.getByRole('button', { name: /^Organisation:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
  await expect(page.getByRole('button', { name: 'Organisation: Solberga kommun' })).toBeVisible()
  const chosen = await page.evaluate(() => {
    const id = localStorage.getItem('currentOrganizationId') ?? ''
    localStorage.clear()
    localStorage.setItem('currentOrganization', JSON.stringify({ organizationId: id, name: 'Solberga kommun' }))
    return id
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Organisation: Solberga kommun' })).toBeVisible()
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ currentOrganizationId: chosen })
})

test('an organisation that is no longer theirs gives way to the first', async ({ page, signIn }) => {
  await signIn(people.both)
  await page.addInitScript(() => localStorage.setItem('currentOrganizationId', '0190f3c8-7b1a-7000-8000-00000000dead'))
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Organisation: Nordvik AB' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Journal' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).not.toContain('dead')
})

test('somebody without services is told whom to ask', async ({ page, signIn }) => {
  await signIn(people.superUser)
  await page.goto('/')
  await expect(page.getByText('Du har inga tjänster här än.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'support@vestibule.example' })).toHaveAttribute(
    'href',
    'mailto:support@vestibule.example',
  )
})

test('without the network the page keeps its frame, and another try brings the list', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(people.both)
  await page.goto('/')
  await page.getByRole('link', { name: 'Journal' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Organisation: Nordvik AB' }).click()
  await page.getByRole('menuitemradio', { name: 'Solberga kommun' }).click()
  await expect(page.getByRole('alert')).toContainText('Något gick fel. Försök igen.')
  await expect(page.getByRole('heading', { level: 1, name: 'Hej, Bodil' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Försök igen' }).click()
  await expect(page.getByRole('list', { name: 'Tjänster' }).getByRole('link')).toHaveText(['Bokning'])
})

test('with more than twelve services there is a search, which the address keeps', async ({
  page,
  signIn,
  database,
}) => {
  const long = 'Försörjningsstödshandläggningssystemet för hela kommunen'
  const names = [...Array.from({ length: 12 }, (_, index) => `Tjänst ${index}`), long]
  await database.giveServices(people.manyServices, names)
  await signIn(people.manyServices)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  const services = page.getByRole('list', { name: 'Tjänster' }).getByRole('link')
  await expect(services).toHaveCount(14)
  await expectNoSideways(page)
  const search = page.getByRole('searchbox', { name: 'Sök bland tjänsterna' })
  await search.fill('FÖRSÖRJ')
  await expect(services).toHaveText([long])
  await expect(page.getByText('1 tjänst visas')).toBeAttached()
  await expect(page).toHaveURL('/?searchQuery=F%C3%96RS%C3%96RJ')
  await search.fill('0701234567')
  await expect(page.getByText('Inga tjänster matchar ”0701234567”.')).toBeVisible()
  await expect(page).toHaveURL('/?searchQuery=0701234567')
  await page.reload()
  await expect(search).toHaveValue('0701234567')
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Rensa sökningen' }).last().click()
  await expect(services).toHaveCount(14)
  await expect(page).toHaveURL('/')
})

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    test.use(look)

    test('the launcher has no barriers', async ({ page, signIn }) => {
      await signIn(people.user)
      await page.goto('/')
      await page.getByRole('link', { name: 'Journal' }).waitFor()
      await expectAccessible(page)
      await expectNoSideways(page)
    })

    test('the notice of no services has no barriers', async ({ page, signIn }) => {
      await signIn(people.superUser)
      await page.goto('/')
      await page.getByText('Du har inga tjänster här än.').waitFor()
      await expectAccessible(page)
      await expectNoSideways(page)
    })
  })
}
