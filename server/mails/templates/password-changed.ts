import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface PasswordChanged {
  firstName: string | null
  /** ISO 8601 */
  at: string
  /** Closes the account to the person who chose it. */
  link: string
}

export const passwordChanged: Template<PasswordChanged> = ({ firstName, at, link }, { text, greeting, dateTime }) => ({
  subject: text('mailPasswordSubject'),
  preview: text('mailNothingToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailPasswordChanged', { moment: dateTime(at) })),
    paragraph(text('mailNothingToDo')),
    paragraph(text('mailNotMe')),
    { kind: 'button', label: text('mailNotMeButton'), link },
    note(text('mailNeverAsk')),
  ],
})
