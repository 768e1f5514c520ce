import * as z from 'zod/mini'
import { text } from './fields.ts'
import { route } from './route.ts'

// The address that BankID's own app is opened with; what it does not know is left out.
const ifReadable = z.catch(z.optional(text(200)), undefined)

/** What the phone app shows: an order that is open in it, or what a link opens. */
export const phoneAppView = z.object({
  order: ifReadable,
  autostarttoken: ifReadable,
  note: ifReadable,
  lang: ifReadable,
})
/** What the person does in it. */
export const phoneAppAction = z.strictObject({
  action: text(20),
  order: z.optional(text(200)),
  qrData: z.optional(text(400)),
  person: z.optional(text(20)),
  otherNumber: z.optional(text(20)),
  scenario: z.optional(text(40)),
  lang: z.optional(text(10)),
})

/** The phone app of the BankID simulator, for trying sign-ins out; it does not exist in production. */
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
