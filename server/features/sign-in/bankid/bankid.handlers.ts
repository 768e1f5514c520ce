import type { BankidState, bankid } from '#contract/sign-in/bankid.ts'
import type { BankId } from '#server/bankid/bankid.ts'
import { createQrCodeContent } from '#server/bankid/qr-code.ts'
import { findInteraction } from '#server/oidc/interactions.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { advanceOrder, type BankIdContext, newOrder, type OrderContext } from './advance-order.ts'
import { completeBankId } from './complete-bankid.ts'
import { isMobile, messageOf, type Viewer } from './order-message.ts'
import { dropOrder, type FoundOrder, isBeingCompleted, storeOrder } from './orders.repository.ts'
import { returnFromApp } from './return-from-app.ts'
import { openOrder } from './sealed-order.ts'

interface BankIdOptions {
  /** Undefined where BankID is not configured. */
  client: BankId | undefined
  /** The path of the simulated phone app, when BankID is simulated. */
  phoneApp: string | null
}

/** Sign-in with BankID. */
export const bankidHandlers = ({ client, phoneApp }: BankIdOptions): Handlers<typeof bankid> => ({
  start: async (context) => {
    const { db, params, input, now, limits } = context
    await requireOpenInteraction(context)
    await limits.take(db, [{ name: 'bankidRestart', key: params.uid }], now)
    const bankIdContext = requireBankId(context, client)
    const before = await dropOrder(db, params.uid, now)
    await storeOrder(db, params.uid, input.email, newOrder(input.device ?? 'other', now), now)
    const [advanced] = await Promise.all([advanceOrder(bankIdContext, false), cancelAtBankId(bankIdContext, before)])
    return stateOf(context, advanced, { opened: false, phoneApp })
  },
  state: async (context) => {
    await requireOpenInteraction(context)
    const opened = context.query.opened === 'yes'
    return stateOf(context, await advanceOrder(requireBankId(context, client), opened), { opened, phoneApp })
  },
  cancel: async (context) => {
    await requireOpenInteraction(context)
    await cancelAtBankId(requireBankId(context, client), await dropOrder(context.db, context.params.uid, context.now))
    return undefined
  },
  back: returnFromApp,
  complete: (context) => completeBankId(context),
})

/** Refuses an interaction that is over, unknown or belongs to another browser. */
async function requireOpenInteraction(context: OrderContext): Promise<void> {
  const { params, http } = context
  if (!(await findInteraction(context, http.request, params.uid))) throw new Problem(404, 'notFound')
}

function requireBankId(context: OrderContext, bankid: BankId | undefined): BankIdContext {
  if (!bankid) throw new Problem(503, 'temporarilyUnavailable', { retryAfter: 60 })
  return { ...context, bankid }
}

async function stateOf(
  { db, keys, params, now, clock, http }: OrderContext,
  found: FoundOrder | undefined,
  { opened, phoneApp }: Pick<Viewer, 'opened'> & { phoneApp: string | null },
): Promise<BankidState> {
  if (!found) {
    const nothing = { device: 'other', qrData: null, autoStartToken: null, phoneApp } as const
    // Another tab is completing the sign-in; this one will see the result at its next poll.
    if (await isBeingCompleted(db, params.uid, now)) return { ...nothing, status: 'pending', message: 'rfa21' }
    // Cancelled in another tab, or too old.
    return { ...nothing, status: 'failed', message: 'rfa3' }
  }
  const { order } = found
  const { status, hintCode, sealed, givenAt, device } = order
  const waits = status === 'pending' && hintCode === 'outstandingTransaction' && sealed !== null
  const given = waits ? await openOrder(keys, params.uid, sealed) : undefined
  const second = Math.max(0, Math.floor((clock().getTime() - givenAt) / 1000))
  const viewer = { opened, mobile: isMobile(http.request.headers['user-agent']) }
  return {
    // The person who identified may have opened the app for someone else's sign-in: show no result before the app returns.
    status: status === 'complete' && !found.hasReturned ? 'pending' : status,
    message: messageOf(order, viewer),
    device,
    // The link that opens the app could be sent to a victim, so only an order for this device gets an autoStartToken.
    qrData: given && device === 'other' ? createQrCodeContent(given, second) : null,
    autoStartToken: given && device === 'this' ? given.autoStartToken : null,
    phoneApp,
  }
}

/** Cancels an abandoned order, which closes the app. If BankID does not answer, the order expires by itself. */
async function cancelAtBankId(
  { keys, params, bankid, http }: BankIdContext,
  found: FoundOrder | undefined,
): Promise<void> {
  if (found?.order.status !== 'pending' || !found.order.sealed) return
  const { orderRef } = await openOrder(keys, params.uid, found.order.sealed)
  await bankid
    .cancel(orderRef)
    .catch((err: unknown) => http.request.log.info({ err }, 'a BankID order could not be cancelled'))
}
