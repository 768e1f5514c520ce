import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface WrongPasswords {
  firstName: string | null
  /** When the session was ended. ISO 8601 */
  at: string
}

export const wrongPasswords: Template<WrongPasswords> = ({ firstName, at }, { text, greeting, dateTime, portal }) => ({
  subject: text('mailSessionEndedSubject'),
  preview: text('mailSessionEndedWhatToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailSessionEnded', { moment: dateTime(at) })),
    paragraph(text('mailSessionEndedWhatToDo')),
    { kind: 'button', label: text('mailChoosePassword'), link: `${portal.baseUrl}/reset-password` },
    note(text('mailNeverAsk')),
  ],
})
