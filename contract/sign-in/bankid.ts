import * as z from 'zod/mini'
import { email, text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { bankIdMessages } from './bankid-messages.ts'
import { signInEvents } from './sign-in-events.ts'

/** The id of an interaction of the OpenID Provider, which must be open in this browser. */
const uid = z.strictObject({ uid: text(200) })

// The app opens this address. Ignore invalid values and redirect to the page, which shows the state of the order.
const ifReadable = z.catch(z.optional(text(100)), undefined)

/**
 * The state of a sign-in with BankID. After `failed` a new order can be started. After `complete` the form `complete` can
 * be posted, and only that decides whether the person may sign in. An order on this device is not complete before the
 * app has returned to this browser.
 */
export const bankidState = z.object({
  status: z.enum(['pending', 'failed', 'complete']),
  message: z.enum(bankIdMessages),
  /** The device with the app: this one, or another one that scans a QR code. */
  device: z.enum(['this', 'other']),
  /**
   * For another device: the current content of the QR code, which changes every second. Null once the app is open, and
   * while BankID cannot be reached.
   */
  qrData: z.nullable(z.string()),
  /** For this device: opens the app; null like `qrData`. Changes when an unopened order is renewed. */
  autoStartToken: z.nullable(z.string()),
  /** The path of the simulated phone app; null when BankID is real. `?autostarttoken=` opens an order in it. */
  phoneApp: z.nullable(z.string()),
})
export type BankidState = z.infer<typeof bankidState>

/**
 * Sign-in with BankID, under the path of its interaction. An interaction that is over, unknown or belongs to another
 * browser gives 404 `notFound`. Without BankID in the settings every call gives 503 `temporarilyUnavailable`.
 */
export const bankid = {
  start: route('POST /interaction/{uid}/bankid/start', {
    summary:
      'Begins an order at BankID for this browser, in place of an earlier one; an unknown address begins one too',
    access: 'public',
    limit: 'bankidStart',
    params: uid,
    /**
     * `device=this`: for the app on this device, opened by a link instead of a QR code. This cannot be changed later: only
     * an order for this device proves, by returning to the browser, that the app was opened on the same device.
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
    freshProof: 'not needed: a sign-in is itself the proof',
    params: uid,
    body: 'form',
    bodyLimit: 16 * 1024,
    /** Only used to restart a failed sign-in; the order itself stores the address it was started for. */
    input: z.strictObject({ email: z.optional(text(1000)) }),
    answer: 'redirect',
    audit: { atMost: signInEvents },
    atomic: false,
  }),
}
