import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command as replaceMaster } from '#server/admin/keys-replace-master.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { newId } from '#server/platform/ids.ts'
import { startHeartbeat } from '#server/platform/jobs/heartbeat.ts'
import { createLog } from '#server/platform/log.ts'
import { advanceKeyRotation, rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import { deriveMasterKey, type MasterKey, withNext } from '#server/platform/secrets/master-key.ts'
import { createPasswords, hashParameters } from '#server/platform/secrets/passwords.ts'
import { type Client, createClient } from './client.ts'
import { testPassword } from './people.ts'
import { signIn, type TestApp, testApp, testMasterKey } from './test-app.ts'

const oldText = 'the master key of the tests, which is no secret'
const newText = 'kT9vR2xQ7mZ4bN8wL1sD6fH3jC5gP0aY'
const [old, next] = [testMasterKey, deriveMasterKey(newText)]

let portal: TestApp
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  portal = await testApp({ LIMIT_BEGUN_SIGN_IN: '9999/60', LIMIT_AUTH_TYPE: '9999/60' })
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  await portal.close()
})

/** A node with these master keys, as an operator starts it; it says that it runs. */
async function node(masterKey: MasterKey) {
  const { config, clock } = portal.system
  const passwords = createPasswords({ parameters: { ...hashParameters, memoryCost: 64, timeCost: 1 } })
  const database = { appUrl: portal.appUrl }
  const system = await createSystem({ config, database, masterKey, log: createLog('silent'), clock, passwords })
  const { app } = await createApp(system, { webFolder: join(import.meta.dirname, '../dist/web') })
  await app.ready()
  // By the clock of the machine, as the command reads it.
  const heartbeat = startHeartbeat({ ...system, clock: () => new Date(), nodeId: newId() })
  let running = true
  const stop = async () => {
    if (!running) return
    running = false
    await heartbeat.stop()
    await app.close()
    await system.close()
  }
  closing.push(stop)
  return { system, stop, browser: () => createClient(app, config.baseUrl) }
}

/** What the command prints, with these master keys in the settings. */
async function command(): Promise<{ code: number | undefined; lines: string[] }> {
  const lines: string[] = []
  const config = readConfig({
    MASTER_KEY: oldText,
    MASTER_KEY_NEXT: newText,
    DATABASE_URL: portal.appUrl,
    DATABASE_OWNER_URL: portal.ownerUrl,
    LOG_LEVEL: 'silent',
  })
  const code = await replaceMaster.run({ config, values: {}, positionals: [], say: (line) => void lines.push(line) })
  return { code, lines }
}

/** Four people at a time sign in, again and again until `stop`, which says how often and how often it failed. */
function load(nodes: readonly { browser(): Client }[]) {
  let stopped = false
  let [signedIn, failed] = [0, 0]
  const worker = async (index: number) => {
    while (!stopped) {
      const browser = (nodes[index % nodes.length] as { browser(): Client }).browser()
      await signIn(browser, (await portal.person()).email, testPassword)
      if ((await browser.get('/api/me')).statusCode === 200) signedIn++
      else failed++
    }
  }
  const working = Promise.all([0, 1, 2, 3].map(worker))
  return {
    signedIn: () => signedIn,
    async stop() {
      stopped = true
      await working
      return { signedIn, failed }
    },
  }
}

test('the master key is replaced over several nodes while people sign in: nobody notices, and the old one opens nothing', {
  timeout: 120_000,
}, async () => {
  const { db } = portal.system
  const person = await portal.person({ ssn: '198112289874' })
  const keptSession = await portal.signedIn(person)
  const [forgotten, first] = [await node(old), await node(withNext(old, next))]
  await expect.poll(async () => (await db.selectFrom('nodes').select('nodeId').execute()).length).toBe(2)
  const refused = await command()
  expect(refused.code).toBe(1)
  expect(refused.lines).toEqual([
    expect.stringContaining('runs without MASTER_KEY_NEXT.'),
    'Nothing was changed: start these with MASTER_KEY_NEXT first.',
  ])
  await forgotten.stop()

  const second = await node(withNext(old, next))
  const traffic = load([first, second])
  // A key that is made before the replacement, and one after it.
  await rotateKeys({ db, masterKey: withNext(old, next), purpose: 'tokens', now: portal.now() })
  expect(await command()).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(/^Sealed with the new master key: \d+\.$/),
      'Now make it the MASTER_KEY of every node, one after the other, without MASTER_KEY_NEXT.',
      'If somebody may have the old one and a copy of the database: keys rotate --all.',
    ],
  })
  await rotateKeys({ db, masterKey: withNext(old, next), purpose: 'fields', now: portal.now() })
  for (const { system } of [first, second]) await system.keys.reload()
  await expect(node(old)).rejects.toThrow('MASTER_KEY does not open the keys in this database')

  // The nodes are replaced one after the other: both kinds serve at once.
  const third = await node(next)
  const more = load([third, second])
  await expect.poll(() => more.signedIn(), { timeout: 30_000 }).toBeGreaterThan(20)
  const [before, after] = [await traffic.stop(), await more.stop()]
  expect([before.failed, after.failed]).toEqual([0, 0])
  expect(before.signedIn).toBeGreaterThan(10)
  for (const each of [first, second]) await each.stop()

  // Sessions and sealed values of before are those of after, also once the data keys have been rotated.
  portal.advance(600)
  await advanceKeyRotation({ db, keys: third.system.keys, now: portal.now() })
  const browser = third.browser()
  for (const [name, value] of Object.entries(keptSession.cookies())) browser.setCookie(name, value)
  const me = (await browser.get('/api/me')).json()
  expect(me.ssn).toBe('198112289874')
  expect((await command()).lines[0]).toBe('Sealed with the new master key: 0; all of them were already.')
})
