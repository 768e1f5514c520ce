import { dateLocales } from '#contract/languages.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Language } from '#contract/roles.ts'
import { translate } from '#server/platform/messages/texts.ts'

/** The portal's settings that every mail shows. */
export interface MailPortal {
  companyName: string
  supportEmail: string
  supportPhone?: string | undefined
  /** The portal's origin, without a path. */
  baseUrl: string
}

/** What a mail shows of the organisation that it is about. */
export interface MailBrand {
  /** Of the organisation. */
  name: string
  /** Degrees. */
  hue: number | null
  /** The path of an image. */
  logo: string | null
}

/** A part of a mail. Both HTML and plain text are rendered from it, so their content is the same. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** The call to action; at most one in a mail. */
  | { kind: 'button'; label: string; link: string }
  | { kind: 'code'; code: string }
  | { kind: 'list'; items: readonly { title: string; detail?: string | undefined }[]; more?: string | undefined }
  /** Text that a person wrote; keeps its line breaks. */
  | { kind: 'quote'; title: string; text: string }
  /** Small print. */
  | { kind: 'note'; text: string }
  /** A paragraph of a super user's text, with its line breaks. */
  | { kind: 'rich'; lines: readonly (readonly Span[])[] }
  | { kind: 'bullets'; items: readonly (readonly Span[])[] }

/** A run of words. */
export interface Span {
  text: string
  bold?: true
  /** An https address. */
  link?: string
}

/** The content of a mail, independent of HTML or plain text. */
export interface MailContent {
  subject: string
  /** Default: `subject`. */
  heading?: string
  /** The preview that a mail program lists after the subject; hidden in the mail itself. */
  preview: string
  blocks: readonly Block[]
  /** The reason for the mail, for its footer. */
  about: 'account' | 'invitation'
}

/** Formats texts, dates and lists in the language of the mail. */
export interface Formatter {
  language: Language
  portal: MailPortal
  text(key: MessageKey, values?: Readonly<Record<string, string | number>>): string
  greeting(firstName: string | null): string
  /** Date and time in Swedish time; names the time zone in languages whose readers may be in another. */
  dateTime(iso: string): string
  day(iso: string): string
  /** `A, B or C` */
  orList(names: readonly string[]): string
}

/** A template: turns JSON values into the content of a mail. */
export type Template<Values> = (values: Values, formatter: Formatter) => MailContent

const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Stockholm' } as const
const time = { minute: '2-digit', hourCycle: 'h23' } as const

export function createFormatter(language: Language, portal: MailPortal): Formatter {
  const format = (iso: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocales[language], options).format(new Date(iso))
  const hour = language === 'fi' ? 'numeric' : '2-digit'
  const text: Formatter['text'] = (key, values) => translate(language, key, values)
  return {
    language,
    portal,
    text,
    greeting: (firstName) => (firstName ? text('mailGreeting', { firstName }) : text('mailGreetingWithoutName')),
    dateTime: (iso) => text('mailMoment', { moment: format(iso, { ...day, hour, ...time }) }),
    day: (iso) => format(iso, day),
    orList: (names) => new Intl.ListFormat(dateLocales[language], { type: 'disjunction' }).format(names),
  }
}

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
export const note = (text: string): Block => ({ kind: 'note', text })
