import type { Page, Request } from '@playwright/test'
import { screens } from '../contract/screens.ts'
import english from '../locales/en/translation.json' with { type: 'json' }
import finnish from '../locales/fi/translation.json' with { type: 'json' }
import french from '../locales/fr/translation.json' with { type: 'json' }
import swedish from '../locales/sv/translation.json' with { type: 'json' }
import { expectAccessibleScreen, expectDialogsFit, expectNoSideways, expectPrintable } from './accessibility.ts'
import { brokenWords } from './broken-words.ts'
import { expect, test } from './fixtures.ts'
import { type DemoEmail, people } from './people.ts'

const languages: Record<string, Record<string, string>> = { sv: swedish, en: english, fi: finnish, fr: french }
const publicScreens = [
  '/login',
  '/reset-password',
  '/reset-password/gone',
  '/accept-invitation/gone',
  '/saml-setup/gone',
  '/not-me',
  '/not-me/gone',
  '/session-expired',
  '/signed-out',
  '/privacy',
  '/privacy/kept',
  '/accessibility',
  '/nothing/here',
]

/**
 * The user who opens a screen. User administration needs an admin: super users belong to no organisation. Both open the
 * first screen.
 */
const personOf = (screen: string): DemoEmail =>
  screen.startsWith('/enter/') || screen === '/choose-organization' || screen === '/stronger-sign-in'
    ? people.both
    : /^\/(user-administration|my-organization)/.test(screen)
      ? people.admin
      : people.superUser

/** The addresses of all screens for this user, with ids of Nordvik as parameters. */
async function addressesOf(page: Page, person: DemoEmail): Promise<string[]> {
  const first = async (path: string) => {
    const response = await page.request.get(path)
    expect(response.ok(), path).toBe(true)
    const answer = await response.json()
    return (answer.items ?? answer)[0]
  }
  const { accountId: me } = await (await page.request.get('/api/me')).json()
  if (person === people.both) {
    const own = await (await page.request.get(`/api/users/${me}/organizations`)).json()
    const ids = own.map((one: { organizationId: string }) => one.organizationId)
    const asked = own.flatMap((one: { needs: string | null; organizationId: string }) =>
      one.needs ? [`/enter/${one.organizationId}`] : [],
    )
    return [
      ...asked,
      `/choose-organization?organizations=${ids.join('+')}`,
      '/choose-organization',
      '/stronger-sign-in',
    ]
  }
  const { organizationId } =
    person === people.admin
      ? await first(`/api/users/${me}/organizations`)
      : await first('/api/organizations?searchQuery=nordvik')
  const { accountId } = await first(`/api/organizations/${organizationId}/users?searchQuery=anna.andersson`)
  const { serviceId } = await first(`/api/organizations/${organizationId}/services`)
  const { id } = person === people.superUser ? await first('/api/audit-events?nameFilter=loginSuccess') : { id: '' }
  const { id: samlConfigId } = person === people.superUser ? await first('/api/saml-configs') : { id: '' }
  // The demo sends events nowhere, has no set-up links, no roles of that service, and no groups of Nordvik: the screens show "not found".
  const streamId = '01900000-0000-7000-8000-000000000000'
  const values: Record<string, string> = {
    ...{ organizationId, accountId, serviceId, id, samlConfigId, streamId },
    setupId: streamId,
    roleId: streamId,
    groupId: streamId,
  }
  const own = [...screens, '/account?tab=password'].filter((screen) => screen === '/' || personOf(screen) === person)
  for (const [, name = ''] of own.join().matchAll(/\{(\w+)\}/g)) {
    // Other parameters come from the list of that kind. If the demo has none, the screen shows "not found".
    values[name] ??= (await first(`/api/${name.replace(/Id$/, 's')}`))?.[name] ?? '01900000-0000-7000-8000-000000000000'
  }
  return own.map((screen) => screen.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''))
}

/** Waits until all responses have arrived, and for two frames in which the layout may still shift. */
async function settle(page: Page, { quietFor }: Calls): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect.poll(quietFor, { intervals: [50] }).toBeGreaterThan(100)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

