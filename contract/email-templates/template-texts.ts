import type { MessageKey } from '#contract/message-key.ts'
import type { EmailTemplateType } from './email-templates.ts'

/** How a text is sent. Text messages exist for `login-code` only. */
export const templateChannels = ['mail', 'sms'] as const
export type TemplateChannel = (typeof templateChannels)[number]

/** A text of a super user: markup with placeholders such as `{{name}}` (docs/messages.md). */
export interface TemplateText {
  /** Empty for a text message. */
  subject: string
  body: string
  /** Of the button; empty for a mail without one. */
  button: string
}

interface PlaceholderRule {
  /** What it stands for, on screen. */
  label: MessageKey
  /** The text is refused without it: the message would be of no use. */
  required?: true
  /** May be in the subject, too. Codes and links may not: subjects are shown on locked screens. */
  inSubject?: true
  /** Stands for more than words, so it has a line of its own. */
  ownLine?: true
}
export type Placeholders = Readonly<Record<string, PlaceholderRule>>

const greeting = { label: 'placeholderGreeting' } as const
const organization = { label: 'placeholderOrganization', inSubject: true } as const
const expires = { label: 'placeholderExpires' } as const
const link = { label: 'placeholderButton', required: true, ownLine: true } as const
const code = { label: 'placeholderCode', required: true } as const
const minutes = { label: 'placeholderMinutes' } as const

const ofMails: Record<EmailTemplateType, Placeholders> = {
  'user-invite': {
    greeting,
    organization,
    inviter: { label: 'placeholderInviter', inSubject: true },
    message: { label: 'placeholderMessage', ownLine: true },
    button: link,
    expires,
  },
  'reset-password': { greeting, reason: { label: 'placeholderReason' }, button: link, expires },
  'notify-organization-admin': {
    greeting,
    organization,
    users: { label: 'placeholderUsers', required: true, ownLine: true },
    button: { label: 'placeholderPortalButton', ownLine: true },
  },
  'notify-last-active': {
    greeting,
    day: { label: 'placeholderDay', inSubject: true },
    button: { label: 'placeholderPortalButton', ownLine: true },
  },
  'login-code': { greeting, code, minutes },
}

export const placeholdersOf = (type: EmailTemplateType, channel: TemplateChannel): Placeholders =>
  channel === 'mail' ? ofMails[type] : { code, minutes }

/** The names of the placeholders in a text, also of those that do not exist. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim())

export const webLink = /\[([^\][\n]+)\]\(([^()\s]*)\)/g

interface TextProblem {
  path: keyof TemplateText
  message: MessageKey
}

/** What must be corrected before the text can be saved: at most one problem of each field. */
export function textProblems(placeholders: Placeholders, { subject, body, button }: TemplateText): TextProblem[] {
  const problems: [keyof TemplateText, MessageKey | undefined][] = [
    ['subject', commonProblem(placeholders, subject) ?? subjectProblem(placeholders, subject)],
    ['body', commonProblem(placeholders, body) ?? bodyProblem(placeholders, body)],
    ['button', commonProblem({}, button) ?? buttonProblem(body, button)],
  ]
  return problems.flatMap(([path, message]) => (message ? [{ path, message }] : []))
}

function commonProblem(placeholders: Placeholders, text: string): MessageKey | undefined {
  // Nothing is lost: all text is escaped. But someone who writes HTML must learn that it has no effect.
  if (/<[a-z!/?]/i.test(text)) return 'templateHtmlRefused'
  const names = placeholdersIn(text)
  const unpaired = /\{\{|\}\}/.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''))
  if (unpaired || names.some((name) => !Object.hasOwn(placeholders, name))) return 'templatePlaceholderUnknown'
  return undefined
}

const subjectProblem = (placeholders: Placeholders, subject: string): MessageKey | undefined =>
  placeholdersIn(subject).every((name) => placeholders[name]?.inSubject) ? undefined : 'templatePlaceholderNotInSubject'

function bodyProblem(placeholders: Placeholders, body: string): MessageKey | undefined {
  const names = placeholdersIn(body)
  const missing = Object.entries(placeholders).some(([name, { required }]) => required && !names.includes(name))
  if (missing) return 'templatePlaceholderMissing'
  const crowded = body
    .split('\n')
    .some((line) => placeholdersIn(line).some((name) => placeholders[name]?.ownLine && !isAlone(line)))
  if (crowded) return 'templatePlaceholderAlone'
  const withoutLinks = body.replaceAll(webLink, (whole, _, address: string) => (isSafeAddress(address) ? '' : whole))
  return withoutLinks.includes('](') ? 'templateLinkRefused' : undefined
}

const buttonProblem = (body: string, button: string): MessageKey | undefined =>
  button === '' && placeholdersIn(body).includes('button') ? 'required' : undefined

export const isAlone = (line: string) => /^\s*\{\{[^{}]*\}\}\s*$/.test(line)

/** An https address without credentials, which would hide its host, and without a placeholder. */
function isSafeAddress(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !address.includes('{{')
}
