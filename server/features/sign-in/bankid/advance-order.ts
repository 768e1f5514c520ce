import { type BankId, BankIdFailure } from '#server/bankid/bankid.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { allSsnIndexes } from '#server/platform/secrets/ssn.ts'
import { orderRequest } from './order-request.ts'
import {
  claimOrder,
  type Device,
  type FoundOrder,
  findOrder,
  newNonce,
  pollInterval,
  type StoredOrder,
  saveProgress,
} from './orders.repository.ts'
import { openOrder, sealOrder } from './sealed-order.ts'

export type OrderContext = Pick<RequestContext, 'db' | 'config' | 'keys' | 'clock' | 'now' | 'ip' | 'http'> & {
  params: { uid: string }
}
/** The context of calls that need BankID to be configured. */
export type BankIdContext = OrderContext & { bankid: BankId }

/** Milliseconds during which an order that no app has opened is replaced by a new one when it expires. */
const renewalPeriod = 3 * 60_000
/** Consecutive failures of BankID before we give up, when starting an order and when polling it. */
const maxFailures = { begin: 3, collect: 10 }

/** An order that has not been sent to BankID yet. */
export const newOrder = (device: Device, now: Date): StoredOrder => ({
  status: 'pending',
  hintCode: 'outstandingTransaction',
  fault: null,
  device,
  awaits: null,
  sealed: null,
  firstAt: now.getTime(),
  givenAt: 0,
  troubles: 0,
  ssnIndexes: [],
  risk: null,
})

/**
 * Polls BankID about the order, at most every two seconds, and starts the order if it has not been started. When several
 * requests or processes poll at the same time, only one calls BankID. A final result is stored for the form.
 *
 * @param opened true when the person has followed the link to the app on this device
 */
export async function advanceOrder(context: BankIdContext, opened: boolean): Promise<FoundOrder | undefined> {
  const { db, params, now, clock } = context
  const found = await findOrder(db, params.uid, now)
  if (found?.order.status !== 'pending' || found.nextAt > now.getTime()) return found
  const mine = await claimOrder(db, params.uid, now)
  if (!mine) return findOrder(db, params.uid, now)
  const order = await step(context, mine.order, opened)
  const nextAt = now.getTime() + pollInterval
  const kept = await saveProgress(db, params.uid, { claim: mine.claim, order, nextAt, now: clock() })
  // Read the order again if it may have changed meanwhile: replaced by another, or the app has returned to the browser.
  return kept && order.awaits === null ? { ...found, order, nextAt } : findOrder(db, params.uid, now)
}

async function step(context: BankIdContext, order: StoredOrder, opened: boolean): Promise<StoredOrder> {
  try {
    return order.sealed ? await collect(context, order, order.sealed, opened) : await begin(context, order)
  } catch (error) {
    if (!(error instanceof BankIdFailure)) throw error
    return afterFailure(context, order, error)
  }
}

async function begin(context: BankIdContext, order: StoredOrder): Promise<StoredOrder> {
  const { keys, clock, params, bankid } = context
  const { firstAt, device } = order
  const { nonce, awaits } = device === 'this' ? newNonce() : { nonce: undefined, awaits: null }
  const given = await bankid.begin(orderRequest(context, nonce))
  return {
    ...newOrder(device, clock()),
    firstAt,
    awaits,
    sealed: sealOrder(keys, params.uid, given),
    givenAt: clock().getTime(),
  }
}

async function collect(
  context: BankIdContext,
  order: StoredOrder,
  sealed: string,
  opened: boolean,
): Promise<StoredOrder> {
  const { keys, params, now, bankid } = context
  const { orderRef } = await openOrder(keys, params.uid, sealed)
  const progress = await bankid.collect(orderRef)
  if (progress.status === 'complete') {
    const indexes = allSsnIndexes(keys, progress.personalNumber).map((index) => index.toString('hex'))
    return { ...order, status: 'complete', ssnIndexes: indexes, risk: progress.risk ?? null }
  }
  const { status, hintCode } = progress
  const unopened = status === 'failed' && hintCode === 'startFailed' && !opened
  // The page shows the new QR code without a message.
  if (unopened && now.getTime() - order.firstAt < renewalPeriod)
    return step(context, { ...order, sealed: null, troubles: 0 }, opened)
  return { ...order, status, hintCode, troubles: 0 }
}

function afterFailure({ http }: BankIdContext, order: StoredOrder, error: BankIdFailure): StoredOrder {
  const failed = { ...order, status: 'failed' } as const
  const { log } = http.request
  switch (error.kind) {
    case 'alreadyInProgress':
      return { ...failed, fault: 'alreadyInProgress' }
    case 'unavailable': {
      log.warn({ err: error }, 'BankID did not answer')
      const troubles = order.troubles + 1
      const limit = order.sealed ? maxFailures.collect : maxFailures.begin
      return troubles < limit ? { ...order, troubles } : { ...failed, fault: 'unavailable' }
    }
    case 'noOrder':
    case 'refused':
      log.error({ err: error }, 'BankID refused a call')
      return { ...failed, fault: 'unavailable' }
  }
}
