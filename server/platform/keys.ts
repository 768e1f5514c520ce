import { createSecretKey, type KeyObject } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { DB } from './database-types.ts'
import { newId } from './ids.ts'
import { makeKeyMaterial, type SigningJwk, unwrapKey, wrapKey } from './key-material.ts'
import {
  allKeyPurposes,
  type KeyPurpose,
  keyReloadInterval,
  type SigningPurpose,
  type SymmetricPurpose,
} from './key-purposes.ts'
import type { MasterKey } from './master-key.ts'

/** `next` verifies already, `current` is used, `previous` verifies and opens still. */
export type KeyState = 'next' | 'current' | 'previous'

/** A data key in memory. */
export interface Key {
  /** UUID. */
  id: string
  state: KeyState
  /** 32 bytes; prints as nothing, because it is not enumerable. */
  readonly bytes: Buffer
  /** The same bytes as node:crypto wants them: turning them into this for each use costs several times the use. */
  readonly secret: KeyObject
}

/** The data keys that the master key opened. */
export interface Keys {
  /** The key that seals and signs from now on. */
  current(purpose: SymmetricPurpose): Key
  /** Every key that still counts: the current one first, then the next, then the previous ones, newest first. */
  all(purpose: SymmetricPurpose): readonly Key[]
  /** The key that something was sealed with. One that another process made a moment ago is looked up once. */
  find(id: string): Promise<Key | undefined>
  /** Private keys for signatures, in the same order: the first of an algorithm signs. */
  signing(purpose: SigningPurpose): readonly SigningJwk[]
  /** Changes whenever a reload found something else; lets a holder of derived state know that it is stale. */
  readonly generation: number
  /** Reads the table again; also happens by itself once a minute. */
  reload(): Promise<void>
  close(): void
}

interface KeysOptions {
  db: Kysely<DB>
  masterKey: MasterKey
  clock: Clock
  /** What to do when a reload by itself fails; the keys in memory stay. */
  onError?: (error: unknown) => void
}

/**
 * Makes the keys that are missing and loads all of them.
 *
 * @throws MasterKeyError when the master key is not the one of this database
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
  // An id that nobody knows comes from a forged or foreign value: it must not make every request read the table.
  const unknown = new Set<string>()

  const all = (purpose: KeyPurpose) => loaded.keys.filter((key) => key.purpose === purpose)
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
    signing: (purpose) => all(purpose).flatMap((key) => JSON.parse(key.bytes.toString('utf8')) as SigningJwk[]),
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

/** Held while keys are made or change state, so that processes take turns; ends with the transaction. */
export const keysLock = sql`select pg_advisory_xact_lock(hashtext('vestibule keys'))`

async function makeMissingKeys(db: Kysely<DB>, masterKey: MasterKey, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await keysLock.execute(trx)
    const present = await trx.selectFrom('keys').select('purpose').where('state', '=', 'current').execute()
    const missing = allKeyPurposes.filter((purpose) => !present.some((key) => key.purpose === purpose))
    await Promise.all(missing.map((purpose) => insertKey(trx, { masterKey, purpose, state: 'current', now })))
  })
}

/** Makes a key and stores it, sealed. */
export async function insertKey(
  db: Kysely<DB>,
  { masterKey, purpose, state, now }: { masterKey: MasterKey; purpose: KeyPurpose; state: KeyState; now: Date },
): Promise<string> {
  const id = newId()
  const sealed = wrapKey(masterKey, purpose, id, await makeKeyMaterial(purpose, id))
  await db.insertInto('keys').values({ id, purpose, state, sealed, createdAt: now, stateSince: now }).execute()
  return id
}
