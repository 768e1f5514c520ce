import type { MessageKey } from './message-key.ts'

/**
 * The pages of the light entry. The build renders each into `dist/web/prerendered/{page}.{language}.html`; the server
 * picks the language, fills the page in with `fillPage`, and sends it with `cache-control: no-store`.
 *
 * | page | address | values besides the contact |
 * |---|---|---|
 * | `sign-in` | `/interaction/{uid}?email&error` | uid, email, error, errorText |
 * | `password` | `/interaction/{uid}/login?email&error`; without an email: 303 to the one before | the same |
 * | `session-expired` | `/session-expired` | |
 * | `logout` | `/logout` | |
 * | `accept-invitation` | `/accept-invitation/{token}`; the script asks what the token is for | |
 * | `reset-password` | `/reset-password?email` | email |
 * | `new-password` | `/reset-password/{token}`; the script asks whom the token is for | |
 * | `not-found`, `refused`, `server-error` | any failed navigation: 404, other 4xx, 5xx | error, errorText, requestId, again |
 */
export const publicPages = [
  'sign-in',
  'password',
  'session-expired',
  'logout',
  'accept-invitation',
  'reset-password',
  'new-password',
  'not-found',
  'refused',
  'server-error',
] as const
export type PublicPage = (typeof publicPages)[number]

/**
 * What a public page can say went wrong: the values of the query parameter `error` (any other value is shown as
 * `genericErrorMessage`, so that an address cannot put words into the portal's mouth), and of the problem pages.
 */
export const publicErrors = [
  // The BankID was somebody else's, or the account cannot sign in: nobody is told which.
  'bankIdRefused',
  'genericErrorMessage',
  'invalidCode',
  'invalidCredentials',
  'invalidEmail',
  'required',
  // Of a company's sign-in: it said no; its answer is not to be trusted; too late, or another browser's; nobody with that account may in.
  'samlDeclined',
  'samlFailed',
  'signInOver',
  'samlRefused',
  'tooManyRequests',
  'tooBusy',
  'temporarilyUnavailable',
  'notFound',
  'forbidden',
  'crossOrigin',
  'malformedRequest',
  'methodNotAllowed',
  'tooLarge',
  'unknownHost',
  'unsupportedType',
] as const satisfies readonly MessageKey[]
export type PublicError = (typeof publicErrors)[number]

/** The key as one that a public page can say. */
export const asPublicError = (key: string): PublicError =>
  publicErrors.find((known) => known === key) ?? 'genericErrorMessage'

/** What a public page is filled in with; what does not apply is left out. */
export interface PageValues {
  uid?: string
  email?: string
  /** The key of the message, for the script, which can then also say it in another language. */
  error?: PublicError
  /** The message itself in the page's language. */
  errorText?: string
  /** Not empty where this browser waits for a code: the page has a field for it from the start. */
  codeSent?: string
  /** Path where to try once more, after what may be possible in a moment. */
  again?: string
  requestId?: string
  companyName: string
  supportEmail: string
  supportPhone: string
}

const derived = (values: PageValues) => ({
  uid: '',
  email: '',
  error: '',
  errorText: '',
  codeSent: '',
  again: '',
  requestId: '',
  ...values,
  emailParameter: encodeURIComponent((values.email ?? '').toWellFormed()),
  supportNumber: values.supportPhone.replace(/[^+\d]/g, ''),
})
/** Name of a place in a prerendered page: the values, and the two that follow from them. */
export type PageToken = keyof ReturnType<typeof derived>

/** How a prerendered page marks the place of a value. */
export const token = (name: PageToken) => `%${name}%`
/** Marks around a part of a prerendered page that stays only where the value is not empty. */
export const section = (name: PageToken) => ({ start: `%?${name}%`, end: `%/${name}%` })

/** A prerendered page with its values in place, escaped for HTML texts and quoted attributes. */
export function fillPage(html: string, values: PageValues): string {
  const texts = derived(values)
  const textOf = (name: string) => (Object.hasOwn(texts, name) ? texts[name as PageToken] : undefined)
  return html
    .replace(/%\?(\w+)%(.*?)%\/\1%/gs, (_, name, part) => (textOf(name) ? part : ''))
    .replace(
      /%(\w+)%/g,
      (mark, name) => textOf(name)?.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`) ?? mark,
    )
}
