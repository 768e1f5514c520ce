import { dateLocales } from '#contract/languages.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Language } from '#contract/roles.ts'
import { translate } from '#server/platform/texts.ts'

/** What of the portal a mail shows: from the settings, the same for every mail. */
export interface MailPortal {
  companyName: string
  supportEmail: string
  supportPhone?: string | undefined
  /** The portal's origin, without a path. */
  baseUrl: string
}

/** A part of a mail. HTML and plain text are both made from it, so neither can say more than the other. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** The one thing to do; at most one in a mail. */
  | { kind: 'button'; label: string; link: string }
  | { kind: 'code'; code: string }
  | { kind: 'list'; items: readonly { title: string; detail?: string | undefined }[]; more?: string | undefined }
  /** What a person wrote, line by line. */
  | { kind: 'quote'; title: string; text: string }
  /** Small print. */
  | { kind: 'note'; text: string }

/** A mail before it has a form. */
export interface MailContent {
  subject: string
  /** `subject` unless it says otherwise. */
  heading?: string
  /** What a mail program shows after the subject in its list; read by nobody who opens the mail. */
  preview: string
  blocks: readonly Block[]
  /** Why this person gets the mail. */
  about: 'account' | 'invitation'
}

/** What a template has to write with. */
export interface Pen {
  language: Language
  portal: MailPortal
  text(key: MessageKey, values?: Readonly<Record<string, string | number>>): string
  greeting(firstName: string | null): string
  /** A date with the time, in Swedish time; says so where readers may live by another. */
  moment(iso: string): string
  day(iso: string): string
  /** `A, B or C` */
  anyOf(names: readonly string[]): string
}

/** One template: its values, as JSON can hold them, into a mail. */
export type Template<Values> = (values: Values, pen: Pen) => MailContent

const day = { day: '2-digit', month: 'long', year: 'numeric', timeZone: 'Europe/Stockholm' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

export function createPen(language: Language, portal: MailPortal): Pen {
  const format = (iso: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocales[language], options).format(new Date(iso))
  const text: Pen['text'] = (key, values) => translate(language, key, values)
  return {
    language,
    portal,
    text,
    greeting: (firstName) => (firstName ? text('mailGreeting', { firstName }) : text('mailGreetingWithoutName')),
    moment: (iso) => text('mailMoment', { moment: format(iso, { ...day, ...time }) }),
    day: (iso) => format(iso, day),
    anyOf: (names) => new Intl.ListFormat(dateLocales[language], { type: 'disjunction' }).format(names),
  }
}

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
export const note = (text: string): Block => ({ kind: 'note', text })
