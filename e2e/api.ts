import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/**
 * Calls the API as the person in the browser does, for what another admin does meanwhile. The page has to be somewhere in
 * the app.
 */
export async function api<Answer = Record<string, string>>(
  page: Page,
  method: string,
  path: string,
  input?: unknown,
): Promise<Answer> {
  const { status, answer } = await page.evaluate(
    async ([how, where, body]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(where, { method: how, ...(body ? { headers, body } : {}) })
      return { status: response.status, answer: await response.text() }
    },
    [method, path, input === undefined ? '' : JSON.stringify(input)] as const,
  )
  expect(status, answer).toBeLessThan(300)
  return (answer ? JSON.parse(answer) : undefined) as Answer
}
