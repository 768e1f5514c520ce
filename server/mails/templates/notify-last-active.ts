import { paragraph, type Template } from '#server/mails/template.ts'

export interface NotifyLastActive {
  firstName: string | null
  /** ISO 8601 */
  becomesPassiveAt: string
}

export const notifyLastActive: Template<NotifyLastActive> = (values, { text, greeting, day, portal }) => ({
  subject: text('mailSoonPassiveSubject'),
  preview: text('mailSoonPassiveWhatToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(values.firstName)),
    paragraph(text('mailSoonPassive', { day: day(values.becomesPassiveAt) })),
    paragraph(text('mailSoonPassiveWhatToDo')),
    { kind: 'button', label: text('mailSignIn'), link: portal.baseUrl },
  ],
})
