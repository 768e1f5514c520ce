import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { createBrowser, signIn } from './browser.ts'
import { median } from './measure.ts'
import { type BenchPortal, startPortal } from './portal.ts'
import { findPostmaster, mainThreadTime, postgresTime, processorTime } from './processor-time.ts'
import { redeem, type ServiceSide } from './service-client.ts'
import { addPeople, password, signInTo } from './service-sign-ins.ts'
import { registerClient } from './services.ts'

/**
 * What a sign-in costs the server, by part, and how long people behind one address take beside people at as many addresses.
 * With `--beside` a worktree of another commit is measured in turns with this one, with `--mail` everyone comes from a new
 * browser and gets a mail about it.
 */
const { values: options } = parseArgs({
  options: {
    beside: { type: 'string' },
    people: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    each: { type: 'string', default: '300' },
    warmUp: { type: 'string', default: '400' },
    mail: { type: 'boolean', default: false },
  },
})
const atOnce = 8
const behindOneAddress = 500
const each = Number(options.each)

interface Side {
  name: string
  portal: BenchPortal
  service: ServiceSide
  people: readonly string[]
  postmaster: number
  next: number
  stop(): Promise<void>
}

/** Milliseconds of processor time for one sign-in, and sign-ins a second of wall-clock time. */
type Sample = Record<'main thread' | 'whole Node' | 'PostgreSQL' | 'per second', number>

async function startSide(name: string, root: string): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-bench-db-'))
  const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  const portal = await startPortal(
    {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      TRUSTED_PROXIES: '127.0.0.1,::1',
      // As in a browser that the person has used before; the other version has no such mail.
      NEW_BROWSER_MAIL: options.mail ? 'on' : 'off',
    },
    root,
  )
  return {
    name,
    portal,
    service: await registerClient(portal, database.appUrl),
    people: await addPeople(database.ownerUrl, Number(options.people)),
    postmaster: await findPostmaster(database.appUrl),
    next: 0,
    async stop() {
      await portal.stop()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const addressOf = (index: number) => `198.18.${index >> 8}.${index & 255}`

const toPortal = async ({ portal }: Side, email: string, address: string) =>
  signIn(createBrowser(portal.url, undefined, { 'x-forwarded-for': address }), email, password)
const toService = async ({ portal, service }: Side, email: string, address: string) => {
  const browser = createBrowser(portal.url, undefined, { 'x-forwarded-for': address })
  await redeem(service, await signInTo(browser, service, email))
}
type Kind = typeof toPortal

/** So many sign-ins of as many people. @returns seconds */
async function signInMany(side: Side, kind: Kind, count: number, addresses: number, atOnce: number): Promise<number> {
  const since = performance.now()
  let started = 0
  const worker = async () => {
    for (; started < count; ) {
      const index = started++
      await kind(side, side.people[side.next++ % side.people.length] ?? '', addressOf(index % addresses))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (performance.now() - since) / 1000
}

async function sample(side: Side, kind: Kind): Promise<Sample> {
  const times = () => [mainThreadTime(side.portal.pid), processorTime(side.portal.pid), postgresTime(side.postmaster)]
  const before = times()
  const seconds = await signInMany(side, kind, each, 1, atOnce)
  const [main = 0, node = 0, postgres = 0] = times().map((now, index) => ((now - (before[index] ?? 0)) * 1000) / each)
  return { 'main thread': main, 'whole Node': node, PostgreSQL: postgres, 'per second': each / seconds }
}

const print = (label: string, values: readonly (readonly [Side, number])[], unit: string) => {
  const [first, second] = values
  const ratio = first && second ? `  ratio ${(first[1] / second[1]).toFixed(2)}` : ''
  console.log(
    `${label}: ${values.map(([side, value]) => `${side.name} ${value.toFixed(2)} ${unit}`).join(', ')}${ratio}`,
  )
}

const sides = [await startSide('this', join(import.meta.dirname, '..'))]
try {
  if (options.beside) sides.push(await startSide('beside', resolve(options.beside)))
  for (const side of sides)
    for (const kind of [toPortal, toService]) await signInMany(side, kind, Number(options.warmUp), 1, atOnce)
  for (const [name, kind] of [['portal', toPortal] as const, ['service', toService] as const]) {
    const samples = new Map<Side, Sample[]>(sides.map((side) => [side, []]))
    for (let round = 0; round < Number(options.rounds); round++)
      for (const side of round % 2 ? sides.toReversed() : sides) samples.get(side)?.push(await sample(side, kind))
    const middle = (side: Side, part: (one: Sample) => number) =>
      [side, median(samples.get(side)?.map(part) ?? [])] as const
    for (const part of ['main thread', 'PostgreSQL', 'whole Node'] as const)
      print(
        `${name} sign-in, ${part}`,
        sides.map((side) => middle(side, (one) => one[part])),
        'ms',
      )
    print(
      `${name} sign-ins per core, hash and database included`,
      sides.map((side) => middle(side, (one) => 1000 / (one['whole Node'] + one.PostgreSQL))),
      '/s',
    )
    print(
      `${name} sign-ins on ${availableParallelism()} cores, with the client`,
      sides.map((side) => middle(side, (one) => one['per second'])),
      '/s',
    )
  }
  for (const side of sides) {
    const times = { one: [] as number[], many: [] as number[] }
    for (let round = 0; round < Number(options.rounds); round++) {
      times.one.push(await signInMany(side, toPortal, behindOneAddress, 1, 32))
      times.many.push(await signInMany(side, toPortal, behindOneAddress, behindOneAddress, 32))
    }
    const [one, many] = [median(times.one), median(times.many)]
    console.log(
      `${side.name}: ${behindOneAddress} people behind one address ${one.toFixed(2)} s, at as many addresses ${many.toFixed(2)} s  ratio ${(one / many).toFixed(2)}`,
    )
  }
} finally {
  for (const side of sides) await side.stop()
}
