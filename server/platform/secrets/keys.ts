import { createSecretKey, type KeyObject } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { DB } from '../database/database-types.ts'
import { newId } from '../ids.ts'
import { type DecryptionJwk, generateKeyMaterial, type SigningJwk, unwrapKey, wrapKey } from './key-material.ts'
import {
  allKeyPurposes,
  type DecryptionPurpose,
  type KeyPurpose,
  keyReloadInterval,
  type SigningPurpose,
  type SymmetricPurpose,
} from './key-purposes.ts'
import { fingerprintOf, type MasterKey } from './master-key.ts'
import { masterKeyInUse } from './master-key-replacement.ts'

/** `next` only verifies, `current` signs and encrypts, `previous` still verifies and decrypts. */
export type KeyState = 'next' | 'current' | 'previous'

/** A data key in memory. */
export interface Key {
  /** UUID. */
  id: string
  state: KeyState
  /** 32 bytes; not enumerable, so that it is not printed. */
  readonly bytes: Buffer
  /** The same bytes as a KeyObject, because converting them for each use is expensive. */
  readonly secret: KeyObject
}

/** The keyring: all data keys, decrypted with the master key. */
export interface Keys {
  /** The key that encrypts and signs. */
  current(purpose: SymmetricPurpose): Key
  /** All valid keys: current, next, then previous ones, newest first. */
  all(purpose: SymmetricPurpose): readonly Key[]
  /** Finds a key by id. An unknown id triggers one reload, in case another process has just created the key. */
  find(id: string): Promise<Key | undefined>
  /** Private signing keys, in the same order: the first of an algorithm signs. */
  signing(purpose: SigningPurpose): readonly SigningJwk[]
  /** Private decryption keys: the first belongs to the published certificate, and all of them decrypt. */
  decrypting(purpose: DecryptionPurpose): readonly DecryptionJwk[]
  /** Fingerprints of the master keys that this process holds. */
  readonly masterKeys: readonly string[]
  /** Incremented when a reload finds changes, so that derived state can be refreshed. */
  readonly generation: number
  /** Reloads the keys; also runs automatically once a minute. */
  reload(): Promise<void>
  close(): void
}

interface KeysOptions {
  db: Kysely<DB>
  masterKey: MasterKey
  clock: Clock
  /** Called when an automatic reload fails; the loaded keys stay in use. */
  onError?: (error: unknown) => void
}

/**
 * Creates missing keys and loads all keys.
 *
 * @throws MasterKeyError when the master key does not belong to this database
 */
export async function openKeys({ db, masterKey, clock, onError = () => {} }: KeysOptions): Promise<Keys> {
  let loaded = await load(db, masterKey)
  if (
    allKeyPurposes.some((purpose) => !loaded.keys.some((key) => key.purpose === purpose && key.state === 'current'))
  ) {
    await makeMissingKeys(db, masterKey, clock())
    loaded = await load(db, masterKey)
  }
  let generation = 0
  const reload = async () => {
    const fresh = await load(db, masterKey)
    if (fresh.fingerprint !== loaded.fingerprint) generation++
    loaded = fresh
  }
  const timer = setInterval(() => reload().catch(onError), keyReloadInterval * 1000).unref()
  // Unknown ids come from forged or foreign values. They are remembered, so that they do not cause a reload each time.
  const unknown = new Set<string>()

  const all = (purpose: KeyPurpose) => loaded.keys.filter((key) => key.purpose === purpose)
  const pairs = (purpose: KeyPurpose) => all(purpose).flatMap((key) => JSON.parse(key.bytes.toString('utf8')))
  return {
    all,
    current(purpose) {
      const [first] = all(purpose)
      if (first?.state !== 'current') throw new Error(`no current key for ${purpose}`)
      return first
    },
    async find(id) {
      const known = loaded.keys.find((key) => key.id === id)
      if (known || unknown.has(id)) return known
      await reload()
      const found = loaded.keys.find((key) => key.id === id)
      if (!found && unknown.size < 1000) unknown.add(id)
      return found
    },
    signing: (purpose): SigningJwk[] => pairs(purpose),
    decrypting: (purpose): DecryptionJwk[] => pairs(purpose),
    masterKeys: [masterKey, masterKey.next].flatMap((key) => (key ? [fingerprintOf(key)] : [])),
    get generation() {
      return generation
    },
    reload,
    close: () => clearInterval(timer),
  }
}

interface LoadedKey extends Key {
  purpose: string
}

const order: readonly string[] = ['current', 'next', 'previous'] satisfies KeyState[]

async function load(
  db: Kysely<DB>,
  masterKey: MasterKey,
): Promise<{ keys: readonly LoadedKey[]; fingerprint: string }> {
  const rows = await db
    .selectFrom('keys')
    .select(['id', 'purpose', 'state', 'sealed'])
    .where('state', '!=', 'retired')
    .orderBy('stateSince', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const keys = rows
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(({ id, purpose, state, sealed }) => {
      const key = { id, purpose, state: state as KeyState }
      const bytes = unwrapKey(masterKey, purpose, id, sealed)
      return Object.defineProperties(key, {
        bytes: { value: bytes, enumerable: false },
        secret: { value: createSecretKey(bytes), enumerable: false },
      }) as LoadedKey
    })
  return { keys, fingerprint: keys.map(({ id, state }) => `${id} ${state}`).join() }
}

const tryKeysLock = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(hashtext('vestibule keys')) as locked`

/**
 * Of processes that start at once, one makes the keys. The others ask again and again: on a busy machine it can take
 * longer than a statement may.
 */
async function makeMissingKeys(db: Kysely<DB>, masterKey: MasterKey, now: Date): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await wait(200)) {
    const isDone = await db.transaction().execute(async (trx) => {
      const { rows } = await tryKeysLock.execute(trx)
      if (!rows[0]?.locked) return false
      const present = await trx.selectFrom('keys').select('purpose').where('state', '=', 'current').execute()
      const missing = allKeyPurposes.filter((purpose) => !present.some((key) => key.purpose === purpose))
      await Promise.all(missing.map((purpose) => insertKey(trx, { masterKey, purpose, state: 'current', now })))
      return true
    })
    if (isDone) return
    if (Date.now() > deadline) throw new Error('another process has not finished making the keys for a minute')
  }
}

/** Creates a key and stores it encrypted. */
export async function insertKey(
  db: Kysely<DB>,
  { masterKey, purpose, state, now }: { masterKey: MasterKey; purpose: KeyPurpose; state: KeyState; now: Date },
): Promise<string> {
  const id = newId()
  const inUse = await masterKeyInUse(db, masterKey)
  const sealed = wrapKey(inUse, purpose, id, await generateKeyMaterial(purpose, id))
  await db.insertInto('keys').values({ id, purpose, state, sealed, createdAt: now, stateSince: now }).execute()
  return id
}
