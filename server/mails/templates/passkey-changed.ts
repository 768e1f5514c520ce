import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface PasskeyChanged {
  firstName: string | null
  what: 'added' | 'removed' | 'stopped'
  /** What the person calls the key. */
  name: string
  /** ISO 8601 */
  at: string
  /** Closes the account, and undoes what was done to it. */
  link: string
}

const texts = {
  added: 'mailPasskeyAdded',
  removed: 'mailPasskeyRemoved',
  stopped: 'mailPasskeyStopped',
} as const

export const passkeyChanged: Template<PasskeyChanged> = (
  { firstName, what, name, at, link },
  { text, greeting, dateTime },
) => ({
  subject: text('mailPasskeySubject'),
  preview: text('mailNothingToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text(texts[what], { name, moment: dateTime(at) })),
    ...(what === 'stopped' ? [] : [paragraph(text('mailNothingToDo'))]),
    paragraph(text('mailNotMe')),
    { kind: 'button', label: text('mailNotMeButton'), link },
    note(text('mailNeverAsk')),
  ],
})
