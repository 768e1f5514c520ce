import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTemporaryPostgres } from '#test/temporary-postgres.ts'
import { startCluster } from './cluster.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { findRunning } from './pid-file.ts'
import { withProcessLock } from './process-lock.ts'
import { explainFailure, findLastError } from './programs.ts'

describe('the embedded PostgreSQL', () => {
  let database: EmbeddedPostgres
  beforeAll(async () => {
    database = await startTemporaryPostgres()
  })
  afterAll(() => database?.stop())

  const ask = async (url: string, question: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(question)).rows[0]
    } finally {
      await client.end()
    }
  }

  test('sorts by the Swedish alphabet', async () => {
    const sorted = `select string_agg(word, ' ' order by word collate "sv-x-icu") as words
      from unnest(array['öl', 'zon', 'äng', 'apa', 'ås']) as word`
    expect(await ask(database.appUrl, sorted)).toEqual({ words: 'apa zon ås äng öl' })
  })

  test('finds Åsa by her trigrams', async () => {
    const trigrams = `select cardinality(show_trgm('åsa')) as count`
    await ask(database.ownerUrl, 'create extension if not exists pg_trgm')
    expect(await ask(database.ownerUrl, trigrams)).toEqual({ count: 4 })
  })

  test('lets nobody in without a password', async () => {
    const url = database.appUrl.replace(/:[^:@]+@/, ':guess@')
    await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('the serving role owns nothing and may make nothing', async () => {
    await expect(ask(database.appUrl, 'create table mine ()')).rejects.toMatchObject({ code: '42501' })
    await expect(ask(database.appUrl, 'create database mine')).rejects.toMatchObject({ code: '42501' })
    const owner = 'select rolsuper, rolcreaterole from pg_roles where rolname = current_user'
    expect(await ask(database.ownerUrl, owner)).toEqual({ rolsuper: false, rolcreaterole: false })
  })

  test('knows letters beyond ASCII, whatever the machine speaks', async () => {
    expect(await ask(database.appUrl, `select lower('ÅSA') as name, 'é' || 'ö' as sum`)).toEqual({
      name: 'åsa',
      sum: 'éö',
    })
  })
})

describe('what a killed machine left behind', () => {
  const base = mkdtempSync(join(tmpdir(), 'vestibule-stale-'))
  const place = { base, engine: '/nowhere' }
  const pidFile = (pid: number) =>
    writeFileSync(join(base, 'cluster', 'postmaster.pid'), `${pid}\n${base}/cluster\n0\n5432\n/run\n\n0\nready\n`)
  beforeAll(() => mkdirSync(join(base, 'cluster')))
  afterAll(() => rmSync(base, { recursive: true }))

  test('a number that nobody has is no running database', () => {
    pidFile(2 ** 22 + 1)
    expect(findRunning(place)).toBeUndefined()
  })

  test('a number that another program got meanwhile is no running database', () => {
    pidFile(process.pid)
    expect(findRunning(place)).toBeUndefined()
  })

  test('data of another version of PostgreSQL is refused', async () => {
    writeFileSync(join(base, 'cluster', 'PG_VERSION'), '17\n')
    await expect(startCluster(place)).rejects.toThrow('was created by PostgreSQL 17, and this version uses 18')
  })

  test('a socket folder that others can enter is refused', async () => {
    writeFileSync(join(base, 'cluster', 'PG_VERSION'), '18\n')
    mkdirSync(join(base, 'run'))
    chmodSync(join(base, 'run'), 0o777)
    await expect(startCluster(place)).rejects.toThrow('only the account of the database can enter')
  })
})

test('a full disk is named, whatever came after it', () => {
  const output = 'x\nFATAL: could not write: No space left on device\nPANIC: cannot abort transaction 1\nchild ended\n'
  expect(explainFailure(findLastError(output))).toBe(
    'the disk is full: FATAL: could not write: No space left on device',
  )
})

describe('the lock between processes', () => {
  test('lets one work at a time, and goes on when one fails', async () => {
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} out`)
      if (name === 'b') throw new Error('b fails')
    }
    const name = `test ${process.pid}`
    const all = await Promise.allSettled(['a', 'b', 'c'].map((each) => withProcessLock(name, work(each))))
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    for (let i = 0; i < order.length; i += 2) expect(order[i + 1]).toBe(order[i]?.replace(' in', ' out'))
    expect(order).toHaveLength(6)
  })

  test('gives up on one that never ends', async () => {
    const name = `test ${process.pid} stuck`
    let finish: () => void = () => {}
    const stuck = withProcessLock(name, () => new Promise<void>((resolve) => (finish = resolve)))
    await expect(withProcessLock(name, async () => {}, 30)).rejects.toThrow('for too long')
    finish()
    await stuck
  })
})
