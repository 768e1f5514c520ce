import type { BankidState, bankid } from '#contract/bankid.ts'
import { findInteraction } from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { advanceOrder, freshOrder, type OrderContext } from './advance-order.ts'
import { comeBackFromApp } from './come-back.ts'
import { completeBankId } from './complete-bankid.ts'
import { isMobile, messageOf, type Viewer } from './order-message.ts'
import { dropOrder, type FoundOrder, isBeingCompleted, storeOrder } from './orders.repository.ts'
import { qrCode } from './qr-code.ts'
import { openOrder } from './sealed-order.ts'

/** Sign-in with BankID. @param phoneApp the path of the simulated phone app, where BankID is the simulator */
export const bankidHandlers = (provider: MountedProvider, phoneApp: string | null): Handlers<typeof bankid> => ({
  start: async (context) => {
    const { db, params, input, now } = context
    await mustBeOpen(context)
    const calling = withBankId(context)
    const before = await dropOrder(db, params.uid, now)
    await storeOrder(db, params.uid, input.email, freshOrder(input.device ?? 'other', now), now)
    const [advanced] = await Promise.all([advanceOrder(calling, false), cancelAtBankId(calling, before)])
    return stateOf(context, advanced, { opened: false, phoneApp })
  },
  state: async (context) => {
    await mustBeOpen(context)
    const opened = context.query.opened === 'yes'
    return stateOf(context, await advanceOrder(withBankId(context), opened), { opened, phoneApp })
  },
  cancel: async (context) => {
    await mustBeOpen(context)
    await cancelAtBankId(withBankId(context), await dropOrder(context.db, context.params.uid, context.now))
    return undefined
  },
  back: comeBackFromApp,
  complete: (context) => completeBankId(context, provider),
})

/** An interaction that is over, unknown or another browser's has no orders. */
async function mustBeOpen(context: OrderContext): Promise<void> {
  const { params, http } = context
  if (!(await findInteraction(context, http.request, params.uid))) throw new Problem(404, 'notFound')
}

function withBankId<Context extends OrderContext>(context: Context) {
  const { bankid } = context
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
    // Another tab is just signing in, and this one hears of it in a moment.
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
    // Whoever identified may have opened the app for somebody else's sign-in: nothing is told before it has led back.
    status: status === 'complete' && !found.isBack ? 'pending' : status,
    message: messageOf(order, viewer),
    device,
    // What opens the app on this device could be sent to somebody, so it is given out for such an order alone.
    qrData: given && device === 'other' ? qrCode(given, second) : null,
    autoStartToken: given && device === 'this' ? given.autoStartToken : null,
    phoneApp,
  }
}

/** Closes the app of an order that nobody waits for any more; where BankID does not answer it ends by itself. */
async function cancelAtBankId(
  { keys, params, bankid, http }: ReturnType<typeof withBankId<OrderContext>>,
  found: FoundOrder | undefined,
): Promise<void> {
  if (found?.order.status !== 'pending' || !found.order.sealed) return
  const { orderRef } = await openOrder(keys, params.uid, found.order.sealed)
  await bankid
    .cancel(orderRef)
    .catch((err: unknown) => http.request.log.info({ err }, 'a BankID order could not be cancelled'))
}