interface Calls {
  /** Milliseconds since the last open request was answered. */
  quietFor: () => number
  /** Restarts the count. */
  restart: () => void
}

function watchCalls(page: Page): Calls {
  const open = new Set<Request>()
  let since = Date.now()
  const note = (change: () => unknown) => {
    change()
    since = Date.now()
  }
  page.on('framenavigated', (frame) => frame === page.mainFrame() && note(() => open.clear()))
  page.on('request', (request) => note(() => open.add(request)))
  page.on('requestfinished', (request) => note(() => open.delete(request)))
  page.on('requestfailed', (request) => note(() => open.delete(request)))
  return {
    quietFor: () => (open.size > 0 ? 0 : Date.now() - since),
    restart: () => note(() => undefined),
  }
}

/** Opens another screen as a link does, without a page load; returns when it shows. */
async function follow(page: Page, calls: Calls, address: string): Promise<void> {
  await page.evaluate(
    (to) =>
      new Promise<void>((done) => {
        let quiet = 0
        // React waits up to 300 ms before it shows what another screen's code brings.
        const shown = new MutationObserver(() => {
          clearTimeout(quiet)
          quiet = window.setTimeout(() => done(shown.disconnect()), 350)
        })
        shown.observe(document, { childList: true, characterData: true, subtree: true })
        // The router hears of it.
        history.pushState({}, '', to)
      }),
    address,
  )
  calls.restart()
}

/** All visible texts and accessible names. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const texts = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      // Names that a developer types, such as a scope, may be text keys too.
      const { parentElement, nodeValue } = walker.currentNode
      if (!parentElement?.closest('code')) texts.push(nodeValue?.trim() ?? '')
    }
    for (const element of document.body.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription'])
        texts.push(element.getAttribute(name) ?? '')
    return texts
  })

type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node }[] }

/** Records layout shifts (CLS) since the page was opened, with their sources. */
async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: unknown[] = []
    Object.assign(window, { moves, moved: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        // The window was given its width while the page was already drawn: CLS leaves that out as well.
        if (entry.hadRecentInput) continue
        Object.assign(window, { moved: (window as unknown as { moved: number }).moved + entry.value })
        moves.push(entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : null)))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
const movesOf = (page: Page) =>
  page.evaluate(() => {
    const { moved, moves } = window as unknown as { moved: number; moves: unknown[] }
    return moved < 0.02 ? [] : [moved, ...moves]
  })

/** Notes in every frame where the heading of each open dialog stands, and whether a skeleton was in one. */
const watchDialogs = (page: Page) =>
  page.addInitScript(() => {
    const places: Record<string, number[]> = {}
    const seen = { places, loaded: 0 }
    Object.assign(window, { seen })
    const look = () => {
      document.querySelectorAll('[role=dialog]').forEach((dialog, depth) => {
        // One that lies below another has stepped back.
        if (dialog.hasAttribute('data-nested-dialog-open')) return
        const top = Math.round(dialog.querySelector('h2')?.getBoundingClientRect().top ?? 0)
        const tops = places[depth] ?? []
        places[depth] = tops
        if (!tops.includes(top)) tops.push(top)
        if (dialog.querySelector('[aria-busy=true]')) seen.loaded = 1
      })
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
const dialogsOn = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { places: Record<string, number[]>; loaded: number } }).seen)

/** The other tabs of a dialog, too. */
async function expectTabsFit(page: Page, calls: Calls, texts: Record<string, string>): Promise<void> {
  const tabs = page.getByRole('dialog').getByRole('tab')
  for (const tab of (await tabs.all()).slice(1)) {
    await tab.click()
    await settle(page, calls)
    expect(await brokenWords(page, texts)).toEqual([])
    await expectDialogsFit(page)
  }
}

async function resize(page: Page, width: number, fontSize: '100%' | '200%'): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate((to) => document.documentElement.style.setProperty('font-size', to), fontSize)
}

