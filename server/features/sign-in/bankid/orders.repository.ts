import { type RawBuilder, sql } from 'kysely'
import type { BankidState } from '#contract/bankid.ts'
import type { Db } from '#server/platform/database.ts'
import type { JsonObject } from '#server/platform/database-types.ts'
import { hashToken, randomToken } from '#server/platform/tokens.ts'

/** Where the app is that an order is for. */
export type Device = BankidState['device']

/** What is kept of the order of an interaction: the newest one, begun anew as long as no app was opened. */
export interface StoredOrder {
  status: 'pending' | 'failed' | 'complete'
  /** BankID's own; `outstandingTransaction` from the start. */
  hintCode: string
  /** What we say in place of BankID, which did not do what it was asked. */
  fault: 'alreadyInProgress' | 'unavailable' | null
  /** What BankID gave out, sealed; null as long as it has not. */
  sealed: string | null
  /** Milliseconds: when the first order of this sign-in was asked for, and when BankID gave out this one. */
  firstAt: number
  givenAt: number
  device: Device
  /**
   * Of an order for this device: the hash of what the app brings back, hex. Nobody is signed in before the browser that
   * began has brought it (`comeBack`); null for an order with a code.
   */
  awaits: string | null
  /** How often in a row BankID did not answer. */
  troubles: number
  /** Under which the number of the person may be found who identified, hex. The number itself is not stored. */
  ssnIndexes: string[]
  risk: string | null
}

/** An order, and whom its browser says that it is for: a canonical address, which need not exist. */
export interface FoundOrder {
  email: string
  order: StoredOrder
  /** Nothing is awaited, or it has come back. */
  isBack: boolean
  /** Milliseconds: before that nobody asks BankID. */
  nextAt: number
}

const purpose = 'bankidOrder'
/** Milliseconds: three minutes until the last order begins, three that it lives, and time to come back from the app. */
const lifetime = 10 * 60_000
/** Longer than two calls to BankID can take: until then nobody else makes one. */
const turn = 12_000
/** Milliseconds between two calls about one order. */
export const pause = 2000
/** Milliseconds in which a result must be taken. */
const resultLasts = 2 * 60_000
/** Milliseconds in which a sign-in ends once its result was taken. */
const endsWithin = 10_000

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
  return { email: row.email, order, nextAt, isBack: order.awaits === null || order.awaits === cameBack }
}

/** Makes what an app brings back, and what is kept of it. */
export function newNonce(): { nonce: string; awaits: string } {
  const nonce = randomToken()
  return { nonce, awaits: kept(nonce) }
}
const kept = (nonce: string) => hashToken(nonce).toString('hex')

/** Is this what the order of an interaction awaits? Then it is back, in the browser that began it. */
export async function comeBack(db: Db, uid: string, nonce: string, now: Date): Promise<FoundOrder | undefined> {
  const { rows } = await sql<Row>`
    update one_time_things set data = data || ${json({ cameBack: kept(nonce) })}
    where ${own(uid)} and ${awaits(nonce)} and expires_at > ${now} returning subject as email, data`.execute(db)
  return asFound(rows[0])
}

/** The same in another browser: the order is over. */
export const endAstray = (db: Db, uid: string, nonce: string, now: Date): Promise<FoundOrder | undefined> =>
  end(db, uid, now, awaits(nonce))

const awaits = (nonce: string) => sql`data ->> 'awaits' = ${kept(nonce)}`

/** Stores a new order in place of the one before, for the first call about it: see `claimOrder`. */
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
 * Takes the turn to call BankID about a pending order, if it is time: of any number of processes one gets it.
 *
 * @returns the order as it is, and the name of the turn for `keepProgress`
 */
export async function claimOrder(
  db: Db,
  uid: string,
  now: Date,
): Promise<{ claim: string; order: StoredOrder } | undefined> {
  const claim = randomToken()
  const { rows } = await sql<Row>`
    update one_time_things set data = data || ${json({ claim, nextAt: now.getTime() + turn })}
    where ${own(uid)} and expires_at > ${now} and data ->> 'status' = 'pending'
      and (data ->> 'nextAt')::float8 <= ${now.getTime()}
    returning subject as email, data`.execute(db)
  const found = asFound(rows[0])
  return found && { claim, order: found.order }
}

/** Stores what came of a turn, unless the order was replaced or cancelled in the meantime. */
export async function keepProgress(
  db: Db,
  uid: string,
  { claim, order, nextAt, now }: { claim: string; order: StoredOrder; nextAt: number; now: Date },
): Promise<boolean> {
  const ends = order.status === 'complete' ? sql`, expires_at = ${new Date(now.getTime() + resultLasts)}` : sql``
  const { numAffectedRows } = await sql`
    update one_time_things
    set data = ${json({ ...order, nextAt })} || jsonb_build_object('cameBack', data -> 'cameBack') ${ends}
    where ${own(uid)} and data ->> 'claim' = ${claim}`.execute(db)
  return numAffectedRows === 1n
}

/** Uses a completed order up that is back, where it has to be: of any number that try at once one gets it. */
export const takeCompleted = (db: Db, uid: string, now: Date): Promise<FoundOrder | undefined> =>
  end(
    db,
    uid,
    now,
    sql`expires_at > ${now} and data ->> 'status' = 'complete'
      and (data ->> 'awaits' is null or data ->> 'awaits' = data ->> 'cameBack')`,
    'taken',
  )

/** Whether a result was taken a moment ago: the sign-in is about to end. */
export async function isBeingCompleted(db: Db, uid: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from one_time_things
    where ${any(uid)} and expires_at > ${now} and consumed_at > ${new Date(now.getTime() - endsWithin)}`.execute(db)
  return rows.length > 0
}

/** Ends an order, whatever it has come to. */
export const dropOrder = (db: Db, uid: string, now: Date): Promise<FoundOrder | undefined> =>
  end(db, uid, now, sql`true`)

// Nothing of an order is kept that is over: neither what opened it nor whom it was about. One whose result nobody took has
// expired with it.
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
