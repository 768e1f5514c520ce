import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { createBrowser, signIn } from './browser.ts'
import { type Load, load } from './load.ts'
import type { Figure } from './measure.ts'
import type { BenchPortal } from './portal.ts'
import { people } from './sign-ins.ts'

const seconds = 4
const rounds = 4
const connections = 32

/** `GET /api/me` a second beside a bare route that does one indexed select, each asked by 32 connections. */
export async function measureMe(portal: BenchPortal, databaseUrl: string): Promise<Figure[]> {
  const email = 'user@nordvik.example'
  // Every connection has its own session, like requests of different users.
  const cookies: string[] = []
  for (let count = 0; count < connections; count++) {
    const browser = createBrowser(portal.url)
    await signIn(browser, people[count % people.length] ?? email, 'Demo-password-1')
    cookies.push(browser.cookieHeader('/api/me'))
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ account_id: string }>('select account_id from users where email = $1', [email])
  await client.end()
  const bareServer = fork(join(import.meta.dirname, 'bare-server.ts'), {
    env: { ...process.env, DATABASE_URL: databaseUrl, ACCOUNT_ID: rows[0]?.account_id ?? '' },
  })
  const [port] = (await once(bareServer, 'message')) as [number]
  const ask = () => load({ url: `${portal.url}/api/me`, connections, seconds, cookies })
  const askBare = () => load({ url: `http://127.0.0.1:${port}/`, connections, seconds })
  try {
    const own: Load[] = []
    const bare: Load[] = []
    // Alternating, so that a temporarily slow machine does not distort the ratio.
    for (let round = 0; round < rounds; round++) {
      bare.push(await askBare())
      own.push(await ask())
    }
    for (const { failures } of [...bare, ...own]) if (failures > 0) throw new Error(`${failures} requests failed`)
    return [
      {
        name: 'GET /api/me',
        value: average(own),
        unit: '/s',
        limit: { what: 'bare route, one select', value: average(bare) },
        target: { atLeast: 0.6 },
      },
      {
        name: 'GET /api/me, p99',
        value: Math.max(...own.map(({ p99 }) => p99)),
        unit: 'ms',
        limit: { what: 'budget', value: 15 },
        target: { atMost: 1 },
      },
    ]
  } finally {
    bareServer.disconnect()
  }
}

const average = (runs: readonly Load[]) => runs.reduce((sum, { perSecond }) => sum + perSecond, 0) / runs.length
