import { type RawBuilder, sql } from 'kysely'
import type { BankidState } from '#contract/sign-in/bankid.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import { generateToken, hashToken } from '#server/platform/secrets/tokens.ts'

/** The device whose app the order is for. */
export type Device = BankidState['device']

/** What is stored about the newest BankID order of an interaction. The names are keys of stored JSON. */
export interface StoredOrder {
  status: 'pending' | 'failed' | 'complete'
  /** BankID's hint code; initially `outstandingTransaction`. */
  hintCode: string
  /** Our own reason for a failure, when BankID could not be called. */
  fault: 'alreadyInProgress' | 'unavailable' | null
  /** BankID's answer to the start of the order, encrypted; null before that. */
  sealed: string | null
  /** Milliseconds: when the first order of this sign-in was requested, and when BankID started this one. */
  firstAt: number
  givenAt: number
  device: Device
  /**
   * For an order on this device: the hash of the nonce that the app returns, hex. No one is signed in before the browser
   * that started the order has presented the nonce (`markReturned`). Null for an order with a QR code.
   */
  awaits: string | null
  /** Consecutive failed calls to BankID. */
  troubles: number
  /** Blind indexes of the personal number that identified, hex. The number itself is not stored. */
  ssnIndexes: string[]
  risk: string | null
}

/** An order, and the canonical address that was entered, which need not exist. */
export interface FoundOrder {
  email: string
  order: StoredOrder
  /** No nonce is expected, or it has been presented. */
  hasReturned: boolean
  /** Milliseconds: the earliest time of the next call to BankID. */
  nextAt: number
}

const purpose = 'bankidOrder'
/** Milliseconds: three minutes of renewals, three of the last order's life, and time to return from the app. */
const lifetime = 10 * 60_000
/** Milliseconds that a claim is held: longer than two calls to BankID can take. */
const claimDuration = 12_000
/** Milliseconds between two calls about one order. */
export const pollInterval = 2000
/** Milliseconds within which a result must be consumed. */
const resultLifetime = 2 * 60_000
/** Milliseconds that completing a sign-in may take after its result was consumed. */
const completionTime = 10_000

const any = (uid: string) => sql`purpose = ${purpose} and token_hash = ${hashToken(uid)}`
const own = (uid: string) => sql`${any(uid)} and consumed_at is null`
const json = (value: object) => sql<JsonObject>`${JSON.stringify(value)}::jsonb`
interface Row {
  email: string
  data: StoredOrder & { nextAt: number; cameBack?: string | null }
}
const asFound = (row: Row | undefined): FoundOrder | undefined => {
  if (!row) return undefined
  const { nextAt, cameBack, ...order } = row.data
  return { email: row.email, order, nextAt, hasReturned: order.awaits === null || order.awaits === cameBack }
}

/** Creates the nonce that the app returns, and the hash of it to store. */
export function newNonce(): { nonce: string; awaits: string } {
  const nonce = generateToken()
  return { nonce, awaits: hashOf(nonce) }
}
const hashOf = (nonce: string) => hashToken(nonce).toString('hex')

/** Marks the order as returned from the app to the browser that started it, if it expects this nonce. */
export async function markReturned(db: Db, uid: string, nonce: string, now: Date): Promise<FoundOrder | undefined> {
  const { rows } = await sql<Row>`
    update one_time_things set data = data || ${json({ cameBack: hashOf(nonce) })}
    where ${own(uid)} and ${awaits(nonce)} and expires_at > ${now} returning subject as email, data`.execute(db)
  return asFound(rows[0])
}

/** Ends the order that expects this nonce: the app returned to another browser. */
export const endInOtherBrowser = (db: Db, uid: string, nonce: string, now: Date): Promise<FoundOrder | undefined> =>
  end(db, uid, now, awaits(nonce))

const awaits = (nonce: string) => sql`data ->> 'awaits' = ${hashOf(nonce)}`

