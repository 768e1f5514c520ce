import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/**
 * Calls the API as the user in the browser: to prepare a test, and to act as another admin. It shares the page's
 * cookies; no page needs to be open.
 */
export async function api<Answer = Record<string, string>>(
  page: Page,
  method: string,
  path: string,
  data?: unknown,
): Promise<Answer> {
  const response = await page.request.fetch(path, { method, data, headers: { 'sec-fetch-site': 'same-origin' } })
  const answer = await response.text()
  expect(response.status(), answer).toBeLessThan(300)
  return (answer ? JSON.parse(answer) : undefined) as Answer
}
