import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { type SimulatedBankId, simulateBankId } from '#server/demo/bankid-simulator.ts'
import { createLog } from '#server/platform/log.ts'
import { masterKeyFrom } from '#server/platform/master-key.ts'
import type { System } from '#server/platform/system.ts'
import { type Client, createClient } from './client.ts'
import { createTestDatabase } from './database.ts'
import { builders, type Person, testPassword } from './people.ts'

/** The whole portal on a database of its own, without a port, with a clock that the test moves. */
export interface TestApp extends ReturnType<typeof builders> {
  app: FastifyInstance
  system: System
  /** What stands in for BankID, on the test's clock; none in production. */
  bankid: SimulatedBankId
  /** For looking into the database past the serving role. */
  ownerUrl: string
  /** Every line of the log so far. */
  logged: Record<string, unknown>[]
  now(): Date
  /** Moves the clock on; seconds. */
  advance(seconds: number): void
  /** A browser without cookies. */
  browser(): Client
  /** A browser in which this person has signed in, through the front door. */
  signedIn(person: Person, password?: string): Promise<Client>
  /** Another process of the portal, on the same database. */
  anotherNode(): Promise<{ browser(): Client; close(): Promise<void> }>
  close(): Promise<void>
}

/** Seals the keys of every test database. */
export const testMasterKey = masterKeyFrom('the master key of the tests, which is no secret')

const projectFolder = join(import.meta.dirname, '..')

/** Opens the portal for one test file. Close it at the end. */
export async function testApp(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const config = readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off', LOG_LEVEL: 'debug', ...env })
  const logged: Record<string, unknown>[] = []
  const log = createLog(config.logLevel, { write: (line: string) => void logged.push(JSON.parse(line)) })
  let time = Date.parse('2026-03-02T08:00:00Z')
  const simulated = simulateBankId({ clock: () => new Date(time) })
  const start = async () => {
    const system = await createSystem({
      config,
      database: { appUrl: database.appUrl },
      masterKey: testMasterKey,
      log,
      clock: () => new Date(time),
      bankid: config.production ? undefined : simulated.bankid,
    })
    const { app } = await createApp(system, {
      webFolder: join(projectFolder, 'dist/web'),
      phoneApp: simulated.phoneApp,
    })
    await app.ready()
    return { system, app }
  }
  const { system, app } = await start()
  const browser = () => createClient(app, config.baseUrl)
  return {
    app,
    system,
    bankid: simulated,
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
    async anotherNode() {
      const node = await start()
      return {
        browser: () => createClient(node.app, config.baseUrl),
        async close() {
          await node.app.close()
          await node.system.close()
        },
      }
    },
    async close() {
      await app.close()
      await system.close()
      await database.drop()
    },
  }
}

/** Goes through sign-in as a browser without script does; ends wherever that ends. */
export async function signIn(client: Client, email: string, password: string, returnTo = '/') {
  const { url } = await client.follow(await client.get(`/login?returnTo=${encodeURIComponent(returnTo)}`))
  const [page = ''] = url.split('?')
  return client.follow(await client.submit(`${page}/login`, { email, login: email, password }))
}