/** Stores a new order in place of any earlier one. `claimOrder` may claim it at once. */
export async function storeOrder(db: Db, uid: string, email: string, order: StoredOrder, now: Date): Promise<void> {
  const values = {
    subject: email,
    data: json({ ...order, nextAt: now.getTime() }),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetime),
    consumedAt: null,
  }
  await db
    .insertInto('oneTimeThings')
    .values({ purpose, tokenHash: hashToken(uid), ...values })
    .onConflict((conflict) => conflict.columns(['purpose', 'tokenHash']).doUpdateSet(values))
    .execute()
}

export async function findOrder(db: Db, uid: string, now: Date): Promise<FoundOrder | undefined> {
  const { rows } = await sql<Row>`
    select subject as email, data from one_time_things where ${own(uid)} and expires_at > ${now}`.execute(db)
  return asFound(rows[0])
}

/**
 * Claims the next call to BankID about a pending order, if it is due. Only one of several concurrent claims succeeds.
 *
 * @returns the order, and the claim token for `saveProgress`
 */
export async function claimOrder(
  db: Db,
  uid: string,
  now: Date,
): Promise<{ claim: string; order: StoredOrder } | undefined> {
  const claim = generateToken()
  const { rows } = await sql<Row>`
    update one_time_things set data = data || ${json({ claim, nextAt: now.getTime() + claimDuration })}
    where ${own(uid)} and expires_at > ${now} and data ->> 'status' = 'pending'
      and (data ->> 'nextAt')::float8 <= ${now.getTime()}
    returning subject as email, data`.execute(db)
  const found = asFound(rows[0])
  return found && { claim, order: found.order }
}

/** Stores the result of a claimed call, unless the order was replaced or cancelled in the meantime. */
export async function saveProgress(
  db: Db,
  uid: string,
  { claim, order, nextAt, now }: { claim: string; order: StoredOrder; nextAt: number; now: Date },
): Promise<boolean> {
  const ends = order.status === 'complete' ? sql`, expires_at = ${new Date(now.getTime() + resultLifetime)}` : sql``
  const { numAffectedRows } = await sql`
    update one_time_things
    set data = ${json({ ...order, nextAt })} || jsonb_build_object('cameBack', data -> 'cameBack') ${ends}
    where ${own(uid)} and data ->> 'claim' = ${claim}`.execute(db)
  return numAffectedRows === 1n
}

/** Consumes a completed order that has returned from the app, if it had to. Only one of several concurrent calls succeeds. */
export const consumeCompleted = (db: Db, uid: string, now: Date): Promise<FoundOrder | undefined> =>
  end(
    db,
    uid,
    now,
    sql`expires_at > ${now} and data ->> 'status' = 'complete'
      and (data ->> 'awaits' is null or data ->> 'awaits' = data ->> 'cameBack')`,
    'taken',
  )

/** True if the result was consumed just now: the sign-in is being completed. */
export async function isBeingCompleted(db: Db, uid: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from one_time_things
    where ${any(uid)} and expires_at > ${now} and consumed_at > ${new Date(now.getTime() - completionTime)}`.execute(db)
  return rows.length > 0
}

/** Ends an order in any state. */
export const dropOrder = (db: Db, uid: string, now: Date): Promise<FoundOrder | undefined> =>
  end(db, uid, now, sql`true`)

// Erases the content of an order that is over: its BankID tokens and the address. An order whose result nobody consumed
// expires with its row.
async function end(
  db: Db,
  uid: string,
  now: Date,
  condition: RawBuilder<unknown>,
  how: 'taken' | 'dropped' = 'dropped',
): Promise<FoundOrder | undefined> {
  const expiry = how === 'taken' ? sql`expires_at` : sql`${now}`
  const { rows } = await sql<Row>`
    with present as (select subject as email, data from one_time_things where ${own(uid)} and ${condition} for update),
      ended as (
        update one_time_things set consumed_at = ${now}, expires_at = ${expiry}, subject = '', data = '{}'
        where ${own(uid)} and exists (select from present) returning 1)
    select email, data from present, ended`.execute(db)
  return asFound(rows[0])
}
