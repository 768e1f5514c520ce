import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { JsonObject } from './database-types.ts'
import type { Keys } from './keys.ts'
import { codeHashes, hashCode, hashToken, randomCode, randomToken } from './tokens.ts'

/** What is used once: a code, a ticket, a reset, a SAML request. `subject` is whom or what it belongs to. */
export interface OneTimeThing {
  purpose: string
  subject: string
}

interface Issue extends OneTimeThing {
  now: Date
  expiresAt: Date
  /** What its user needs to know; no secrets, they are not sealed. */
  data?: JsonObject
}

/** What a thing was issued with. */
export interface Opened {
  subject: string
  data: JsonObject
}

/** Whoever has the token uses the thing. */
export interface OneUse {
  purpose: string
  token: string
  now: Date
}

interface Use extends OneUse {
  /** A thing of somebody else is not used up and not told apart from a missing one. */
  subject?: string
}

const json = (data: JsonObject = {}): RawBuilder<JsonObject> => sql`${JSON.stringify(data)}::jsonb`

/** Issues a thing and returns its token: 256 random bits, stored only hashed. */
export async function issue(db: Db, { purpose, subject, now, expiresAt, data }: Issue): Promise<string> {
  const token = randomToken()
  await db
    .insertInto('oneTimeThings')
    .values({ purpose, tokenHash: hashToken(token), subject, data: json(data), createdAt: now, expiresAt })
    .execute()
  return token
}

/**
 * Remembers an id that came from elsewhere and may come only once, such as a SAML assertion's.
 *
 * @returns false when it has been here before
 */
export async function rememberOnce(db: Db, { token, ...thing }: Issue & { token: string }): Promise<boolean> {
  const { purpose, subject, now, expiresAt, data } = thing
  const row = {
    purpose,
    tokenHash: hashToken(token),
    subject,
    data: json(data),
    createdAt: now,
    expiresAt,
    consumedAt: now,
  }
  const inserted = await db
    .insertInto('oneTimeThings')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Uses a thing up. Of any number that try at once exactly one gets it; undefined for the others, and when it is over. */
export async function consume(db: Db, { purpose, token, now, subject }: Use): Promise<Opened | undefined> {
  let use = db
    .updateTable('oneTimeThings')
    .set({ consumedAt: now })
    .where('purpose', '=', purpose)
    .where('tokenHash', '=', hashToken(token))
    .where('consumedAt', 'is', null)
    .where('expiresAt', '>', now)
  if (subject !== undefined) use = use.where('subject', '=', subject)
  return (await use.returning(['subject', 'data']).executeTakeFirst()) as Opened | undefined
}

/** The expression `used` of a statement that writes more: it has a row exactly where that statement uses the thing up. */
export const usingUp = ({ purpose, token, now }: OneUse): RawBuilder<unknown> => sql`
  used as (
    update one_time_things set consumed_at = ${now}
    where purpose = ${purpose} and token_hash = ${hashToken(token)} and consumed_at is null and expires_at > ${now}
    returning 1)`

/** Looks at a thing that could be used, without using it up. */
export async function peek(db: Db, { purpose, token, now, subject }: Use): Promise<Opened | undefined> {
  let look = db
    .selectFrom('oneTimeThings')
    .select(['subject', 'data'])
    .where('purpose', '=', purpose)
    .where('tokenHash', '=', hashToken(token))
    .where('consumedAt', 'is', null)
    .where('expiresAt', '>', now)
  if (subject !== undefined) look = look.where('subject', '=', subject)
  return (await look.executeTakeFirst()) as Opened | undefined
}

/** Makes every thing of this purpose and subject useless. */
export async function revokeAll(db: Db, { purpose, subject }: OneTimeThing, now: Date): Promise<void> {
  await db
    .updateTable('oneTimeThings')
    .set({ consumedAt: now })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('consumedAt', 'is', null)
    .execute()
}

/**
 * Issues a six-digit code in place of any earlier one of the same purpose and subject.
 *
 * @param attempts how many guesses it stands before it is dead
 */
export async function issueCode(
  db: Db,
  keys: Keys,
  { attempts, ...thing }: Issue & { attempts: number },
): Promise<string> {
  const code = randomCode()
  const { purpose, subject, now, expiresAt, data } = thing
  const run = async (trx: Db) => {
    // Two codes sent at once must not both live: the second one waits here and sees the first.
    await sql`select pg_advisory_xact_lock(hashtext(${`one-time ${purpose}`}), hashtext(${subject}))`.execute(trx)
    await revokeAll(trx, thing, now)
    const fresh = { attemptsLeft: attempts, createdAt: now, expiresAt, data: json(data) }
    await trx
      .insertInto('oneTimeThings')
      .values({ purpose, tokenHash: hashCode(keys, thing, code), subject, ...fresh })
      // The same six digits may come up again.
      .onConflict((conflict) => conflict.columns(['purpose', 'tokenHash']).doUpdateSet({ ...fresh, consumedAt: null }))
      .execute()
  }
  await (db.isTransaction ? run(db) : db.transaction().execute(run))
  return code
}

/** The outcome of a guess: right, or wrong with so many left (0: there is no living code). */
export type Guess = { right: true; data: JsonObject } | { right: false; attemptsLeft: number }

/**
 * Tries a code. A right one is used up; a wrong one costs an attempt, and the last wrong one kills the code.
 *
 * @param db the pool, not a transaction: a request that fails must not give the attempt back
 */
export async function guessCode(
  db: Db,
  keys: Keys,
  { purpose, subject, code, now }: OneTimeThing & { code: string; now: Date },
): Promise<Guess> {
  if (db.isTransaction) throw new Error('guessCode in a transaction: rolling back would give the attempt back')
  const hashes = codeHashes(keys, { purpose, subject }, code)
  const { rows } = await sql<{ right: boolean; attemptsLeft: number; data: JsonObject }>`
    update one_time_things set
      attempts_left = attempts_left - 1,
      consumed_at = case when token_hash = any(${hashes}) or attempts_left = 1 then ${now}::timestamptz end
    where purpose = ${purpose} and subject = ${subject}
      and consumed_at is null and expires_at > ${now} and attempts_left > 0
    returning token_hash = any(${hashes}) as "right", attempts_left, data`.execute(db)
  const tried = rows[0]
  if (tried?.right) return { right: true, data: tried.data }
  return { right: false, attemptsLeft: tried?.attemptsLeft ?? 0 }
}
