import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { watchReadCopy } from '#server/platform/database/read-copy.ts'
import { createBrowser, signIn } from '../../bench/browser.ts'
import { noLimits } from '../torture/torture.ts'
import { startPostgresPair } from './postgres-pair.ts'
import { startServerProcess, temporaryDataDir } from './server-process.ts'

const maxLag = 4
interface Organization {
  organizationId: string
  name: string
}

test('lists come from a replica while it follows; who has changed something sees it; without the replica the primary answers', {
  timeout: 180_000,
}, async () => {
  const pair = await startPostgresPair()
  const { dataDir, remove } = temporaryDataDir()
  const env = {
    DATABASE_URL: pair.url,
    DATABASE_READ_URL: pair.replicaUrl,
    DATABASE_READ_MAX_LAG: String(maxLag),
    DEMO: 'on',
    LOG_LEVEL: 'info',
    ...noLimits,
  }
  const node = await startServerProcess({ dataDir, env })
  const replica = new pg.Client({ connectionString: pair.replicaUrl })
  // It is killed while this is connected.
  replica.on('error', () => {})
  try {
    await node.ready
    await replica.connect()
    const signedIn = createBrowser(node.url)
    await signIn(signedIn, 'super@vestibule.example', 'Demo-password-1')
    const { origin } = new URL(node.url)
    /** Which cookies say: of the one who makes changes, or of a colleague who has made none for two minutes. */
    const cookie = (isColleague: boolean) =>
      signedIn
        .cookieHeader('/')
        .split('; ')
        .filter((pair) => !(isColleague && pair.startsWith('changed=')))
        .join('; ')
    const ask = async (path: string, isColleague: boolean, change?: object) => {
      const answer = await fetch(node.url + path, {
        method: change ? 'PUT' : 'GET',
        headers: { cookie: cookie(isColleague), origin, 'content-type': 'application/json' },
        ...(change && { body: JSON.stringify(change) }),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Organization & { items: Organization[] }
    }
    const names = async (isColleague: boolean) =>
      (await ask('/api/organizations?searchQuery=Solberga', isColleague)).items.map(({ name }) => name)
    const rename = async (name: string) => {
      const [found] = (await ask('/api/organizations?searchQuery=Solberga', false)).items
      const given = await ask(`/api/organizations/${found?.organizationId}`, false)
      await ask('/api/organizations', false, { ...given, name })
    }
    const said = () => node.output()
    await expect.poll(said).toContain('lists are read from the replica')

    await replica.query('select pg_wal_replay_pause()')
    await rename('Solberga Renamed')
    expect(await names(false)).toEqual(['Solberga Renamed'])
    expect(await names(true)).not.toContain('Solberga Renamed')

    // Too far behind, it is left alone.
    await wait((maxLag + 1) * 1000)
    expect(await names(true)).toEqual(['Solberga Renamed'])
    expect(said()).toContain('too far behind')

    await replica.query('select pg_wal_replay_resume()')
    await expect.poll(() => said().split('lists are read from the replica').length).toBe(3)
    expect(await names(true)).toEqual(['Solberga Renamed'])

    pair.killReplica()
    for (let turn = 0; turn < 20; turn++) expect(await names(true)).toEqual(['Solberga Renamed'])
  } finally {
    node.signal('SIGKILL')
    await node.ended
    await replica.end().catch(() => {})
    pair.stop()
    remove()
  }
})

test('a server that does not follow this primary is never read from; the primary at another address is', {
  timeout: 120_000,
}, async () => {
  const pair = await startPostgresPair()
  const primary = openDatabase({ url: pair.primaryUrl })
  /** What the portal says of a server that it was told to read from. */
  const watch = (url: string) => {
    const said: string[] = []
    const warn = ({ reason }: { reason: string }) => said.push(reason)
    const info = (line: string) => said.push(line)
    const log = { warn, info } as unknown as Parameters<typeof watchReadCopy>[0]['log']
    const replica = openDatabase({ url, readOnly: true })
    return { said, copy: watchReadCopy({ replica, primary: primary.pool, maxLag, log }) }
  }
  const watched: ReturnType<typeof watch>[] = []
  const begin = (url: string) => {
    const one = watch(url)
    watched.push(one)
    return one
  }
  const isRefused = async (url: string) => {
    const { copy, said } = begin(url)
    await expect.poll(() => said).toEqual(['it does not follow this primary'])
    // Long enough for several questions.
    await wait(2000)
    expect(copy.current()).toBeUndefined()
    expect(copy.lag()).toBeUndefined()
    expect(said).toHaveLength(1)
  }
  try {
    const [used, follower] = [begin(pair.replicaUrl), await pair.add('follower')]
    await expect.poll(() => used.copy.current()).toBeDefined()

    const primaryItself = begin(pair.primaryUrl.replace('localhost', '127.0.0.1'))
    await expect.poll(() => primaryItself.copy.current()).toBeDefined()

    // Another cluster, and a copy that began as this one and follows nobody.
    await isRefused(await pair.add('stranger'))
    await isRefused(await pair.add('copy'))

    // Since the promotion both go on with a history of their own, the second one's follower with it.
    const usedToo = begin(follower)
    await expect.poll(() => usedToo.copy.current()).toBeDefined()
    pair.promote()
    for (const url of [pair.replicaUrl, follower]) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('checkpoint')
      await client.end()
    }
    for (const { copy, said } of [used, usedToo]) {
      await expect.poll(() => said.at(-1)).toBe('it does not follow this primary')
      expect(copy.current()).toBeUndefined()
    }
    await isRefused(follower)
    await expect.poll(() => primaryItself.copy.current()).toBeDefined()
  } finally {
    for (const { copy } of watched) await copy.close()
    await primary.close()
    pair.stop()
  }
})
