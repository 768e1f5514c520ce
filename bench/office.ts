import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { limitRules, limitSetting } from '#server/platform/limit-rules.ts'
import { type BenchBrowser, createBrowser, signIn } from './browser.ts'
import { startPortal } from './portal.ts'
import { addPeople, password } from './service-sign-ins.ts'

/**
 * The people of an office sign in within a few minutes in the morning, behind one address and with the limits as they are:
 * how many are refused? Most browsers have signed in the day before; some are new. Some people mistype the password.
 */
const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '5000' },
    minutes: { type: 'string', default: '10' },
    /** Of a hundred. */
    newBrowsers: { type: 'string', default: '5' },
    typos: { type: 'string', default: '5' },
  },
})
const count = Number(options.people)
const office = '198.18.0.1'
const share = (percent: string) => (index: number) => (index * 37) % 100 < Number(percent)
const [isNew, isMistyped] = [share(options.newBrowsers), share(options.typos)]

const folder = mkdtempSync(join(tmpdir(), 'vestibule-bench-db-'))
const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
const portal = await startPortal({
  DATABASE_URL: database.appUrl,
  DATABASE_OWNER_URL: database.ownerUrl,
  TRUSTED_PROXIES: '127.0.0.1,::1',
  // An empty setting is not set: the limits are as they are shipped.
  ...Object.fromEntries(Object.keys(limitRules).map((name) => [limitSetting(name), ''])),
})

interface Person {
  email: string
  browser: BenchBrowser
  /** Where the browser is: the headers of a proxy. */
  at: Record<string, string>
}

/** The day before: those whose browser is not new sign in once, each from an address of their own. */
async function dayBefore(emails: readonly string[]): Promise<Person[]> {
  const people = emails.map((email, index): Person => {
    const at = { 'x-forwarded-for': `198.19.${index >> 8}.${index & 255}` }
    return { email, at, browser: createBrowser(portal.url, undefined, at) }
  })
  let next = 0
  const worker = async () => {
    for (let index = next++; index < people.length; index = next++) {
      const { email, browser } = people[index] as Person
      if (!isNew(index)) await signIn(browser, email, password)
      browser.forgetSession()
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return people
}

const refusals = new Map<string, number>()
const refused = (what: string) => void refusals.set(what, (refusals.get(what) ?? 0) + 1)
/** Seconds that a person takes to type. */
const typing = () => wait((3 + Math.random() * 12) * 1000)

/** @returns the milliseconds for which the person waited for the portal */
async function morning({ email, browser, at }: Person, isWrongFirst: boolean): Promise<number> {
  at['x-forwarded-for'] = office
  let waited = 0
  const timed = async <Result>(what: string, work: Promise<Result>) => {
    const since = performance.now()
    const result = await work.catch((error: Error) => refused(`${what}: ${error.message}`))
    waited += performance.now() - since
    return result
  }
  const page = String(await timed('begin', browser.get('/login'))).split('?', 1)[0] ?? ''
  if (!page.startsWith('/interaction/')) refused(`begin: led to ${page}`)
  await timed('page', browser.get(page))
  await typing()
  await timed('look-up', browser.get(`/api/authType?${new URLSearchParams({ email })}`))
  await typing()
  const send = (typed: string) => browser.submit(`${page}/login`, { email, login: email, password: typed })
  if (isWrongFirst) {
    const end = await timed('typo', send('Wrong-horse-7-battery'))
    if (!end?.includes('error=invalidCredentials')) refused(`typo: led to ${end?.split('?')[1]}`)
    await typing()
  }
  const end = await timed('password', send(password))
  if (end !== '/') refused(`password: led to ${end?.replace(email, '…')}`)
  return waited
}

try {
  const people = await dayBefore(await addPeople(database.ownerUrl, count))
  console.log(`${count} people have signed in before, but for ${people.filter((_, index) => isNew(index)).length}`)
  const mornings = people.map(async (person, index) => {
    await wait(Math.random() * Number(options.minutes) * 60_000)
    return morning(person, isMistyped(index + 13))
  })
  const waited = (await Promise.all(mornings)).sort((a, b) => a - b)
  const refusedCalls = [...refusals.values()].reduce((sum, number) => sum + number, 0)
  console.log(`${count} people behind one address within ${options.minutes} minutes: ${refusedCalls} refused`)
  for (const [what, number] of refusals) console.log(`  ${number} × ${what}`)
  const at = (part: number) => Math.round(waited[Math.floor(part * (waited.length - 1))] ?? 0)
  console.log(`each waited for the portal, in all: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`)
  if (refusedCalls > 0) process.exitCode = 1
} finally {
  await portal.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
