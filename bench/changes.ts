import { fork } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { createBrowser, signIn } from './browser.ts'
import type { Changing } from './change-process.ts'
import { type Figure, inTurns } from './measure.ts'
import { type BenchPortal, startPortal } from './portal.ts'

const writers = 32
const seconds = 2
const rounds = 7

/** `PUT /api/services` by 32 clients: portals with their audit log and without it, one and two of each, on one database. */
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
  const plain = { ...external, NODE_OPTIONS: hooks }
  const change =
    (...asked: BenchPortal[]) =>
    async () => {
      const [{ url } = { url: '' }] = asked
      const browser = createBrowser(url)
      await signIn(browser, 'super@vestibule.example', 'Demo-password-1')
      const cookie = browser.cookieHeader('/api/services')
      return send({ urls: asked.map((one) => one.url), cookie, serviceIds, seconds })
    }
  return withPortal(plain, async (without) => {
    // The first changes of a process take longer, because its code is compiled: each is asked before it counts.
    const seen = await withPortal(external, (first) =>
      withPortal({ ...external, BASE_URL: first.url }, async (second) => {
        await change(first, second)()
        return inTurns(rounds, { without: change(without), one: change(first), two: change(first, second) })
      }),
    )
    // Four portals at once would need more connections than the embedded database has.
    const control = await withPortal({ ...plain, BASE_URL: without.url }, async (second) => {
      await change(without, second)()
      return inTurns(rounds, { one: change(without), two: change(without, second) })
    })
    return figuresOf(seen, control)
  })
}

async function withPortal<Result>(
  settings: Record<string, string>,
  work: (portal: BenchPortal) => Promise<Result>,
): Promise<Result> {
  const portal = await startPortal(settings)
  try {
    return await work(portal)
  } finally {
    await portal.stop()
  }
}

const figuresOf = (
  seen: Record<'without' | 'one' | 'two', number>,
  control: Record<'one' | 'two', number>,
): Figure[] => [
  {
    name: 'PUT /api/services, 32 clients',
    value: seen.one,
    unit: '/s',
    limit: { what: 'without the audit log', value: seen.without },
    target: { atLeast: 0.8 },
  },
  {
    name: 'PUT /api/services, two portals',
    value: seen.two,
    unit: '/s',
    limit: { what: 'one portal', value: seen.one },
    target: { atLeast: 1 },
  },
  {
    name: 'the same without the audit log, two portals',
    value: control.two,
    unit: '/s',
    limit: { what: 'one portal', value: control.one },
    target: 'none',
  },
]

function send(changing: Changing): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'change-process.ts'))
    child.once('message', (perSecond) => resolve(perSecond as number))
    child.once('exit', (code) => reject(new Error(`the changes ended with ${code}`)))
    child.send(changing)
  })
}
