import { maxImportedRows } from '#contract/invitations/bulk-invitations.ts'
import { createBrowser, signIn } from './browser.ts'
import { type Figure, median } from './measure.ts'
import type { BenchPortal } from './portal.ts'

const runs = 5

/** How long an import of as many people as are allowed is looked at, before anything is written. */
export async function measureImports(portal: BenchPortal): Promise<Figure[]> {
  const browser = createBrowser(portal.url)
  await signIn(browser, 'admin@nordvik.example', 'Demo-password-1')
  const headers = {
    cookie: browser.cookieHeader('/api/'),
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  }
  const ask = async <Answer>(path: string, body?: string): Promise<Answer> => {
    const response = await fetch(portal.url + path, { headers, ...(body ? { method: 'POST', body } : {}) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json() as Promise<Answer>
  }
  const { accountId } = await ask<{ accountId: string }>('/api/me')
  const [own] = await ask<{ organizationId: string }[]>(`/api/users/${accountId}/organizations`)

  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    // Different people in each run, so that no caches help.
    const rows = Array.from({ length: maxImportedRows }, (_, index) => ({
      email: `person.${run}.${index}@example.com`,
      firstName: 'Förnamn',
      lastName: 'Efternamn',
      services: ['Arkiv', 'Bokning'],
      userRole: 'regular',
    }))
    const since = performance.now()
    const answer = await ask<{ rows: { outcome: string }[] }>(
      '/api/invites/bulk/dry-run',
      JSON.stringify({ organizationId: own?.organizationId, rows }),
    )
    times.push(performance.now() - since)
    if (answer.rows.some(({ outcome }) => outcome !== 'invited')) throw new Error('not every row was right')
  }
  return [
    {
      name: 'dry run of an import, 500 rows',
      value: median(times),
      unit: 'ms',
      limit: { what: 'budget', value: 3000 },
      target: { atMost: 1 },
    },
  ]
}
