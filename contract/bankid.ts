import * as z from 'zod/mini'
import { bankIdMessages } from './bankid-messages.ts'
import { email, text } from './fields.ts'
import { route } from './route.ts'

/** Names an interaction of the OpenID Provider, which must be open and this browser's. */
const uid = z.strictObject({ uid: text(200) })

// The app leads here: what cannot be understood leads to the page, which says how things stand.
const ifReadable = z.catch(z.optional(text(100)), undefined)

/**
 * How far a sign-in with BankID has come. `failed` is the end of this order, and `start` begins another one; `complete`
 * means that the form `complete` can be posted: only that tells whether the person may in. An order for this device is
 * not complete before the app has led this browser back.
 */
export const bankidState = z.object({
  status: z.enum(['pending', 'failed', 'complete']),
  message: z.enum(bankIdMessages),
  /** Whose app the order is for: the one on this device, or on another one that reads a code. */
  device: z.enum(['this', 'other']),
  /**
   * For another device: what the QR code says at this second. Null as soon as the app is open, and while BankID cannot
   * be reached yet.
   */
  qrData: z.nullable(z.string()),
  /** For this device: opens the app on it; null like `qrData`. It changes when an order that nobody opened is renewed. */
  autoStartToken: z.nullable(z.string()),
  /** The simulator's phone app, a path on this origin; null where BankID is real. `?autostarttoken=` opens an order in it. */
  phoneApp: z.nullable(z.string()),
})
export type BankidState = z.infer<typeof bankidState>

/**
 * Sign-in with BankID, under the address of its interaction. An interaction that is over, unknown or another browser's
 * is 404 `notFound`; without BankID in the settings the answer is 503 `temporarilyUnavailable`.
 */
export const bankid = {
  start: route('POST /interaction/{uid}/bankid/start', {
    summary:
      'Begins an order at BankID for this browser, in place of an earlier one; an unknown address begins one too',
    access: 'public',
    limit: 'bankidStart',
    params: uid,
    /**
     * `device=this`: for the app on this device, by a link in place of a code. Which of the two it is cannot be changed
     * afterwards: only one for this device proves, by the way back, that the app was opened where the browser is.
     */
    input: z.strictObject({ email, device: z.optional(z.literal('this')) }),
    answer: bankidState,
    audit: 'none',
    atomic: false,
  }),
  state: route('GET /interaction/{uid}/bankid', {
    summary: 'How far the order has come; asked every second',
    access: 'public',
    session: false,
    params: uid,
    /** `opened=yes`: the person has followed the link that opens the app on this device. */
    query: z.strictObject({ opened: z.optional(z.literal('yes')) }),
    answer: bankidState,
  }),
  cancel: route('POST /interaction/{uid}/bankid/cancel', {
    summary: 'Ends the order',
    access: 'public',
    params: uid,
    input: z.strictObject({}),
    answer: 'nothing',
    audit: 'none',
    atomic: false,
  }),
  back: route('GET /interaction/{uid}/bankid/back', {
    summary:
      'Where the app leads after an identification on this device: in the browser that began, the order is good from then on; in another one it ends',
    access: 'public',
    session: false,
    params: uid,
    query: z.object({ nonce: ifReadable }),
    answer: 'redirect',
    audit: { atMost: ['loginFailure'] },
    atomic: false,
  }),
  complete: route('POST /interaction/{uid}/bankid', {
    summary: 'Completes a sign-in with BankID: uses the completed order up',
    access: 'public',
    params: uid,
    body: 'form',
    bodyLimit: 16 * 1024,
    /** The address only counts for where a sign-in that failed goes on; whom the order was for is kept with it. */
    input: z.strictObject({ email: z.optional(text(1000)) }),
    answer: 'redirect',
    audit: { atMost: ['loginSuccess', 'loginFailure'] },
    atomic: false,
  }),
}
