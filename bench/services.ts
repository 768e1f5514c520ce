import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { hashParameters } from '#server/platform/secrets/passwords.ts'
import { type BenchBrowser, createBrowser, signIn } from './browser.ts'
import { load } from './load.ts'
import { type Figure, median, rate } from './measure.ts'
import type { BenchPortal } from './portal.ts'
import { findPostmaster, postgresTime, processorTime } from './processor-time.ts'
import { authorizationQuery, redeem, redirectUri, type ServiceSide } from './service-client.ts'

const email = 'user@nordvik.example'
const password = 'Demo-password-1'
const codesEach = 400
const rounds = 3
const seconds = 4
const connections = 32

/** What services ask for, beside oidc-provider alone with everything in memory, in turns. */
export async function measureServices(portal: BenchPortal, databaseUrl: string, ownerUrl: string): Promise<Figure[]> {
  const ours = await registerClient(portal, databaseUrl)
  const bareProcess = fork(join(import.meta.dirname, 'bare-provider.ts'))
  const [port] = (await once(bareProcess, 'message')) as [number]
  const bare: ServiceSide = { issuer: `http://localhost:${port}`, clientId: 'bench', secret: 'secret' }
  const bareCodes = async () => {
    bareProcess.send({ codes: codesEach })
    return ((await once(bareProcess, 'message')) as [string[]])[0]
  }
  try {
    const browser = createBrowser(portal.url)
    await signIn(browser, email, password)
    const seen = { ours: [] as Sample[], bare: [] as Sample[] }
    for (let round = 0; round < rounds; round++) {
      seen.ours.push(await measure(ours, await ourCodes(browser, ours)))
      seen.bare.push(await measure(bare, await bareCodes()))
    }
    const figure = (name: string, key: keyof Sample): Figure => ({
      name,
      value: median(seen.ours.map((sample) => sample[key])),
      unit: '/s',
      limit: { what: 'oidc-provider alone', value: median(seen.bare.map((sample) => sample[key])) },
      target: { atLeast: 0.6 },
    })
    return [
      figure('userinfo', 'userInfo'),
      figure('introspection', 'introspection'),
      figure('code exchange', 'exchange'),
      await measureSignIn(portal, databaseUrl, ours, await addPeople(ownerUrl, 200)),
    ]
  } finally {
    bareProcess.disconnect()
  }
}

interface Sample {
  exchange: number
  userInfo: number
  introspection: number
}

