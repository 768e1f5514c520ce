import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface PasswordChanged {
  firstName: string | null
  /** ISO 8601 */
  at: string
}

export const passwordChanged: Template<PasswordChanged> = (
  { firstName, at },
  { text, greeting, dateTime, portal },
) => ({
  subject: text('mailPasswordSubject'),
  preview: text('mailNothingToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailPasswordChanged', { moment: dateTime(at) })),
    paragraph(text('mailNothingToDo')),
    paragraph(text('mailPasswordUnexpected')),
    { kind: 'button', label: text('mailChoosePassword'), link: `${portal.baseUrl}/reset-password` },
    note(text('mailNeverAsk')),
  ],
})
