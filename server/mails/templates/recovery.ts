import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface RecoveryMail {
  firstName: string | null
  what: 'asked' | 'done'
  /** As the admin wrote it; null once it is done. */
  reason: string | null
  /** When it happens, or has happened. ISO 8601 */
  at: string
  /** Stops it, and closes the account. */
  link: string
}

const texts = { asked: 'mailRecoveryAsked', done: 'mailRecoveryDone' } as const

export const recovery: Template<RecoveryMail> = (values, { text, greeting, dateTime }) => {
  const { firstName, what, reason, at, link } = values
  return {
    subject: text(what === 'asked' ? 'mailRecoveryAskedSubject' : 'mailRecoveryDoneSubject'),
    preview: text('mailNotMe'),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text(texts[what], { moment: dateTime(at) })),
      ...(reason === null ? [] : [{ kind: 'quote' as const, title: text('eventPropertyReason'), text: reason }]),
      paragraph(text('mailNothingToDo')),
      paragraph(text('mailNotMe')),
      { kind: 'button', label: text('mailNotMeButton'), link },
      note(text('mailNeverAsk')),
    ],
  }
}
