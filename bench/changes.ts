import { fork } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { createBrowser, signIn } from './browser.ts'
import type { Changing } from './change-process.ts'
import { type Figure, median } from './measure.ts'
import { type BenchPortal, startPortal } from './portal.ts'

const writers = 32
const seconds = 5
const rounds = 3

/** `PUT /api/services` by 32 clients: one portal without its audit log, one with it, and two, in turns on one database. */
export async function measureChanges(external: Record<string, string>, ownerUrl: string): Promise<Figure[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(
    `insert into services (service_id, name, url) select gen_random_uuid(), 'Change ' || n, 'https://bench.example'
     from generate_series(1, $1) as n returning service_id as id`,
    [writers],
  )
  await owner.end()
  const serviceIds = rows.map(({ id }) => id as string)
  const hooks = `--import=${join(import.meta.dirname, 'without-audit.ts')}`
  const without = await startPortal({ ...external, NODE_OPTIONS: hooks })
  const first = await startPortal(external)
  const second = await startPortal({ ...external, BASE_URL: first.url })
  const seen = { without: [] as number[], one: [] as number[], two: [] as number[] }
  try {
    const change = async (...portals: BenchPortal[]) => {
      const [{ url } = { url: '' }] = portals
      const browser = createBrowser(url)
      await signIn(browser, 'super@vestibule.example', 'Demo-password-1')
      const cookie = browser.cookieHeader('/api/services')
      return send({ urls: portals.map((one) => one.url), cookie, serviceIds, seconds })
    }
    for (let round = 0; round < rounds; round++) {
      seen.without.push(await change(without))
      seen.one.push(await change(first))
      seen.two.push(await change(first, second))
    }
  } finally {
    for (const portal of [second, first, without]) await portal.stop()
  }
  const [plain, one, two] = [seen.without, seen.one, seen.two].map(median) as [number, number, number]
  return [
    {
      name: 'PUT /api/services, 32 clients',
      value: one,
      unit: '/s',
      limit: { what: 'without the audit log', value: plain },
      target: { atLeast: 0.8 },
    },
    {
      name: 'PUT /api/services, two portals',
      value: two,
      unit: '/s',
      limit: { what: 'one portal', value: one },
      target: { atLeast: 1 },
    },
  ]
}

function send(changing: Changing): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'change-process.ts'))
    child.once('message', (perSecond) => resolve(perSecond as number))
    child.once('exit', (code) => reject(new Error(`the changes ended with ${code}`)))
    child.send(changing)
  })
}
