import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

/** Tags or rules of axe to run, and rules to leave out. */
export type Rules = Pick<RunOptions, 'runOnly' | 'rules'>

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string | undefined }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The violations that axe finds on the current page. axe is injected once; only violations are reported.
 *
 * @param within CSS selector of the parts to check; by default the whole page
 */
export async function violationsOn(page: Page, rules: Rules, within = 'html'): Promise<Violation[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(
    async ([parts, chosen]) => {
      const { violations } = await window.axe.run(parts, { ...chosen, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }))
    },
    [within, rules] as const,
  )
}

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}
