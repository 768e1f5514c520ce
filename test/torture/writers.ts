import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type BenchBrowser, createBrowser, signIn } from '../../bench/browser.ts'

const password = 'Demo-password-1'
const people = ['admin@nordvik.example', 'user@nordvik.example', 'both@nordvik.example']
const importedRows = 5

/** What the portal acknowledged. Requests without an answer may have been done or not. */
export interface Ledger {
  /** Sign-ins by address. */
  signIns: Map<string, number>
  /** Descriptions of services, by id, in order. */
  edits: Map<string, string[]>
  /** Addresses of invited people. */
  invited: string[]
  unanswered: number
}

export interface Writers {
  ledger: Ledger
  /** What the requests that were not acknowledged got. */
  failures: string[]
  /** Resolves when the last request has its answer, or has failed. */
  stop(): Promise<void>
}

/** Signs people in, edits services, invites and imports people, one after the other in each of four loops. */
export async function startWriters(url: string, run: string): Promise<Writers> {
  const ledger: Ledger = { signIns: new Map(), edits: new Map(), invited: [], unanswered: 0 }
  const root = createBrowser(url)
  await signIn(root, 'super@vestibule.example', password)
  const send = jsonClient(url, root)
  const organizations = await send<{ organizationId: string; name: string }[]>('GET', '/api/organizations/list')
  const organizationId = organizations.find(({ name }) => name.startsWith('Nordvik'))?.organizationId
  const { serviceId } = await send<{ serviceId: string }>('POST', '/api/services', {
    name: `Torture ${run}`,
    url: 'https://torture.example',
  })
  ledger.edits.set(serviceId, [])
  const failures: string[] = []
  let stopped = false

  async function loop(write: (number: number) => Promise<void>): Promise<void> {
    for (let number = 1; !stopped; number++)
      await write(number).catch(async (error: Error) => {
        ledger.unanswered++
        failures.push(error.message)
        await wait(100)
      })
  }

  const loops = [
    loop(async (number) => {
      const email = people[number % people.length] ?? ''
      await signIn(createBrowser(url), email, password)
      ledger.signIns.set(email, (ledger.signIns.get(email) ?? 0) + 1)
    }),
    loop(async (number) => {
      const description = `edit-${run}-${number}.`
      await send('PUT', '/api/services', { serviceId, description })
      ledger.edits.get(serviceId)?.push(description)
    }),
    loop(async (number) => {
      const email = `invited-${run}-${number}@torture.example`
      await send('POST', '/api/invites', { organizationId, email })
      ledger.invited.push(email)
      await wait(20)
    }),
    loop(async (number) => {
      const rows = Array.from({ length: importedRows }, (_, index) => ({
        email: `imported-${run}-${number}-${index}@torture.example`,
      }))
      const answer = await send<{ rows: { email: string; outcome: string }[] }>('POST', '/api/invites/bulk', {
        organizationId,
        rows,
      })
      for (const { email, outcome } of answer.rows) if (outcome === 'invited') ledger.invited.push(email)
      await wait(50)
    }),
  ]
  return {
    ledger,
    failures,
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}

function jsonClient(url: string, browser: BenchBrowser) {
  return async <Answer>(method: 'GET' | 'POST' | 'PUT', path: string, input?: object): Promise<Answer> => {
    const { statusCode, body } = await request(url + path, {
      method,
      headersTimeout: 15_000,
      bodyTimeout: 15_000,
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: browser.cookieHeader(path),
        ...(input && { 'content-type': 'application/json' }),
      },
      ...(input && { body: JSON.stringify(input) }),
    })
    const text = await body.text()
    if (statusCode >= 400) throw new Error(`${method} ${path} answered ${statusCode}: ${text.slice(0, 200)}`)
    return (text ? JSON.parse(text) : undefined) as Answer
  }
}
