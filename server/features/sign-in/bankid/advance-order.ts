import { BankIdFailure } from '#server/platform/bankid.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { ssnIndexes } from '#server/platform/ssn.ts'
import { orderRequest } from './order-request.ts'
import {
  claimOrder,
  type Device,
  type FoundOrder,
  findOrder,
  keepProgress,
  newNonce,
  pause,
  type StoredOrder,
} from './orders.repository.ts'
import { openOrder, sealOrder } from './sealed-order.ts'

export type OrderContext = Pick<
  RequestContext,
  'db' | 'config' | 'keys' | 'clock' | 'now' | 'ip' | 'http' | 'bankid'
> & {
  params: { uid: string }
}
type Calling = OrderContext & { bankid: NonNullable<OrderContext['bankid']> }

/** Milliseconds in which an order that no app opened is begun anew. */
const renewedFor = 3 * 60_000
/** How often in a row BankID may fail to answer, before there is an order and after. */
const patience = { begin: 3, collect: 10 }

/** An order that BankID has not been asked for yet. */
export const freshOrder = (device: Device, now: Date): StoredOrder => ({
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
 * Asks BankID how far the order has come, where that was not asked within two seconds, and begins what has to begin.
 * However many ask at once, in however many processes, BankID is asked by one, and a final result is kept for the form.
 *
 * @param opened the person has followed the link to the app on this device
 */
export async function advanceOrder(context: Calling, opened: boolean): Promise<FoundOrder | undefined> {
  const { db, params, now, clock } = context
  const found = await findOrder(db, params.uid, now)
  if (found?.order.status !== 'pending' || found.nextAt > now.getTime()) return found
  const mine = await claimOrder(db, params.uid, now)
  if (!mine) return findOrder(db, params.uid, now)
  const order = await step(context, mine.order, opened)
  const nextAt = now.getTime() + pause
  const kept = await keepProgress(db, params.uid, { claim: mine.claim, order, nextAt, now: clock() })
  // Looked at anew where something else can have come in the meantime: another order, or the way back.
  return kept && order.awaits === null ? { ...found, order, nextAt } : findOrder(db, params.uid, now)
}

async function step(context: Calling, order: StoredOrder, opened: boolean): Promise<StoredOrder> {
  try {
    return order.sealed ? await collect(context, order, order.sealed, opened) : await begin(context, order)
  } catch (error) {
    if (!(error instanceof BankIdFailure)) throw error
    return afterFailure(context, order, error)
  }
}

async function begin(context: Calling, order: StoredOrder): Promise<StoredOrder> {
  const { keys, clock, params, bankid } = context
  const { firstAt, device } = order
  const { nonce, awaits } = device === 'this' ? newNonce() : { nonce: undefined, awaits: null }
  const given = await bankid.begin(orderRequest(context, nonce))
  return {
    ...freshOrder(device, clock()),
    firstAt,
    awaits,
    sealed: sealOrder(keys, params.uid, given),
    givenAt: clock().getTime(),
  }
}

async function collect(context: Calling, order: StoredOrder, sealed: string, opened: boolean): Promise<StoredOrder> {
  const { keys, params, now, bankid } = context
  const { orderRef } = await openOrder(keys, params.uid, sealed)
  const progress = await bankid.collect(orderRef)
  if (progress.status === 'complete') {
    const indexes = ssnIndexes(keys, progress.personalNumber).map((index) => index.toString('hex'))
    return { ...order, status: 'complete', ssnIndexes: indexes, risk: progress.risk ?? null }
  }
  const { status, hintCode } = progress
  const unopened = status === 'failed' && hintCode === 'startFailed' && !opened
  // Without a word to the person, who sees another QR code.
  if (unopened && now.getTime() - order.firstAt < renewedFor)
    return step(context, { ...order, sealed: null, troubles: 0 }, opened)
  return { ...order, status, hintCode, troubles: 0 }
}

function afterFailure({ http }: Calling, order: StoredOrder, error: BankIdFailure): StoredOrder {
  const failed = { ...order, status: 'failed' } as const
  const { log } = http.request
  switch (error.kind) {
    case 'alreadyInProgress':
      return { ...failed, fault: 'alreadyInProgress' }
    case 'unavailable': {
      log.warn({ err: error }, 'BankID did not answer')
      const troubles = order.troubles + 1
      const most = order.sealed ? patience.collect : patience.begin
      return troubles < most ? { ...order, troubles } : { ...failed, fault: 'unavailable' }
    }
    case 'noOrder':
    case 'refused':
      log.error({ err: error }, 'BankID refused a call')
      return { ...failed, fault: 'unavailable' }
  }
}
