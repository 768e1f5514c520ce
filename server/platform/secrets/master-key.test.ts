import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deriveMasterKey, loadMasterKey, MasterKeyError } from './master-key.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'vestibule-master-key-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('ten processes that start concurrently in an empty folder use one key, readable only by its owner', async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, () => loadMasterKey({ dataDir, production: false })))
  expect(new Set(keys.map((key) => key.reveal().toString('hex'))).size).toBe(1)
  expect(keys[0]?.reveal()).toHaveLength(32)
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['master.key'])
})

test('production creates no key automatically', async () => {
  await expect(loadMasterKey({ dataDir, production: true })).rejects.toThrow('MASTER_KEY or MASTER_KEY_FILE is missing')
  expect(await readdir(dataDir)).toEqual([])
})

test('a key in the data folder that others can read, or that is short, is refused by its path', async () => {
  const path = join(dataDir, 'master.key')
  const load = () => loadMasterKey({ dataDir, production: false })
  await writeFile(path, 'k'.repeat(43))
  // Whatever the umask is.
  await chmod(path, 0o644)
  await expect(load()).rejects.toThrow(MasterKeyError)
  await expect(load()).rejects.toThrow(`${path} can be read by others: chmod 600 ${path}`)
  await chmod(path, 0o600)
  expect((await load()).reveal()).toHaveLength(32)
  await writeFile(path, 'short')
  await expect(load()).rejects.toThrow(`${path} is too short`)
})

test('the master key is never printed', () => {
  const key = deriveMasterKey('a secret of some length, typed nowhere')
  expect(format('%s %o %j', key, key, key)).not.toContain(key.reveal().toString('hex').slice(0, 8))
  expect(`${key}${JSON.stringify({ key })}${format(key)}`).toBe('[secret]{"key":"[secret]"}[secret]')
})
