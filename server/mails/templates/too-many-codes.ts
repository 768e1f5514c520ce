import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface TooManyCodes {
  firstName: string | null
  /** When codes are accepted again. ISO 8601 */
  until: string
}

export const tooManyCodes: Template<TooManyCodes> = ({ firstName, until }, { text, greeting, dateTime, portal }) => ({
  subject: text('mailCodesSubject'),
  preview: text('mailCodesWhatToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailCodesWrong')),
    paragraph(text('mailCodesBlocked', { moment: dateTime(until) })),
    paragraph(text('mailCodesWhatToDo')),
    { kind: 'button', label: text('mailChoosePassword'), link: `${portal.baseUrl}/reset-password` },
    note(text('mailNeverAsk')),
  ],
})
