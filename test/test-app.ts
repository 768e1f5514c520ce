import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { type SimulatedBankId, simulateBankId } from '#server/demo/bankid-simulator.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { sealAndCount } from '#server/platform/audit/sealer.ts'
import { createOutage } from '#server/platform/database/outage.ts'
import { createLog } from '#server/platform/log.ts'
import { createPasswords, hashParameters } from '#server/platform/secrets/passwords.ts'
import type { System } from '#server/platform/system.ts'
import { type Client, createClient } from './client.ts'
import { createTestDatabase } from './database.ts'
import { testMasterKey, testStart } from './initial-state.ts'
import { findLeaks } from './leaks.ts'
import { builders, type Person, testPassword } from './people.ts'
import { findUnprovenCalls } from './proof-writes.ts'

/** The whole portal with its own database, without a port, and with a clock that the test controls. */
export interface TestApp extends ReturnType<typeof builders> {
  app: FastifyInstance
  system: System
  provider: MountedProvider
  /** The BankID simulator, on the test's clock; none in production. */
  bankid: SimulatedBankId
  /** The database as the serving role. */
  appUrl: string
  /** For direct access to the database as its owner. */
  ownerUrl: string
  /** All log lines so far. */
  logged: Record<string, unknown>[]
  now(): Date
  /** Advances the clock, in seconds. */
  advance(seconds: number): void
  /** A browser without cookies. @param headers sent along with every request */
  browser(headers?: Record<string, string>): Client
  /** A browser in which this person has signed in through the sign-in pages. */
  signedIn(person: Person, password?: string): Promise<Client>
  /** Gives every audit event its place in the chain, as a running server does all the time. */
  seal(): Promise<void>
  /** Another process of the portal, on the same database. @param ahead seconds that its clock is ahead */
  anotherNode(ahead?: number): Promise<{ app: FastifyInstance; browser(): Client; close(): Promise<void> }>
  /** From now on one line of the log stands for all that fail while the database is away, as in a running server. */
  noteOutages(): void
  /**
   * Fails when passwords or personal numbers stand anywhere in the database or the log, and for calls that changed what proves a
   * person without a fresh proof, or a reason in the contract.
   */
  close(): Promise<void>
}

export { testMasterKey }

const projectFolder = join(import.meta.dirname, '..')

/**
 * Thousands of sign-ins, each of which would take a core for 12 ms. What the real parameters cost and protect is tested in
 * passwords.test.ts.
 */
const cheap = { ...hashParameters, memoryCost: 64, timeCost: 1 }

/** A test signs in from many browsers: the mail about a new one has tests of its own. */
const quiet = { BASE_URL: 'http://portal.test', DEMO: 'off', LOG_LEVEL: 'debug', NEW_BROWSER_MAIL: 'off' }

/**
 * Opens the portal for one test file. Close it at the end.
 *
 * @param defaults settings with which every session of its database begins
 * @param readsElsewhere whether calls that may lag use connections of their own, which cannot write
 */
export async function testApp(
  env: Record<string, string> = {},
  { defaults = {}, readsElsewhere = false }: { defaults?: Record<string, string>; readsElsewhere?: boolean } = {},
): Promise<TestApp> {
  const database = await createTestDatabase({ withKeys: true, defaults })
  const config = readConfig({ ...quiet, ...(readsElsewhere && { DATABASE_READ_URL: database.appUrl }), ...env })
  const logged: Record<string, unknown>[] = []
  const outage = createOutage()
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const log = createLog(config.logLevel, destination, outage.swallows)
  let time = testStart.getTime()
  const simulated = simulateBankId({ clock: () => new Date(time) })
  const start = async (ahead = 0) => {
    const system = await createSystem({
      config,
      database: { appUrl: database.appUrl },
      masterKey: testMasterKey,
      log,
      clock: () => new Date(time + ahead * 1000),
      passwords: createPasswords({ parameters: cheap }),
    })
    const { app, provider } = await createApp(system, {
      webFolder: join(projectFolder, 'dist/web'),
      bankIdClient: config.production ? undefined : simulated.bankid,
      phoneApp: simulated.phoneApp,
    })
    await app.ready()
    return { system, app, provider }
  }
  const { system, app, provider } = await start()
  let stopWatching = () => {}
  const browser: TestApp['browser'] = (headers) => createClient(app, config.baseUrl, headers)
  return {
    app,
    system,
    provider,
    bankid: simulated,
    appUrl: database.appUrl,
    ownerUrl: database.ownerUrl,
    logged,
    ...builders(system),
    now: () => new Date(time),
    advance(seconds) {
      time += seconds * 1000
    },
    browser,
    async signedIn(person, password = testPassword) {
      const client = browser()
      await signIn(client, person.email, password)
      if ((await client.get('/api/me')).statusCode !== 200) throw new Error(`${person.email} could not sign in`)
      return client
    },
    async seal() {
      await sealAndCount(system.db)
    },
    noteOutages() {
      stopWatching = outage.watch(system)
    },
    async anotherNode(ahead) {
      const node = await start(ahead)
      return {
        app: node.app,
        browser: () => createClient(node.app, config.baseUrl),
        async close() {
          await node.app.close()
          await node.system.close()
        },
      }
    },
    async close() {
      stopWatching()
      await app.close()
      await system.close()
      await simulated.bankid.close()
      const leaks = await findLeaks(database.ownerUrl, logged)
      const routes = app.routeList.flatMap(({ route }) => route ?? [])
      const unproven = await findUnprovenCalls(database.ownerUrl, { routes, logged })
      await database.drop()
      if (leaks.length > 0) throw new Error(`secrets were left behind:\n${leaks.join('\n')}`)
      if (unproven.length > 0) throw new Error(`calls without a fresh proof:\n${unproven.join('\n')}`)
    },
  }
}

/** Signs in like a browser without JavaScript, and follows all redirects. */
export async function signIn(client: Client, email: string, password: string, returnTo = '/') {
  const { url } = await client.follow(await client.get(`/login?returnTo=${encodeURIComponent(returnTo)}`))
  const [page = ''] = url.split('?')
  return client.follow(await client.submit(`${page}/login`, { email, login: email, password }))
}