async function measure(service: ServiceSide, codes: string[]): Promise<Sample> {
  const tokens: string[] = []
  const [left, since] = [[...codes], performance.now()]
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let code = left.pop(); code; code = left.pop()) tokens.push(await redeem(service, code))
    }),
  )
  const exchange = codes.length / ((performance.now() - since) / 1000)
  const some = tokens.slice(0, connections)
  const ask = async (path: string, requests: { headers: Record<string, string>; body?: string }[], method?: 'POST') => {
    const options = { url: service.issuer + path, connections, seconds, requests, ...(method && { method }) }
    const { perSecond, failures } = await load(options)
    if (failures > 0) throw new Error(`${path}: ${failures} requests failed`)
    return perSecond
  }
  const { clientId, secret } = service
  return {
    exchange,
    userInfo: await ask(
      '/me',
      some.map((token) => ({ headers: { authorization: `Bearer ${token}` } })),
    ),
    introspection: await ask(
      '/token/introspection',
      some.map((token) => ({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ token, client_id: clientId, client_secret: secret })}`,
      })),
      'POST',
    ),
  }
}

/** A client of a service that the person has. */
export async function registerClient(portal: BenchPortal, databaseUrl: string): Promise<ServiceSide> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const { rows } = await database.query<{ service_id: string }>(
    'select service_id from service_assignments join users using (account_id) where email = $1 limit 1',
    [email],
  )
  await database.end()
  const root = createBrowser(portal.url)
  await signIn(root, 'super@vestibule.example', password)
  const url = `/api/services/${rows[0]?.service_id}/client`
  const send = async (method: string, path: string, body: object) =>
    (
      await fetch(portal.url + path, {
        method,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          cookie: root.cookieHeader(path),
        },
        body: JSON.stringify(body),
      })
    ).json() as Promise<{ clientId: string; newSecret: string | null }>
  await send('PUT', url, { kind: 'web', authentication: 'client_secret_post', redirectUris: [redirectUri] })
  const { newSecret } = await send('POST', `${url}/secrets`, { keepHours: 0 })
  const { clientId } = await send('PUT', url, {})
  return { issuer: `${portal.url}/oidc`, clientId, secret: newSecret ?? '' }
}

async function ourCodes(browser: BenchBrowser, service: ServiceSide): Promise<string[]> {
  const codes: string[] = []
  for (let count = 0; count < codesEach; count++) codes.push(await codeOf(browser, service))
  return codes
}

const codeIn = (address: string | undefined) => new URLSearchParams(address?.split('?')[1]).get('code') ?? undefined

export async function codeOf(browser: BenchBrowser, service: ServiceSide): Promise<string> {
  const code = codeIn(await browser.get(`/oidc/auth?${authorizationQuery(service)}`))
  if (!code) throw new Error('the portal made no code')
  return code
}

/** From the service to the form, back to the service, and the tokens: the hash's share of the server's processor time. */
async function measureSignIn(
  portal: BenchPortal,
  databaseUrl: string,
  service: ServiceSide,
  people: readonly string[],
): Promise<Figure> {
  const postmaster = await findPostmaster(databaseUrl)
  const serverTime = () => processorTime(portal.pid) + postgresTime(postmaster)
  const own = process.cpuUsage()
  for (let count = 0; count < 50; count++) await hash(password, hashParameters)
  const { user, system } = process.cpuUsage(own)
  const before = serverTime()
  let done = 0
  await rate(4, 8, async () => {
    await redeem(service, await signInTo(createBrowser(portal.url), service, people[done++ % people.length] ?? ''))
  })
  return {
    name: "the hash's share of a sign-in to a service, in processor time",
    value: (user + system) / 1000 / 50,
    unit: 'ms',
    limit: { what: 'Node and PostgreSQL', value: ((serverTime() - before) * 1000) / done },
    target: { atLeast: 0.55 },
  }
}

/**
 * People like the one of the demo, each with the same service: a tenth session of one person would end the oldest, and
 * tell services of it.
 */
export async function addPeople(databaseUrl: string, count: number): Promise<string[]> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const copies = async (table: string, change: string) => {
    const { rows } = await database.query<{ names: string }>(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    const names = rows[0]?.names ?? ''
    await database.query(
      `insert into ${table} (${names}) select ${names} from (
        select (jsonb_populate_record(t, ${change})).* from ${table} t, generate_series(1, $2::integer) n
        where account_id = (select account_id from users where email = $1)) as copies`,
      [email, count],
    )
  }
  const id = `'account_id', md5('bench' || n)::uuid`
  await copies(
    'users',
    `jsonb_build_object(${id}, 'email', 'user-' || n || '@nordvik.example', 'ssn_sealed', null, 'ssn_index', null)`,
  )
  await copies('memberships', `jsonb_build_object(${id})`)
  await database.query('update organization_services set max_number_of_users = null')
  await copies('service_assignments', `jsonb_build_object(${id})`)
  await database.end()
  return Array.from({ length: count }, (_, index) => `user-${index + 1}@nordvik.example`)
}

export async function signInTo(browser: BenchBrowser, service: ServiceSide, email: string): Promise<string> {
  const follow = async (address: string | undefined, isEnd: (path: string) => boolean) => {
    let at = address ?? ''
    for (let steps = 0; steps < 10 && !isEnd(at) && !codeIn(at); steps++) at = (await browser.get(at)) ?? ''
    return at
  }
  const page = await follow(`/oidc/auth?${authorizationQuery(service)}`, (path) => path.startsWith('/interaction/'))
  const sent = await browser.submit(`${page.split('?', 1)[0]}/login`, { email, login: email, password })
  const end = await follow(sent, () => false)
  const code = codeIn(end)
  if (!code) throw new Error(`the sign-in to the service ended at ${end}`)
  return code
}
