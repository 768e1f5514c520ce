import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

/** Tags of axe, or single rules of it. */
export type Rules = NonNullable<RunOptions['runOnly']>

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string | undefined }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it stands. It is brought there once, and reports nothing but what is wrong. */
export async function violationsOn(page: Page, rules: Rules): Promise<Violation[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run(document, { runOnly, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }))
  }, rules)
}

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}
