import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { type BenchBrowser, createBrowser, signIn } from './browser.ts'
import { load } from './load.ts'
import { type Figure, median } from './measure.ts'
import type { BenchPortal } from './portal.ts'
import { findPostmaster, postgresTime, processorTime } from './processor-time.ts'
import { authorizationQuery, codeIn, redeem, redirectUri, type ServiceSide } from './service-client.ts'
import { email, password } from './service-sign-ins.ts'

const codesEach = 400
const warmUpCodes = 100
const rounds = 3
const seconds = 4
const connections = 32

/** What services ask for, beside oidc-provider alone, in turns. */
export async function measureServices(portal: BenchPortal, databaseUrl: string, ownerUrl: string): Promise<Figure[]> {
  const ours = await registerClient(portal, databaseUrl)
  const bareProcess = fork(join(import.meta.dirname, 'bare-provider.ts'), {
    env: { ...process.env, DATABASE_URL: ownerUrl },
  })
  const [port] = (await once(bareProcess, 'message')) as [number]
  const bare: ServiceSide = { issuer: `http://localhost:${port}`, clientId: 'bench', secret: 'secret' }
  const bareCodes = async () => {
    bareProcess.send({ codes: codesEach })
    return ((await once(bareProcess, 'message')) as [string[]])[0]
  }
  try {
    const browser = createBrowser(portal.url)
    await signIn(browser, email, password)
    const postmaster = await findPostmaster(databaseUrl)
    const timesOf = (pid: number | undefined) => () => ({
      node: processorTime(pid ?? 0),
      postgres: postgresTime(postmaster),
    })
    const seen = { ours: [] as Sample[], bare: [] as Sample[] }
    for (let round = 0; round < rounds; round++) {
      seen.ours.push(await measure(ours, await ourCodes(browser, ours), timesOf(portal.pid)))
      seen.bare.push(await measure(bare, await bareCodes(), timesOf(bareProcess.pid)))
    }
    const figures = (name: string, key: keyof Sample, what: string, target: Figure['target']): Figure[] => {
      const middle = (samples: Sample[], part: keyof Measured) => median(samples.map((sample) => sample[key][part]))
      const limit = (part: keyof Measured) => middle(seen.bare, part)
      const value = (part: keyof Measured) => middle(seen.ours, part)
      return [
        { name, value: value('perSecond'), unit: '/s', limit: { what, value: limit('perSecond') }, target },
        {
          name: `${name}, processor time (PostgreSQL: ${value('postgres').toFixed(2)} ms)`,
          value: value('node') + value('postgres'),
          unit: 'ms',
          limit: { what, value: limit('node') + limit('postgres') },
          target: 'none',
        },
      ]
    }
    return [
      ...figures('userinfo', 'userInfo', 'oidc-provider in memory', 'none'),
      ...figures('introspection', 'introspection', 'oidc-provider in memory', 'none'),
      ...figures('code exchange', 'exchange', 'oidc-provider, one read, one insert', { atLeast: 0.9 }),
    ]
  } finally {
    bareProcess.disconnect()
  }
}

interface Measured {
  perSecond: number
  /** Processor time of one request, milliseconds. */
  node: number
  postgres: number
}

interface Sample {
  exchange: Measured
  userInfo: Measured
  introspection: Measured
}

/** Seconds of processor time until now. */
type Times = () => Pick<Measured, 'node' | 'postgres'>

async function measure(service: ServiceSide, codes: string[], times: Times): Promise<Sample> {
  const tokens: string[] = []
  const perRequest = (before: ReturnType<Times>, requests: number) => ({
    node: ((times().node - before.node) * 1000) / requests,
    postgres: ((times().postgres - before.postgres) * 1000) / requests,
  })
  const redeemAll = async (some: string[]): Promise<Measured> => {
    const [left, since, before] = [[...some], performance.now(), times()]
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let code = left.pop(); code; code = left.pop()) tokens.push(await redeem(service, code))
      }),
    )
    const perSecond = some.length / ((performance.now() - since) / 1000)
    return { perSecond, ...perRequest(before, some.length) }
  }
  await redeemAll(codes.slice(0, warmUpCodes))
  const exchange = await redeemAll(codes.slice(warmUpCodes))
  const some = tokens.slice(0, connections)
  const ask = async (
    path: string,
    requests: { headers: Record<string, string>; body?: string }[],
    method?: 'POST',
  ): Promise<Measured> => {
    const before = times()
    const options = { url: service.issuer + path, connections, seconds, requests, ...(method && { method }) }
    const { perSecond, failures, answered } = await load(options)
    if (failures > 0) throw new Error(`${path}: ${failures} requests failed`)
    return { perSecond, ...perRequest(before, answered) }
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
  const form = { kind: 'web', authentication: 'client_secret_post', redirectUris: [redirectUri] }
  return registerClientOf(portal.url, String(rows[0]?.service_id), form)
}

/** Registers a service's client as a super user does. */
export async function registerClientOf(portalUrl: string, serviceId: string, form: object): Promise<ServiceSide> {
  const root = createBrowser(portalUrl)
  await signIn(root, 'super@vestibule.example', password)
  const url = `/api/services/${serviceId}/client`
  const send = async (method: string, path: string, body: object) =>
    (
      await fetch(portalUrl + path, {
        method,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          cookie: root.cookieHeader(path),
        },
        body: JSON.stringify(body),
      })
    ).json() as Promise<{ clientId: string; newSecret: string | null }>
  await send('PUT', url, form)
  const { newSecret } = await send('POST', `${url}/secrets`, { keepHours: 0 })
  const { clientId } = await send('PUT', url, {})
  return { issuer: `${portalUrl}/oidc`, clientId, secret: newSecret ?? '' }
}

async function ourCodes(browser: BenchBrowser, service: ServiceSide): Promise<string[]> {
  const codes: string[] = []
  for (let count = 0; count < codesEach; count++) codes.push(await codeOf(browser, service))
  return codes
}

export async function codeOf(browser: BenchBrowser, service: ServiceSide): Promise<string> {
  const code = codeIn(await browser.get(`/oidc/auth?${authorizationQuery(service)}`))
  if (!code) throw new Error('the portal made no code')
  return code
}
