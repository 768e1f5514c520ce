import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { expect } from './fixtures.ts'
import { joinAsAdmin, test } from './invited.ts'
import { people } from './people.ts'

// What an organisation does not use, its admins do not see.

/** What stands above the first person: actions and words of the page itself, and how far down the person is. */
const aboveTheFirst = (page: Page) =>
  page.evaluate(() => {
    const first = document.querySelector('main tbody tr')
    const isAbove = (element: Element | null) =>
      element !== null &&
      first !== null &&
      (element.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 1
    const main = document.querySelector('main') ?? document.body
    const actions = [...main.querySelectorAll('a[href], button, input, select')].filter(isAbove)
    const words: string[] = []
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { parentElement, nodeValue } = texts.currentNode
      if (isAbove(parentElement)) words.push(...(nodeValue?.match(/\S+/g) ?? []))
    }
    return { actions: actions.length, words: words.length, top: first?.getBoundingClientRect().top ?? Infinity }
  })

for (const [width, height, top] of [
  [1280, 800, 240],
  [390, 844, 300],
] as const)
  test(`a new admin of a small organisation meets the first person with little above at ${width} px`, async ({
    page,
    signIn,
  }) => {
    await signIn(people.superUser)
    const name = `Tolv Personer ${width} AB`
    const { organizationId } = await api<{ organizationId: string }>(page, 'POST', '/api/organizations', {
      name,
      loginMethod: 'local',
      services: [],
    })
    const password = 'Resan-till-7-havet'
    for (let person = 1; person < 12; person++)
      await api(page, 'POST', '/api/users', {
        ...{
          email: `person.${person}.${width}@tolv.example`,
          firstName: 'Per',
          lastName: 'Tolv',
          loginMethod: 'local',
        },
        ...{ password, confirmNewPassword: password, organizations: [{ organizationId, userRole: 'regular' }] },
      })
    await joinAsAdmin(page, signIn, { email: people.twoPlaces, organizationId })
    await page.goto('/user-administration')
    await page.getByRole('button', { name: /^Organisation:/ }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.setViewportSize({ width, height })
    await expect(page.getByRole('main').getByRole('rowheader')).toHaveCount(10)
    const above = await aboveTheFirst(page)
    expect(above.actions).toBeLessThanOrEqual(9)
    expect(above.words).toBeLessThanOrEqual(30)
    expect(above.top).toBeLessThanOrEqual(top)
  })
