import type { InputOf } from '#contract/route.ts'
import type { BankidState, bankid } from '#contract/sign-in/bankid.ts'
import { call } from '../frame/calls.ts'

// Addresses by hand, as in calls.ts; calls.test.ts holds these to the contract, too.

/** ms; a later poll has newer information. */
const callTimeout = 10_000

export const bankIdAddress = (uid: string) => `/interaction/${encodeURIComponent(uid)}/bankid`

/** @throws ApiProblem `notFound` when the interaction is over */
export const startOrder = (uid: string, order: InputOf<typeof bankid.start>): Promise<BankidState> =>
  call('POST', `${bankIdAddress(uid)}/start`, order, { signal: AbortSignal.timeout(callTimeout) })

/** @throws ApiProblem `notFound` when the interaction or the order is over */
export const findOrder = (uid: string, { opened }: { opened: boolean }): Promise<BankidState> =>
  call('GET', `${bankIdAddress(uid)}${opened ? '?opened=yes' : ''}`, undefined, {
    signal: AbortSignal.timeout(callTimeout),
  })

/** Sent even when the page is left. Nobody waits for it: an order that is not ended here ends by itself. */
export const cancelOrder = (uid: string): Promise<void> =>
  call<void>('POST', `${bankIdAddress(uid)}/cancel`, {}, { keepalive: true }).catch(() => undefined)
