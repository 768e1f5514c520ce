import type { Page } from '@playwright/test'

/** What a way through the portal has cost so far; the pages of an identity provider do not count. */
export interface Steps {
  clicks: number
  /** That were typed in. */
  fields: Set<string>
  /** Addresses, of pages and dialogs. */
  screens: Set<string>
}

/** Counts from the next page that is opened. */
export async function countSteps(page: Page): Promise<Steps> {
  const steps: Steps = { clicks: 0, fields: new Set(), screens: new Set() }
  const portal = new URL(page.url()).origin
  const isOurs = (url: string) => URL.canParse(url) && new URL(url).origin === portal
  await page.exposeBinding('countStep', ({ frame }, kind: 'click' | 'field', name: string) => {
    if (!isOurs(frame.url())) return
    if (kind === 'click') steps.clicks++
    else steps.fields.add(`${new URL(frame.url()).pathname} ${name}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && isOurs(frame.url())) steps.screens.add(new URL(frame.url()).pathname)
  })
  await page.addInitScript(() => {
    const count = (kind: 'click' | 'field', name: string) =>
      (window as unknown as { countStep: (kind: string, name: string) => void }).countStep(kind, name)
    // Once for each click, also on a label, which passes its click on.
    addEventListener('pointerdown', () => count('click', ''), { capture: true })
    addEventListener(
      'input',
      ({ target }) => {
        const typed =
          target instanceof HTMLTextAreaElement ||
          (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type))
        if (typed) count('field', (target as HTMLElement).id)
      },
      { capture: true },
    )
  })
  return steps
}
