import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { JsonObject } from '../database/database-types.ts'
import { executePrepared } from '../database/prepared-statements.ts'
import { withTransaction } from '../database/transactions.ts'
import type { Keys } from './keys.ts'
import { allCodeHashes, generateCode, generateToken, hashCode, hashToken } from './tokens.ts'

/** A token that can be used once: a code, a ticket, a reset, a SAML request. `subject` is who or what it belongs to. */
export interface OneTimeToken {
  purpose: string
  subject: string
}

interface Issue extends OneTimeToken {
  now: Date
  expiresAt: Date
  /** Data for the use of the token. Not encrypted, so no secrets. */
  data?: JsonObject
}

/** The content that a token was issued with. */
export interface TokenContent {
  subject: string
  data: JsonObject
}

/** The use of a token by its bearer. */
export interface TokenUse {
  purpose: string
  token: string
  now: Date
}

interface Use extends TokenUse {
  /** A token of another subject is not consumed and looks like a missing one. */
  subject?: string
}

const json = (data: JsonObject = {}): RawBuilder<JsonObject> => sql`${JSON.stringify(data)}::jsonb`

/**
 * Issues a token of 256 random bits; only its hash is stored.
 *
 * @param alongside an `update` for the same statement
 */
export async function issueToken(
  db: Db,
  { purpose, subject, now, expiresAt, data, alongside }: Issue & { alongside?: RawBuilder<unknown> | undefined },
): Promise<string> {
  const token = generateToken()
  const statement = sql`
    ${alongside ? sql`with done_too as (${alongside})` : sql``}
    insert into one_time_things (purpose, token_hash, subject, data, created_at, expires_at)
    values (${purpose}, ${hashToken(token)}, ${subject}, ${json(data)}, ${now}, ${expiresAt})`
  await executePrepared(db, statement)
  return token
}

/**
 * Replay protection: records an external id that may be used only once, such as that of a SAML assertion.
 *
 * @returns false when it was recorded before
 */
export async function recordOnce(db: Db, { token, ...thing }: Issue & { token: string }): Promise<boolean> {
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

/** Consumes a token. Of several concurrent attempts exactly one succeeds; undefined for the others, and when expired. */
export async function consumeToken(db: Db, { purpose, token, now, subject }: Use): Promise<TokenContent | undefined> {
  let use = db
    .updateTable('oneTimeThings')
    .set({ consumedAt: now })
    .where('purpose', '=', purpose)
    .where('tokenHash', '=', hashToken(token))
    .where('consumedAt', 'is', null)
    .where('expiresAt', '>', now)
  if (subject !== undefined) use = use.where('subject', '=', subject)
  return (await use.returning(['subject', 'data']).executeTakeFirst()) as TokenContent | undefined
}

/** Reads a valid token without consuming it. */
export async function peekToken(db: Db, { purpose, token, now, subject }: Use): Promise<TokenContent | undefined> {
  const statement = sql<TokenContent>`
    select subject, data from one_time_things
    where purpose = ${purpose} and token_hash = ${hashToken(token)} and consumed_at is null and expires_at > ${now}
      ${subject === undefined ? sql`` : sql`and subject = ${subject}`}`
  return (await executePrepared(db, statement)).rows[0]
}

/** Revokes all tokens of this purpose and subject. */
export async function revokeTokens(db: Db, { purpose, subject }: OneTimeToken, now: Date): Promise<void> {
  await db
    .updateTable('oneTimeThings')
    .set({ consumedAt: now })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('consumedAt', 'is', null)
    .execute()
}

/**
 * Issues a six-digit code that replaces any earlier one of the same purpose and subject.
 *
 * @param attempts the number of attempts before the code is invalid
 */
export async function issueCode(
  db: Db,
  keys: Keys,
  { attempts, ...thing }: Issue & { attempts: number },
): Promise<string> {
  const code = generateCode()
  const { purpose, subject, now, expiresAt, data } = thing
  const run = async (trx: Db) => {
    // Serialises concurrent requests, so that only one code stays valid.
    await sql`select pg_advisory_xact_lock(hashtext(${`one-time ${purpose}`}), hashtext(${subject}))`.execute(trx)
    await revokeTokens(trx, thing, now)
    const fresh = { attemptsLeft: attempts, createdAt: now, expiresAt, data: json(data) }
    await trx
      .insertInto('oneTimeThings')
      .values({ purpose, tokenHash: hashCode(keys, thing, code), subject, ...fresh })
      // The same six digits may be generated again.
      .onConflict((conflict) => conflict.columns(['purpose', 'tokenHash']).doUpdateSet({ ...fresh, consumedAt: null }))
      .execute()
  }
  await withTransaction(db, run)
  return code
}

/** The result of an attempt: right, or wrong with the number of attempts left (0: there is no valid code). */
export type CodeResult = { right: true; data: JsonObject } | { right: false; attemptsLeft: number }

/**
 * Verifies a code. A right one is consumed; a wrong one costs an attempt, and the last wrong one invalidates the code.
 *
 * @param db the pool, not a transaction: a rollback would undo the attempt
 */
export async function verifyCode(
  db: Db,
  keys: Keys,
  { purpose, subject, code, now }: OneTimeToken & { code: string; now: Date },
): Promise<CodeResult> {
  if (db.isTransaction) throw new Error('call verifyCode outside transactions: a rollback would undo the attempt')
  const hashes = allCodeHashes(keys, { purpose, subject }, code)
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
