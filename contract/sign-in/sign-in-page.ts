import type { KeptName } from '#contract/kept.ts'
import type { MessageKey } from '#contract/message-key.ts'

/**
 * The pages of the light entry. The build renders each into `dist/web/prerendered/{page}.{language}.html`; the server
 * picks the language, fills the page in with `fillPage`, and sends it with `cache-control: no-store`.
 *
 * | page | address | values besides the contact |
 * |---|---|---|
 * | `sign-in` | `/interaction/{uid}?email&error` | uid, email, signInTo, error, errorText, reference, passkeyChallenge, passkeyRpId, and the brand |
 * | `password` | `/interaction/{uid}/login?email&error`; without an email: 303 to the one before | uid, email, signInTo, error, errorText, reference, and the brand |
 * | `session-expired` | `/session-expired` | |
 * | `logout` | `/logout` | ask |
 * | `signed-out` | `/signed-out`; the script asks which services were told | |
 * | `accept-invitation` | `/accept-invitation/{token}`; the script asks what the token is for | |
 * | `saml-setup` | `/saml-setup/{token}`; the script asks what the link is for | |
 * | `saml-message` | `/saml/{id}/send?ticket`; posts itself | postTo, samlRequest or samlResponse, relayState |
 * | `reset-password` | `/reset-password?email` | email |
 * | `new-password` | `/reset-password/{token}`; the script asks whom the token is for | |
 * | `privacy`, `accessibility` | `/privacy`, `/accessibility` | |
 * | `not-me`, `not-me-done` | `/not-me/{token}`, `/not-me` | |
 * | `kept` | `/privacy/kept` | kept, and each time in words by its name |
 * | `not-found`, `refused`, `server-error` | any failed navigation: 404, other 4xx, 5xx | error, errorText, details, requestId, again |
 */
export const publicPages = [
  'sign-in',
  'password',
  'session-expired',
  'signed-out',
  'logout',
  'accept-invitation',
  'saml-setup',
  'saml-message',
  'reset-password',
  'new-password',
  'privacy',
  'kept',
  'not-me',
  'not-me-done',
  'accessibility',
  'not-found',
  'refused',
  'server-error',
] as const
export type PublicPage = (typeof publicPages)[number]

/**
 * The errors that a public page can show: the values of the query parameter `error`, and of the problem pages. Any other
 * value is shown as `genericErrorMessage`, so that a crafted link cannot inject text into the page.
 */
export const publicErrors = [
  // The BankID belongs to another person, or the account cannot sign in; the message does not reveal which.
  'bankIdRefused',
  'cookiesNeeded',
  'genericErrorMessage',
  'invalidCode',
  'invalidCredentials',
  'invalidEmail',
  'mailNotAfterReset',
  'passkeyRefused',
  'phoneNotConfirmed',
  'required',
  // SAML: declined by the identity provider; invalid response; expired or from another browser; account not allowed.
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
  'linkNotValid',
  // The provider refused a request of a service; the details name the cause.
  'serviceRequestRefused',
  'tooLarge',
  'headersTooLarge',
  'unknownHost',
  'unsupportedType',
] as const satisfies readonly MessageKey[]
export type PublicError = (typeof publicErrors)[number]

/** Maps an unknown key to the generic error. */
export const toPublicError = (key: string): PublicError =>
  publicErrors.find((known) => known === key) ?? 'genericErrorMessage'

/** The values of a public page; leave out those that do not apply. */
export interface PageValues extends Partial<Record<KeptName, string>> {
  uid?: string
  email?: string
  /** The service that the sign-in leads to, by its name; the portal itself otherwise. */
  signInTo?: string
  /** The brand of the organisation that the sign-in names: its hue in degrees, the addresses of its logos, and its name. */
  hue?: string
  logo?: string
  darkLogo?: string
  brandName?: string
  /** The text key of the error, so that the script can translate it when the language is changed. */
  error?: PublicError
  /** The error text in the page's language. */
  errorText?: string
  /** Names the failure to support. */
  reference?: string
  /** The cause of an error in the words of the protocol, for the developer of a service. */
  details?: string
  /** Not empty if this browser has an open challenge: the page then has a field for the code. */
  codeSent?: string
  /** What a passkey signs at this sign-in, and the domain that passkeys are bound to. */
  passkeyChallenge?: string
  passkeyRpId?: string
  /** Not empty if the user must confirm, because another site linked here. */
  ask?: string
  /** The path for a retry after a temporary error. */
  again?: string
  requestId?: string
  /** A message to an identity provider: where it is posted, and its fields. */
  postTo?: string
  samlRequest?: string
  samlResponse?: string
  relayState?: string
  /** Not empty on a restored copy, which sends no messages. */
  quarantine?: string
  /** For how long things are kept: numbers in the order of `kept`, with blanks between them. */
  kept?: string
  /** Our pages, or the operator's own. */
  privacyUrl: string
  accessibilityUrl: string
  companyName: string
  supportEmail: string
  supportPhone: string
}

/** The portal by its name, which is the same in every language. */
const productName = 'Vestibule'

const derived = (values: PageValues) => ({
  uid: '',
  email: '',
  signInTo: productName,
  hue: '',
  logo: '',
  brandName: '',
  error: '',
  errorText: '',
  reference: '',
  details: '',
  codeSent: '',
  passkeyChallenge: '',
  passkeyRpId: '',
  ask: '',
  again: '',
  requestId: '',
  postTo: '',
  samlRequest: '',
  samlResponse: '',
  relayState: '',
  quarantine: '',
  kept: '',
  ...values,
  darkLogo: values.darkLogo ?? values.logo ?? '',
  /** Not empty where the logo needs a light ground on a dark page. */
  logoPlate: values.logo && !values.darkLogo ? 'yes' : '',
  /** Not empty where the portal shows its own logo. */
  ownLogo: values.logo ? '' : 'yes',
  emailParameter: encodeURIComponent((values.email ?? '').toWellFormed()),
  supportNumber: values.supportPhone.replace(/[^+\d]/g, ''),
})
/** The name of a placeholder in a prerendered page: the values, and those derived from them. */
export type PageToken = keyof ReturnType<typeof derived>

/** The placeholder of a value in a prerendered page. */
export const token = (name: PageToken) => `%${name}%`
/** The markers around a part of a prerendered page that is kept only if the value is not empty. */
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
