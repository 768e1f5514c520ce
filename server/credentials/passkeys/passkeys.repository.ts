import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'

/** A live key, as its use needs it. */
export interface StoredKey {
  id: string
  accountId: string
  email: string
  browsersKnownFrom: number | null
  userHandle: Buffer
  publicKey: Buffer
  discoverable: boolean
  verified: boolean
  onTheWay: boolean
  backupEligible: boolean
  name: string
}

/** The live key with this id at this RP ID. */
export async function findKey(db: Db, credentialId: Buffer, rpId: string): Promise<StoredKey | undefined> {
  const statement = sql<StoredKey>`
    select p.id, p.account_id as "accountId", u.email,
      extract(epoch from u.browsers_known_from)::float8 * 1000 as "browsersKnownFrom", h.user_handle as "userHandle", p.public_key as "publicKey",
      p.discoverable, p.verified, p.on_the_way as "onTheWay", p.backup_eligible as "backupEligible", p.name
    from passkeys p join passkey_holders h using (account_id) join users u using (account_id)
    where p.credential_id = ${credentialId} and p.rp_id = ${rpId} and p.ended_at is null`
  return (await executePrepared(db, statement)).rows[0]
}

const keyColumns = [
  'id',
  'credentialId',
  'name',
  'transports',
  'discoverable',
  'verified',
  'onTheWay',
  'backedUp',
  'createdAt',
  'createdBrowser',
  'lastUsedAt',
  'lastUsedBrowser',
] as const

/** A person's live keys at this RP ID, oldest first. */
export const listKeys = (db: Db, accountId: string, rpId: string) =>
  db
    .selectFrom('passkeys')
    .select(keyColumns)
    .where('accountId', '=', accountId)
    .where('rpId', '=', rpId)
    .where('endedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

/** A key that the browser made by itself is a second factor from its first verified use. */
export const isSecondFactor = ({ verified, onTheWay }: Pick<ListedKey, 'verified' | 'onTheWay'>): boolean =>
  verified || !onTheWay

/** Whether an account has a key of this RP ID for a second step, and one that is enough alone. Nobody can use others. */
export async function findKeyKinds(
  db: Db,
  accountId: string,
  rpId: string,
): Promise<{ key: boolean; passkey: boolean }> {
  const statement = sql<{ key: boolean; passkey: boolean }>`
    select count(*) > 0 as key, coalesce(bool_or(discoverable and verified), false) as passkey from passkeys
    where account_id = ${accountId}::uuid and rp_id = ${rpId} and ended_at is null and (verified or not on_the_way)`
  return (await executePrepared(db, statement)).rows[0] ?? { key: false, passkey: false }
}

/** Ends the keys that were added since then: somebody else did that. */
export async function endKeysSince(db: Db, accountId: string, since: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ endedAt: sql`now()`, endedBecause: 'notMe' })
    .where('accountId', '=', accountId)
    .where('createdAt', '>=', since)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The same by id, and locked. */
export const findOwnKey = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('passkeys')
    .select(keyColumns)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** What authenticators call the account, made when it is first needed. */
export async function makeHandle(db: Db, accountId: string): Promise<Buffer> {
  await db
    .insertInto('passkeyHolders')
    .values({ accountId, userHandle: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { userHandle } = await db
    .selectFrom('passkeyHolders')
    .select('userHandle')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return userHandle
}

/** What is remembered of a person who may have keys. */
export const findHolder = (db: Db, accountId: string) =>
  db
    .selectFrom('passkeyHolders')
    .select(['userHandle', 'offerAfter', 'askedOnTheWayAt'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()

/** A person's live keys, locked; with `notOf` those of other domains alone. */
export const lockKeys = (db: Db, accountId: string, { notOf }: { notOf?: string } = {}) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name'])
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .$if(notOf !== undefined, (query) => query.where('rpId', '<>', String(notOf)))
    .forUpdate()
    .execute()

export type KeyEnd = 'removed' | 'counter' | 'moved'

/** Ends a key, which stays as a record. */
export const endStoredKey = (db: Db, id: string, because: KeyEnd, now: Date) =>
  db.updateTable('passkeys').set({ endedAt: now, endedBecause: because }).where('id', '=', id).execute()

/**
 * Records a use. The counter must go forward, unless the key does not count, or is one of several copies.
 *
 * @returns false when the counter went back: somebody may have copied the key
 */
export async function recordUse(
  db: Db,
  {
    id,
    counter,
    backedUp,
    verified,
    browser,
    now,
  }: {
    id: string
    counter: number
    backedUp: boolean
    verified: boolean
    browser: string
    now: Date
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update passkeys set counter = greatest(counter, ${counter}::bigint), backed_up = ${backedUp},
      verified = verified or ${verified}, last_used_at = ${now}, last_used_browser = ${browser}
    where id = ${id} and ended_at is null
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0) or backup_eligible)`.execute(db)
  return numAffectedRows === 1n
}
