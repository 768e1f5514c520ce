import { expect, type Page } from '@playwright/test'
import { narrow } from './fixtures.ts'
import { type Rules, violationsOn } from './violations.ts'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colors = ['color-contrast', 'link-in-text-block']
const onlyColors: Rules = { runOnly: { type: 'rule', values: colors } }
const withoutColors: Rules = {
  runOnly: standards,
  rules: Object.fromEntries(colors.map((rule) => [rule, { enabled: false }])),
}
const modals = '[role=dialog], [role=alertdialog]'
/** Everything that can stand above a page. */
const overlays = `${modals}, [role=listbox], [role=menu], section[aria-live]`

/**
 * WCAG 2.2 AA and best practices, as far as axe can check them, for the current state of the page. What stands behind an
 * open dialog is not looked at again: `expectAccessibleScreen` does so.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, { runOnly: standards }, await inFront(page))
}

/** The same at another width, after `expectAccessible` at the usual one; skips colours, which do not depend on it. */
export async function expectAccessibleInThisWidth(page: Page): Promise<void> {
  await expectNothingFound(page, withoutColors, await inFront(page))
}

/** CSS selector of an open dialog and what stands above it; undefined without one. */
async function inFront(page: Page): Promise<string | undefined> {
  return (await page.locator(modals).count()) ? overlays : undefined
}

/**
 * The same in both themes: kit-parts.e2e.ts and kit-overlays.e2e.ts cover the components in every state.
 *
 * @param within CSS selector, if the rest of the page is checked elsewhere
 */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectNothingFound(page, { runOnly: standards }, within)
  await expectDarkColors(page, within)
}

/**
 * The same in both themes and on a phone, where it leaves the page: once for each screen (every-screen.e2e.ts). Colours
 * take axe three quarters of its time; behind an open dialog, it looks at everything else once.
 */
export async function expectAccessibleScreen(page: Page): Promise<void> {
  const within = await inFront(page)
  if (within) await expectNothingFound(page, withoutColors)
  await expectNothingFound(page, within ? onlyColors : { runOnly: standards }, within)
  await expectDarkColors(page, within)
  await page.setViewportSize(narrow)
  await expectAccessibleInThisWidth(page)
  await expectNoSideways(page)
}

/** The colour scheme changes only colours. */
async function expectDarkColors(page: Page, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingFound(page, onlyColors, within)
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNothingFound(page: Page, rules: Rules, within?: string): Promise<void> {
  // What lies half below the bar is too small to press until it is scrolled.
  if (!within) await page.evaluate(() => scrollTo(0, 0))
  // A fade starts in the next frame, and contrast cannot be measured during a fade. Endless animations, such as a
  // blinking caret, do not count.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  expect(await violationsOn(page, rules, within)).toEqual([])
}

/** Nothing is wider than the window, and dialogs fit. */
export async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectDialogsFit(page)
}

/** Nothing in an open dialog overflows or is cut off. */
export async function expectDialogsFit(page: Page): Promise<void> {
  expect(await cutInDialogs(page)).toEqual([])
}

const cutInDialogs = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog], [role=dialog] *, [role=alertdialog], [role=alertdialog] *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        // Tabs, wide tables and inputs may scroll.
        const scrolls = element.matches('[role=tablist], :has(> table), input')
        return overflowX !== 'visible' && textOverflow !== 'ellipsis' && !scrolls
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )

/** A sheet of A4 without its margins. */
const paper = { width: 657, height: 950 } as const

/** On paper nothing is cut, an open dialog is as tall as what is in it, and there is nothing to press. */
export async function expectPrintable(page: Page): Promise<void> {
  await page.setViewportSize(paper)
  await page.emulateMedia({ media: 'print' })
  expect(await wrongOnPaper(page)).toEqual([])
  await page.emulateMedia({ media: 'screen' })
}

const wrongOnPaper = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter(
        (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1,
      )
    const cut = shown('[role=dialog]').filter((dialog) => dialog.scrollHeight > dialog.clientHeight + 1)
    // The tab that is printed and the filters in force say what the sheet shows.
    const controls = shown('button:not([role=tab], [class*=chip]), nav, [type=search]')
    return [
      ...(scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : []),
      ...[...cut, ...controls].map((element) => element.outerHTML.slice(0, 120)),
    ]
  })
