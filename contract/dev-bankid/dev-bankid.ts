import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

// The query parameters that open the real BankID app; invalid values are ignored.
const ifReadable = z.catch(z.optional(text(200)), undefined)

/** The parameters of a page of the phone app: an open order, or a link that opens one. */
export const phoneAppView = z.object({
  order: ifReadable,
  autostarttoken: ifReadable,
  note: ifReadable,
  lang: ifReadable,
})
/** An action of the person in the phone app. */
export const phoneAppAction = z.strictObject({
  action: text(20),
  order: z.optional(text(200)),
  qrData: z.optional(text(400)),
  person: z.optional(text(20)),
  otherNumber: z.optional(text(20)),
  scenario: z.optional(text(40)),
  lang: z.optional(text(10)),
})

/** The phone app of the BankID simulator, for trying out sign-ins; not available in production. */
export const devBankId = {
  page: route('GET /dev/bankid', {
    summary: 'The simulated phone app: the orders that wait, or the one that is open in it',
    access: 'public',
    session: false,
    query: phoneAppView,
    answer: 'html',
  }),
  act: route('POST /dev/bankid', {
    summary: 'What the person does in it: scan, identify, cancel',
    access: 'public',
    session: false,
    body: 'form',
    bodyLimit: 16 * 1024,
    input: phoneAppAction,
    answer: 'redirect',
    audit: 'none',
  }),
  waiting: route('GET /dev/bankid/waiting', {
    summary: 'The orders that wait for an app, newest first',
    access: 'public',
    session: false,
    answer: z.array(z.object({ id: z.string(), text: z.nullable(z.string()), at: z.string() })),
  }),
  style: route('GET /dev/bankid.css', {
    summary: 'The style sheet of that page',
    access: 'public',
    session: false,
    answer: 'html',
  }),
  script: route('GET /dev/bankid.js', {
    summary: 'Its script, which looks for orders that wait',
    access: 'public',
    session: false,
    answer: 'html',
  }),
}
