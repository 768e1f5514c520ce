import type { Kysely } from 'kysely'
import type { DB } from '../database/database-types.ts'
import { allKeyPurposes, type KeyPurpose, keyActivationDelay, keyPurposes } from './key-purposes.ts'
import { insertKey, type Keys } from './keys.ts'
import type { MasterKey } from './master-key.ts'
import { keysLock } from './master-key-replacement.ts'
import { isKeyInUse, reencryptAll } from './reencrypt.ts'

interface RotationOptions {
  db: Kysely<DB>
  masterKey: MasterKey
  purpose: KeyPurpose
  now: Date
}

/**
 * Starts a rotation: creates the next key of a purpose. It verifies at once, and is used after the activation delay, when
 * every process has loaded it (`advanceKeyRotation`). Does nothing if a rotation is already running.
 */
export async function rotateKeys({ db, masterKey, purpose, now }: RotationOptions): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await keysLock.execute(trx)
    const begun = await trx
      .selectFrom('keys')
      .select('id')
      .where('purpose', '=', purpose)
      .where('state', '=', 'next')
      .executeTakeFirst()
    if (!begun) await insertKey(trx, { masterKey, purpose, state: 'next', now })
  })
}

/** The result of `advanceKeyRotation`: purposes whose next key became current, and keys that were retired. */
export interface KeysAdvanced {
  promoted: KeyPurpose[]
  retired: string[]
}

/**
 * Advances every rotation that is due: the next key becomes current, values of the old key are re-encrypted, the old key
 * retires. Runs as a recurring job; no session ends.
 */
export async function advanceKeyRotation({
  db,
  keys,
  now,
}: {
  db: Kysely<DB>
  keys: Keys
  now: Date
}): Promise<KeysAdvanced> {
  const promoted = await promote(db, now)
  if (promoted.length > 0) await keys.reload()
  await reencryptAll(db, keys)
  const retired = await retire(db, now)
  if (retired.length > 0) await keys.reload()
  return { promoted, retired }
}

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000)

async function promote(db: Kysely<DB>, now: Date): Promise<KeyPurpose[]> {
  return db.transaction().execute(async (trx) => {
    await keysLock.execute(trx)
    const due = await trx
      .selectFrom('keys')
      .select(['id', 'purpose'])
      .where('state', '=', 'next')
      .where('stateSince', '<=', before(now, keyActivationDelay))
      .execute()
    for (const { id, purpose } of due) {
      const step = { stateSince: now }
      await trx
        .updateTable('keys')
        .set({ ...step, state: 'previous' })
        .where('purpose', '=', purpose)
        .where('state', '=', 'current')
        .execute()
      await trx
        .updateTable('keys')
        .set({ ...step, state: 'current' })
        .where('id', '=', id)
        .execute()
    }
    return due.map(({ purpose }) => purpose as KeyPurpose)
  })
}

async function retire(db: Kysely<DB>, now: Date): Promise<string[]> {
  const retired: string[] = []
  for (const purpose of allKeyPurposes) {
    const due = await db
      .selectFrom('keys')
      .select('id')
      .where('purpose', '=', purpose)
      .where('state', '=', 'previous')
      .where('stateSince', '<=', before(now, keyPurposes[purpose].retainFor))
      .execute()
    for (const { id } of due) {
      if (await isKeyInUse(db, id)) continue
      await db.updateTable('keys').set({ state: 'retired', stateSince: now }).where('id', '=', id).execute()
      retired.push(id)
    }
  }
  return retired
}