/** What depends on the language: everything but accessibility and layout shifts. */
async function expectTranslated(page: Page, calls: Calls, language: string): Promise<void> {
  const texts = languages[language] ?? {}
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.title()).toMatch(/\S – Vestibule$/)
  const shown = await textsOf(page)
  // A text key instead of its text, or a text with an unfilled placeholder.
  const wrong = shown.filter(
    (text) => (text in texts && texts[text] !== text && /^[a-z]/.test(text)) || /\{\{/.test(text),
  )
  expect(wrong).toEqual([])
  // Finnish has the longest words, French the longest sentences.
  if (['fi', 'fr'].includes(language))
    for (const [width, size] of [
      [1280, '200%'],
      [640, '200%'],
      [320, '100%'],
    ] as const) {
      await resize(page, width, size)
      await expectNoSideways(page)
    }
  await resize(page, 320, '200%')
  expect(await brokenWords(page, texts)).toEqual([])
  await expectNoSideways(page)
  if (language === 'fi') await expectTabsFit(page, calls, texts)
}

/** Loads a page, as from a bookmark. */
async function load(page: Page, calls: Calls, address: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(address)
  await settle(page, calls)
  expect(await movesOf(page)).toEqual([])
}

test.describe(() => {
  // A test opens all screens and resizes each several times.
  test.setTimeout(600_000)

  for (const language of Object.keys(languages))
    test.describe(`in ${language}`, () => {
      test.use({ locale: language })

      // Swedish is loaded screen by screen; the other languages follow links, which is cheaper. English is shorter than both of
      // them, and locales.test.ts holds the texts of all languages against each other.
      for (const person of language === 'en' ? [] : [people.superUser, people.admin, people.both])
        test(`every screen of ${person} is ${language === 'sv' ? 'stable, accessible, printable, ' : ''}titled and translated, and fits at 320 px and with large text`, async ({
          page,
          signIn,
        }) => {
          const calls = watchCalls(page)
          await watchMoves(page)
          await signIn(person)
          const addresses = await addressesOf(page, person)
          if (language !== 'sv') await load(page, calls, '/account')
          for (const address of addresses)
            await test.step(`${address} in ${language}`, async () => {
              if (language === 'sv') {
                await load(page, calls, address)
                await expectAccessibleScreen(page)
                await expectPrintable(page)
              } else {
                await follow(page, calls, address)
                await settle(page, calls)
              }
              await expectTranslated(page, calls, language)
            })
        })

      // Slow enough for every skeleton to show.
      if (language === 'sv')
        for (const person of [people.superUser, people.admin])
          test(`no dialog of ${person} moves when its content arrives`, async ({ page, signIn }) => {
            const calls = watchCalls(page)
            await watchDialogs(page)
            await page.emulateMedia({ reducedMotion: 'reduce' })
            await signIn(person)
            const addresses = await addressesOf(page, person)
            await page.route('**/api/**', async (route) => {
              await new Promise((go) => setTimeout(go, 350))
              await route.continue().catch(() => undefined)
            })
            let seen = 0
            for (const width of [1280, 390])
              for (const address of addresses.filter((one) => /.\/./.test(one)))
                await test.step(`${address} at ${width} px`, async () => {
                  await page.setViewportSize({ width, height: 800 })
                  await page.goto(address)
                  await settle(page, calls)
                  const { places, loaded } = await dialogsOn(page)
                  for (const [dialog, tops] of Object.entries(places))
                    expect([dialog, tops]).toEqual([dialog, [tops[0]]])
                  seen += loaded
                })
            expect(seen).toBeGreaterThan(person === people.superUser ? 10 : 1)
          })

      test('every public page is too', async ({ page }) => {
        const calls = watchCalls(page)
        await watchMoves(page)
        for (const address of publicScreens)
          await test.step(`${address} in ${language}`, async () => {
            await load(page, calls, address)
            if (language === 'sv') {
              await expectAccessibleScreen(page)
              await expectPrintable(page)
            }
            await expectTranslated(page, calls, language)
          })
      })
    })
})
