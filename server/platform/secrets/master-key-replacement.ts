import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/database-types.ts'
import { opens, unwrapKey, wrapKey } from './key-material.ts'
import type { MasterKey } from './master-key.ts'

/** Advisory lock for creating keys, sealing them and changing their state; released at the end of the transaction. */
export const keysLock = sql`select pg_advisory_xact_lock(hashtext('vestibule keys'))`

/** The master key that seals the data keys of this database: while it is replaced, a process holds two. */
export async function masterKeyInUse(db: Kysely<DB>, masterKey: MasterKey): Promise<MasterKey> {
  const { next } = masterKey
  if (!next) return masterKey
  const some = await db.selectFrom('keys').select(['id', 'purpose', 'sealed']).limit(1).executeTakeFirst()
  return some && opens(next, some.purpose, some.id, some.sealed) ? next : masterKey
}

/**
 * Seals every data key with the next master key, in one transaction: a process that reads the keys at the same time sees
 * them sealed by one of the two. Nothing that the data keys seal changes. May be repeated.
 *
 * @returns how many keys were sealed again, retired ones included
 * @throws MasterKeyError when neither master key opens a key
 */
export async function replaceMasterKey(db: Kysely<DB>, masterKey: MasterKey & { next: MasterKey }): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await keysLock.execute(trx)
    const rows = await trx.selectFrom('keys').select(['id', 'purpose', 'sealed']).forUpdate().execute()
    const old = rows.filter(({ id, purpose, sealed }) => !opens(masterKey.next, purpose, id, sealed))
    for (const { id, purpose, sealed } of old) {
      const resealed = wrapKey(masterKey.next, purpose, id, unwrapKey(masterKey, purpose, id, sealed))
      await trx.updateTable('keys').set({ sealed: resealed }).where('id', '=', id).execute()
    }
    return old.length
  })
}
